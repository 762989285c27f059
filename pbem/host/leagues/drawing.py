"""Entries close, groups are made, tables are drawn: by the clock, or by whoever leads the league."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.calendar.zones import HOUR, offset
from pbem.host.season.rating import millionths, settled
from pbem.host.season.results import running_points
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league import acts
from pbem.league.drawing import (
    divide,
    dividing_inputs,
    draw_group,
    draw_match,
    draw_round,
    group_inputs,
    match_inputs,
    positions_had,
    round_inputs,
)
from pbem.league.due import entered
from pbem.league.figures import before_draw, round_scores, still_in
from pbem.league.log import CLOCK, OPERATOR
from pbem.league.lots import digest, sealed
from pbem.league.powers import check_draw
from pbem.league.settings import DRAWN
from pbem.league.state import Season
from pbem.league.waiting import next_matching, waiting

Pairs = frozenset[tuple[int, int]]  # of people who won't sit together


def close_entries(work: UnitOfWork, desk: SeasonDesk, now: int, by: str) -> None:
    """With the luck words, which nobody else knew till now; with too few people nothing is drawn."""
    plays, left_out = entered(desk.season)
    if len(plays) < desk.season.settings.entry.least:
        desk.enter(now, by, acts.CalledOff())
        return
    words = {each.person: each.luck for each in work.repository.entrants(desk.tag)}
    people = tuple(acts.Entrant(person=person, luck=words.get(person, "")) for person in plays)
    desk.enter(now, by, acts.Closed(entrants=people, left_out=tuple(left_out)))


def divide_entrants(work: UnitOfWork, desk: SeasonDesk, now: int, by: str) -> None:
    """Raises `Illegal` where people who won't sit together can't be kept apart."""
    made = divided(work, desk, next_link(desk))
    desk.enter(now, by, made)


def draw_tables(
    work: UnitOfWork, desk: SeasonDesk, number: int, now: int, by: str, *, again: int | None = None, why: str = ""
) -> None:
    """By the next link of the chain; `again`: the draw in whose place this one is made. Raises `Illegal`."""
    link = next_link(desk)
    drawings = drawn(work, desk, number, link, now)
    if desk.season.settings.table.anonymous != "no":
        tables = tuple(table.number for drawing in drawings for table in drawing.tables)
        seal = sealed(drawings, link)
        desk.enter(now, by, acts.Sealed(number=number, digest=seal, tables=tables, again=again, why=why))
    desk.enter(now, by, acts.Drawn(number=number, link=link, drawings=drawings, again=again, why=why))
    if desk.season.settings.format == "pool" and desk.links_left == 1:
        desk.enter(now, CLOCK, acts.Committed(commitment=desk.next_commitment))


def match_waiting(work: UnitOfWork, desk: SeasonDesk, now: int) -> None:
    """Seat some of those who wait in a pool, or note that nobody can be."""
    try:
        draw_tables(work, desk, 1 + max(desk.season.draws, default=0), now, CLOCK)
    except NobodyFits:
        desk.enter(now, CLOCK, acts.Unmatched())


class NobodyFits(Illegal):
    """None of those who wait in a pool may sit with enough others."""


def next_link(desk: SeasonDesk) -> str:
    return desk.link(len(desk.season.links))


def divided(work: UnitOfWork, desk: SeasonDesk, link: str) -> acts.Divided:
    """The groups as that link makes them. Raises `Illegal`."""
    pairs = apart(work, desk)
    ratings = settled(work, desk) if desk.season.settings.groups.fill == "rating" else {}
    inputs = dividing_inputs(desk.season, ratings, pairs, desk.season.beacon_of(1))
    return acts.Divided(link=link, inputs=inputs, groups=tuple(divide(desk.season.settings, link, inputs, pairs)))


def drawn(work: UnitOfWork, desk: SeasonDesk, number: int, link: str, now: int) -> tuple[acts.Drawing, ...]:
    """The tables of all groups, or of a round, as that link makes them. Raises `Illegal`."""
    season, pairs = desk.season, apart(work, desk)
    if season.settings.format == "pool":
        return (_match(work, before_draw(season, number), number, link, pairs),)
    if season.settings.format in DRAWN:
        return (_round(work, desk, number, link, pairs, now),)
    made: list[acts.Drawing] = []
    for name in season.groups:
        first = 1 + max(before_draw(season, number).tables, default=0) + sum(len(drawing.tables) for drawing in made)
        inputs = group_inputs(season, name, pairs, season.beacon_of(number))
        made.append(draw_group(season.settings, link, inputs, season.positions, first))
    return tuple(made)


def _round(work: UnitOfWork, desk: SeasonDesk, number: int, link: str, pairs: Pairs, now: int) -> acts.Drawing:
    """It does not wait: tables that run count as they stand."""
    season, people = before_draw(desk.season, number), still_in(desk.season, number)
    in_pots = number == 1 and season.settings.rounds.first == "pots"
    ratings = settled(work, desk) if in_pots else {}
    hours = _hours(work, people, now) if season.settings.table.zones else {}
    more = {"ratings": [*map(list, ratings.items())], "hours": digest(f"{desk.book.seed} {hours}") if hours else ""}
    scores = round_scores(season, running_points(work, season))
    inputs = round_inputs(season, number, scores, people, pairs, season.beacon_of(number), **more)
    first = 1 + max(season.tables, default=0)
    return draw_round(season.settings, link, inputs, season.positions, positions_had(season), first, pairs, hours)


def _hours(work: UnitOfWork, people: Sequence[int], now: int) -> dict[int, int]:
    """By how many whole hours their clocks are before UTC; nobody else is told it, so the inputs have its digest."""
    known = [work.repository.person(number) for number in people]
    return {person.id: offset(person.zone, now) // HOUR for person in known if person is not None}


def _match(work: UnitOfWork, season: Season, number: int, link: str, pairs: Pairs) -> acts.Drawing:
    """Raises `NobodyFits`."""
    at = next_matching(season)
    here = waiting(season, at, millionths(work, season)) if at is not None else []
    inputs = match_inputs(season, number, here, pairs)
    first = 1 + max(season.tables, default=0)
    made = draw_match(season.settings, link, inputs, season.positions, positions_had(season), first, pairs)
    if made is None:
        raise NobodyFits("league.nobody_fits", waiting=len(here))
    return made


def previewed(work: UnitOfWork, desk: SeasonDesk, now: int) -> Season:
    """The season as a draw might make it, by lots that are thrown away: it tells nothing of the real ones.

    Raises `Illegal`.
    """
    check_draw(desk.season, 1, preview=True)
    with work.repository.trial() as trial:
        copy = UnitOfWork(work.games, trial)
        tried = copy.season(desk.tag)
        tried.book = replace(tried.book, seed=work.games.new_secret())
        if tried.season.closed_at is None:
            close_entries(copy, tried, now, OPERATOR)
        if tried.season.called_off:
            raise Illegal("league.too_few_yet", least=tried.season.settings.entry.least)
        if not tried.season.groups:
            divide_entrants(copy, tried, now, OPERATOR)
        draw_tables(copy, tried, 1, now, OPERATOR)
        return tried.season


def apart(work: UnitOfWork, desk: SeasonDesk) -> Pairs:
    """The pairs of entrants of which one won't sit with the other."""
    plays = {each.person for each in desk.season.entrants}
    wishes = [
        (each.person, int(other))
        for each in work.repository.entrants(desk.tag)
        for other in each.apart.split(",")
        if other
    ]
    return frozenset((min(pair), max(pair)) for pair in wishes if {*pair} <= plays)
