"""What may be done in a season by whoever leads it or plays in it: each guard raises `Illegal` with why not.

None of them changes anything: what is done then is an act.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.core.refusal import Illegal
from pbem.league import acts
from pbem.league.figures import division_of
from pbem.league.log import Entry, live
from pbem.league.state import Objection, Season, Table

TOLD = (
    *(acts.Begun, acts.Noted, acts.Drawn, acts.Sealed, acts.Ended, acts.Closed, acts.Scored, acts.Voided),
    *(acts.Petitioned, acts.Voted, acts.Decided),  # nobody who leads a league takes back what its entrants have said
)


def table_of(season: Season, number: int) -> Table:
    if number not in season.tables:
        raise Illegal("league.no_table", table=number, tables=len(season.tables))
    return season.tables[number]


# -- entries ---


def check_enter(season: Season, person: int, now: int, barred_until: int = 0) -> None:
    """Till entries close; `barred_until` is the first season for which they may enter again."""
    if not season.takes_entries or now >= season.calendar.too_late:
        raise Illegal("league.not_open", phase=season.phase)
    if any(each.person == person for each in season.entrants) and season.people[person].gone == "withdrawn":
        barred_until = max(barred_until, season.founded.season + 1 + season.settings.leaving.bar)
    if season.founded.season < barred_until:
        raise Illegal("league.barred", until=barred_until)
    own = season.people.get(person)
    if own is not None and own.gone in ("refused", "expelled"):
        raise Illegal("league.refused")
    if own is not None and not own.gone:
        raise Illegal("league.entered")


def check_entered(season: Season, person: int) -> None:
    own = season.people.get(person)
    if own is None or own.gone:
        raise Illegal("league.not_entered")


def is_expected(season: Season, person: int) -> bool:
    """Are there tables to come for them, or may there be?"""
    own = season.people.get(person)
    if own is None or own.gone or season.is_over or season.phase == "deciding":
        return False
    return not season.is_drawn or any(person in table.seated and not table.is_over for table in season.tables.values())


def check_muster(season: Season, person: int) -> None:
    check_entered(season, person)
    if season.phase != "muster":
        raise Illegal("league.no_muster", phase=season.phase)


def check_leave(season: Season, person: int) -> None:
    """After the first draw, while there is something to play. Raises `Illegal`."""
    check_entered(season, person)
    if season.phase not in ("drawn", "playing"):
        raise Illegal("league.phase", phase=season.phase)


def cost_of_leaving(season: Season, person: int) -> int:
    """Points for all seats that somebody would leave now, before they confirm; nothing before the first draw."""
    return season.settings.leaving.cost * len(season.running(person)) if season.is_drawn else 0


# -- the draw ---


def check_draw(season: Season, number: int, *, preview: bool = False) -> None:
    """A preview may be had before entries close."""
    if season.closed_at is None and not preview:
        raise Illegal("league.not_closed", closes=season.calendar.closes)
    if number in season.draws:
        raise Illegal("league.drawn", draw=number)
    if len(season.links) > season.settings.draw.links * (1 + len(season.chains)):
        raise Illegal("league.no_link", links=season.settings.draw.links)


def check_redraw(season: Season, number: int, has_played: Callable[[str], bool]) -> None:
    """Until a player of its tables has had an order played; `has_played` looks into a game."""
    if number not in season.draws:
        raise Illegal("league.no_draw", draw=number, draws=len(season.draws))
    if number != max(season.draws):
        raise Illegal("league.followed", draw=number, last=max(season.draws))
    for table in season.draws[number].tables:
        own = season.tables.get(table)
        if own is None:
            raise Illegal("league.redrawn", draw=number)
        if own.is_over or (own.game and has_played(own.game)):
            raise Illegal("league.played", draw=number, table=table)


# -- what was done ---


def check_rewind(entries: Sequence[Entry], to: int) -> None:
    """Nothing behind it may have begun a table, noted a result, or been told by a draw."""
    kept = live(entries)
    if not any(entry.seq == to for entry in kept) or kept[-1].seq == to:
        raise Illegal("league.no_act", act=to)
    for entry in kept:
        if entry.seq > to and isinstance(entry.act, TOLD):
            raise Illegal("league.told", act=entry.seq)


def check_forward(entries: Sequence[Entry]) -> int:
    """The number that the act of rolling forward rewinds to: before the last rewinding, nothing having followed it."""
    if not entries or not isinstance(entries[-1].act, acts.Rewound) or entries[-1].act.forward:
        raise Illegal("league.not_rewound")
    return entries[-1].seq - 1


def check_result(season: Season, number: int, next_drawn: bool) -> Table:
    """`score`, `void` and `replay`: of a table that is over, until the next season's first draw."""
    table = table_of(season, number)
    if next_drawn:
        raise Illegal("league.too_late", table=number)
    if not table.is_over:
        raise Illegal("league.not_over", table=number)
    return table


def check_scores(table: Table, people: Sequence[int], scores: Sequence[int]) -> None:
    """A result by hand has every seat once, none below nothing."""
    missing = [person for person in table.people if person not in people]
    if missing or len({*people}) != len(people) or len(people) != len(table.people):
        raise Illegal("league.seats", table=table.number, missing=missing)
    if min(scores) < 0:
        raise Illegal("league.value", least=0)


def check_move(season: Season, person: int, division: int, next_drawn: bool) -> None:
    """Promotion and relegation by hand, until the next season's first draw."""
    check_entered(season, person)
    if next_drawn:
        raise Illegal("league.too_late", person=person)
    most = 1 + max(map(division_of, season.groups), default=0)
    if not 1 <= division <= most:
        raise Illegal("league.no_division", division=division, most=most)


def check_begin(season: Season, number: int) -> None:
    """Before its turn, but nobody above their load."""
    table = table_of(season, number)
    if table.begun is not None or table.is_over:
        raise Illegal("league.begun", table=number)
    load = season.settings.table.load
    full = [person for person in sorted(table.seated) if len(season.running(person)) >= load]
    if full:
        raise Illegal("league.load", people=full, load=load)


def check_end(season: Season, number: int) -> None:
    table = table_of(season, number)
    if table.begun is None or table.is_over:
        raise Illegal("league.not_running", table=number)


# -- whose matter it is ---


def check_not_own(season: Season, person: int | None, about: str) -> None:
    """Nobody rules on a table of their own group, or an objection of their own; `about` is T-12, O-1 or a name of a
    group. None: the operator, who plays nowhere as such."""
    if person is None:
        return
    kind, _, number = about.partition("-")
    group: str | None
    if kind == "O":
        objection = _objection(season, int(number))
        if objection.person == person:
            raise Illegal("league.own_objection", objection=int(number))
        if objection.about.startswith("T-"):
            check_not_own(season, person, objection.about)
        return
    if kind == "T":
        table = table_of(season, int(number))
        group = table.drawn.group if table.drawn else None
        if person in table.people or person in table.seated:
            raise Illegal("league.own_group", about=about)
    else:
        group = about
    if group is not None and season.group_of(person) == group:
        raise Illegal("league.own_group", about=about or season.tag)


OBJECTION = 72 * 3600  # after the letter that told of it


def check_object(season: Season, person: int, about: str, told: int | None, now: int) -> None:
    """Who has a line in the season, whatever became of it; `told`: when it was, None for what there is not."""
    if person not in season.people:
        raise Illegal("league.not_entered")
    if season.is_over:
        raise Illegal("league.phase", phase=season.phase)
    if told is None:
        raise Illegal("league.about", about=about)
    if now > told + OBJECTION:
        raise Illegal("league.objected_late", about=about)
    for number, each in season.objections.items():
        if each.upheld is None and (each.person, each.about) == (person, about):
            raise Illegal("league.objected", objection=number)


def check_ruling(season: Season, number: int) -> None:
    if _objection(season, number).upheld is not None:
        raise Illegal("league.ruled", objection=number)


def _objection(season: Season, number: int) -> Objection:
    if number not in season.objections:
        raise Illegal("league.no_objection", objection=number)
    return season.objections[number]
