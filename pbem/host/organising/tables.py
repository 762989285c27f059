"""An organiser's powers over tables: when they begin and end, their results, who sits there."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.core.outcome import ranks
from pbem.core.refusal import Illegal
from pbem.host.leagues.naming import among
from pbem.host.leagues.tables import begin_table
from pbem.host.organising.games import lead_game
from pbem.host.organising.organising import Organising, check_phase, number_of, organiser_power, table_about
from pbem.host.season.hands import chairs_of, holders_of
from pbem.language.moderators import Power
from pbem.league import acts
from pbem.league.due import in_pause
from pbem.league.points import points
from pbem.league.powers import check_begin, check_end, check_result, check_scores, table_of
from pbem.league.state import Table

_SCORE = re.compile(r"(?P<who>.+?)\s+(?P<score>-?\d{1,6})")
UNRATED = ("unrated", "ungewertet", "senza valutazione")

# -- their course ---


@organiser_power("begin {table}", "beginne {table}", "comincia|inizia {table}", about=table_about)
def begin(o: Organising, power: Power) -> None:
    """Let a table begin before its turn, if nobody there has all the games that they may play at once."""
    number = number_of(power, "table")
    check_phase(o, "drawn", "playing")
    check_begin(o.season, number)
    if in_pause(o.season, o.now):
        raise Illegal("league.paused")
    begin_table(o.work, o.desk, number, o.now)
    o.enter(acts.Ruled(table=number, what="begun", why=power.why))


@organiser_power("end {table}", "beende {table}", "termina {table}", about=table_about)
def end(o: Organising, power: Power) -> None:
    """End the game of a table; its standing counts, as far as the game has one."""
    number = number_of(power, "table")
    check_end(o.season, number)
    lead_game(o.work, o.season.tables[number].game, o.by, f"end: {power.why}", o.now)
    o.enter(acts.Ruled(table=number, what="ended", why=power.why))


@organiser_power("replay {table}", "wiederhole {table}", "rigioca {table}", about=table_about)
def replay(o: Organising, power: Power) -> None:
    """Let a table be played anew from the beginning; what it came to counts no more."""
    number = number_of(power, "table")
    check_phase(o, "drawn", "playing")
    check_result(o.season, number, o.next_is_drawn)
    o.enter(acts.Replayed(table=number, why=power.why))


@organiser_power(
    "replace {who} in {table} by|with {address}",
    "ersetze {who} in|an {table} durch {address}",
    "sostituisci {who} in|a {table} con {address}",
    about=table_about,
)
def replace(o: Organising, power: Power) -> None:
    """Give the seat of somebody who wants to leave it, or has, to somebody else; it costs them nothing."""
    number = number_of(power, "table")
    table = table_of(o.season, number)
    if table.begun is None and not table.is_over:
        _seat(o, table, power)
        return
    check_end(o.season, number)
    game = o.work.game(o.season.tables[number].game)
    session = o.work.session(game)
    holders, chairs = holders_of(game, session), chairs_of(session)
    known = {person for person in (*holders.values(), *chairs.values()) if person is not None}
    who = among(o.work, known, power.fields["who"])
    seat = next(seat for seat in chairs if who in (holders[seat], chairs[seat]))
    lead_game(o.work, game.id, o.by, f"replace {seat} by {power.fields['address']}: {power.why}", o.now)


def _seat(o: Organising, table: Table, power: Power) -> None:
    """At a table that has not begun. Raises `Illegal`."""
    who, address = among(o.work, table.people, power.fields["who"]), power.fields["address"].lower()
    person = o.work.repository.person_at(address)
    group = o.season.groups.get(table.drawn.group, ()) if table.drawn else ()
    if person is None:
        raise Illegal("league.unknown_person", read=address)
    if person.id in group or person.id in table.seated:
        raise Illegal("league.rival", read=address)
    leaves = table.holders.get(who, who)
    o.enter(acts.ChangedHands(table=table.number, seat=who, leaves=leaves, comes=person.id, leave=True, why=power.why))


# -- their results ---


@organiser_power("score {table} {scores}", "werte {table} {scores}", "valuta {table} {scores}", about=table_about)
def score(o: Organising, power: Power) -> None:
    """Give a table that is over another result: NAME SCORE for each seat, with commas; “unrated” last."""
    number = number_of(power, "table")
    table = check_result(o.season, number, o.next_is_drawn)
    written, rated = _parted(power.fields["scores"])
    scores = _scores(o, table, written)
    check_scores(table, [*scores], [*scores.values()])
    o.enter(acts.Scored(table=number, seats=_seats(o, table, scores), rated=rated, why=power.why))


def _parted(written: str) -> tuple[str, bool]:
    """The scores, and whether they count for ratings."""
    found = next((word for word in UNRATED if written.casefold().endswith(word)), "")
    return written[: len(written) - len(found)].rstrip(" ,"), not found


def _scores(o: Organising, table: Table, written: str) -> Mapping[int, int]:
    """By whose chair it was. Raises `Illegal` for what is no score, or nobody's."""
    chairs = {person: person for person in table.people}
    chairs |= {holder: chair for chair, holder in table.holders.items() if holder is not None}
    found: dict[int, int] = {}
    for each in written.split(","):
        read = _SCORE.fullmatch(each.strip())
        if read is None:
            raise Illegal("league.no_score", read=each.strip())
        chair = chairs[among(o.work, chairs, read["who"])]
        if chair in found:
            raise Illegal("league.seats", table=table.number, missing=[])
        found[chair] = int(read["score"])
    return found


def _seats(o: Organising, table: Table, scores: Mapping[int, int]) -> tuple[acts.SeatResult, ...]:
    """In seating order; with the same score they share a place."""
    places, scoring = ranks(scores, ()), o.season.settings.scoring
    worth = points(scoring.system, places, scores, scoring.places)
    half = {seat.seat: seat.half for seat in table.noted.seats} if table.noted else {}
    return tuple(
        acts.SeatResult(
            seat=chair,
            person=table.holders.get(chair, chair),
            place=places[chair],
            score=scores[chair],
            points=worth[chair],
            half=half.get(chair, True),
        )
        for chair in table.people
    )


@organiser_power("void {table}", "annulliere {table}", "annulla {table}", about=table_about)
def void(o: Organising, power: Power) -> None:
    """Let what a table came to count for nobody."""
    number = number_of(power, "table")
    check_result(o.season, number, o.next_is_drawn)
    o.enter(acts.Voided(table=number, why=power.why))
