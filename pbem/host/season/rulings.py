"""Whom an act of whoever leads a league concerns: they are always told of it."""

from __future__ import annotations

from collections.abc import Collection

from pbem.league import acts
from pbem.league.state import Season
from pbem.league.veil import is_veiled

TO_ALL = acts.Paused | acts.Resumed | acts.Set | acts.Rewound | acts.Announced | acts.Promoted | acts.HandedOver
OF_A_PERSON = acts.Admitted | acts.Refused | acts.Expelled | acts.Excused | acts.Penalised | acts.Forgiven | acts.Moved
OF_A_TABLE = acts.Scored | acts.Voided | acts.Replayed | acts.Ruled | acts.ChangedHands


def concerned(season: Season, act: acts.Act) -> Collection[int]:
    """People; nobody of what is told otherwise, or not at all."""
    if isinstance(act, TO_ALL) or (isinstance(act, acts.Extended) and act.table is None):
        return {number for number, person in season.people.items() if not person.gone} | {*season.leaders}
    if isinstance(act, OF_A_PERSON):
        return {act.person, *season.groups.get(season.group_of(act.person) or "", ())}
    if isinstance(act, acts.ChangedHands) and is_veiled(season, season.tables[act.table]):
        return ()  # whoever sits there hears of it as they do in any game
    if isinstance(act, acts.Shrunk):
        return _at(season, act.drawn.number)
    if isinstance(act, OF_A_TABLE | acts.Extended) and act.table is not None:
        return _at(season, act.table)
    if isinstance(act, acts.Withdrawn) and season.is_drawn:
        return {act.person, *season.groups.get(season.group_of(act.person) or "", ())}
    if isinstance(act, acts.Upheld | acts.Dismissed):
        objection = season.objections[act.number]
        kind, _, number = objection.about.partition("-")
        return {objection.person, *(_at(season, int(number)) if kind == "T" else ())}
    return ()


def _at(season: Season, number: int) -> set[int]:
    """Who sits or sat at a table, and their group."""
    table = season.tables[number]
    group = season.groups.get(table.drawn.group, ()) if table.drawn else ()
    return {*table.people, *table.seated, *group}
