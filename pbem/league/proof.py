"""A season reckoned again from what is published: its log, its file, what its games came to, and the ratings.

Each check tells the first thing that does not follow; V10, that pages tell the figures of the files, is the site's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.log import BrokenLink
from pbem.core.refusal import Illegal
from pbem.league import acts
from pbem.league.changes import LATER, NEVER, SECTIONS_LATER, UPWARDS
from pbem.league.council import name, open_petitions, result
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
from pbem.league.figures import before_draw, ended, is_open, rated_tables, round_scores, still_in
from pbem.league.log import CLOCK, Entry, live, read
from pbem.league.lots import digest, follows, sealed
from pbem.league.points import points
from pbem.league.ratings import RatedTable, Step, steps
from pbem.league.season import applied
from pbem.league.settings import DRAWN, Settings
from pbem.league.state import Season
from pbem.league.waiting import next_matching, people_waiting, waiting

CLOSE = 1e-6  # of ratings


class GameResult(Struct, frozen=True, kw_only=True):
    """What the published log of a game gives, by whose seat it was by the draw."""

    places: Mapping[int, int] | None  # None: time ended it
    scores: Mapping[int, int] | None = None
    digest: str = ""  # of its last entry
    dealt: Mapping[int, str] = {}  # what they began with; none where it was the game's own lot


class Published(Struct, frozen=True, kw_only=True):
    """What stands in a season's folder, read."""

    log: Sequence[bytes]
    settings: Settings | None = None  # of league.yaml
    games: Mapping[str, GameResult | None] = {}  # None: the game is sealed still
    rated: Sequence[RatedTable] | None = None  # all that counts for the ratings, from the first game on
    steps: Sequence[Step] = ()  # what the season's tables are said to have made of them


class Fault(NamedTuple):
    check: str  # V1 …
    about: str  # A-41, T-12, D-2, a person or a key
    what: str  # in English


class Verdict(Struct, frozen=True, kw_only=True):
    season: Season | None
    fault: Fault | None = None
    given: tuple[str, ...] = ()  # what could not be looked at yet, and why
    by_hand: int = 0

    @property
    def sentence(self) -> str:
        name = self.season.tag if self.season else "the season"
        if self.fault is not None:
            return f"{name}: {self.fault.check}: {self.fault.about}: {self.fault.what}"
        assert self.season is not None
        own = self.season
        draws, by_hand = _many(len(own.draws), "draw"), _many(self.by_hand, "act")
        counts = f"{len(own.entrants)} entrants, {len(own.tables)} tables, {draws}, {by_hand} by hand"
        return "; ".join([f"{name}: {counts}: all follow from what is published", *self.given])


def _many(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def verify(published: Published) -> Verdict:
    """The first thing that does not follow, or that all does."""
    try:
        entries = read(published.log)
    except BrokenLink as broken:
        return Verdict(season=None, fault=Fault("V1", "log", str(broken)))
    if not entries or not isinstance(entries[0].act, acts.Founded):
        return Verdict(season=None, fault=Fault("V1", "A-0", "the season was not founded first"))
    proof = _Proof(published, live(entries))
    fault = next(proof.faults(), None)
    by_hand = sum(each.by != CLOCK and not each.by.startswith("player ") for each in entries)
    given = dict.fromkeys(proof.given)
    if proof.by_time:
        given[f"who waited too long is taken as given where time ended a table ({', '.join(proof.by_time)})"] = None
    return Verdict(season=proof.season, fault=fault, given=tuple(given), by_hand=by_hand)


class _Proof:
    """Goes along the log; each act is looked at in the season as it was before it."""

    def __init__(self, published: Published, entries: Sequence[Entry]) -> None:
        self.published = published
        self.entries = entries
        self.season = applied(None, entries[0])
        self.given: list[str] = []
        self.by_time: list[str] = []  # tables
        self.withheld: int | None = None  # the last act of which only the digest is told
        told = (each.act.pairs for each in entries if isinstance(each.act, acts.KeptApart))
        self.apart: frozenset[tuple[int, int]] | None = next(map(frozenset, told), None)

    def faults(self) -> Iterator[Fault]:
        yield from self._file()
        for entry in self.entries[1:]:
            for check in _CHECKS:
                yield from check(self, entry)
            try:
                self.season = applied(self.season, entry)
            except (KeyError, ValueError, Illegal):
                yield Fault("V1", f"A-{entry.seq}", "it does not fit what was before it")
                return
        yield from self._withheld()
        yield from self._links()
        yield from self._ratings()

    def _file(self) -> Iterator[Fault]:
        told, own = self.published.settings, self.season.settings
        if told is not None and told != own:
            wrong = next(key for key in own.__struct_fields__ if getattr(told, key) != getattr(own, key))
            yield Fault("V2", wrong, "the log was founded with other settings than the file has")

    def setting(self, entry: Entry) -> Iterator[Fault]:
        act = entry.act
        if not isinstance(act, acts.Set):
            return
        is_open = act.key in LATER or act.key.partition(".")[0] in SECTIONS_LATER
        if act.key in NEVER or (self.season.is_drawn and not (is_open and act.consent)):
            yield Fault("V2", act.key, "it was changed when it could not be any more")
        elif self.season.is_drawn and act.key in UPWARDS and act.value and act.value < act.was:
            yield Fault("V2", act.key, "it was changed downwards")

    # -- votes ---

    def withholding(self, entry: Entry) -> Iterator[Fault]:
        if not isinstance(entry.act, acts.Withheld):
            return
        if not self._may_withhold():
            yield Fault("V1", f"A-{entry.seq}", "it is left out though no petition was open and no draw sealed")
        self.withheld = entry.seq

    def _may_withhold(self) -> bool:
        return bool(open_petitions(self.season) or self._sealed())

    def _sealed(self) -> list[str]:
        return [f"D-{number}" for number, draw in self.season.draws.items() if draw.is_sealed]

    def _withheld(self) -> Iterator[Fault]:
        """Votes are told when their petitions are over, and drawings when their tables are."""
        if self.withheld is not None and not self._may_withhold():
            yield Fault("V1", f"A-{self.withheld}", "it is left out still though all petitions and draws are over")
        if self.withheld is not None and open_petitions(self.season):
            self.given.append("votes are taken as given till their petitions are decided")
        if self._sealed():
            self.given.append(f"sealed: {', '.join(self._sealed())}")

    def decision(self, entry: Entry) -> Iterator[Fault]:
        act = entry.act
        if isinstance(act, acts.Decided) and act.number in self.season.petitions:
            petition = self.season.petitions[act.number]
            at_the_end = result(petition, petition.asked.closes) if self.season.phase == "deciding" else None
            passed = result(petition, entry.at)
            if act.passed is not (at_the_end if passed is None else passed):
                yield Fault("V1", f"A-{entry.seq}", f"{name(act.number)} was decided otherwise than the votes say")

    # -- lots ---

    def _links(self) -> Iterator[Fault]:
        length = self.season.settings.draw.links
        for number, (before, link) in enumerate(pairwise(self.season.links)):
            part, place = divmod(number, length)
            if part and not place:
                before = self.season.chains[part - 1] if part <= len(self.season.chains) else ""
            if not follows(link, before):
                yield Fault("V3", link, "the link does not follow from the one before: one is wrong, or left out")
        drawn = [draw.link for draw in self.season.draws.values() if draw.link]
        if len({*drawn}) != len(drawn):
            yield Fault("V3", drawn[-1], "a link is used twice")

    def dividing(self, entry: Entry) -> Iterator[Fault]:
        act = entry.act
        if not isinstance(act, acts.Divided):
            return
        ratings = dict(act.inputs.get("ratings", []))
        if self._differs(act.inputs, dividing_inputs(self.season, ratings, self.apart or ())):
            yield Fault("V4", f"A-{entry.seq}", "the groups were not made of what the log had then")
        elif self._is_open(act.inputs) and self._divided(act) != act.groups:
            yield Fault("V4", f"A-{entry.seq}", "the groups are not what the key gives")

    def _divided(self, act: acts.Divided) -> tuple[acts.Group, ...]:
        return tuple(divide(self.season.settings, act.link, act.inputs, self.apart or ()))

    def drawing(self, entry: Entry) -> Iterator[Fault]:
        act = entry.act
        if isinstance(act, acts.Unsealed):
            draw = self.season.draws[act.number]
            if act.link != draw.link:
                yield Fault("V5", f"D-{act.number}", "it is unsealed with another link than it was drawn by")
        elif isinstance(act, acts.Drawn):
            was = self.season.draws.get(act.number)
            if was and was.is_closed and sealed(act.drawings, act.link) != was.digest:
                yield Fault("V5", f"D-{act.number}", "the drawing is not what was sealed")
            for drawing in act.drawings:
                yield from self._drawing(act, drawing)

    def _drawing(self, act: acts.Drawn, drawing: acts.Drawing) -> Iterator[Fault]:
        season, inputs, about = before_draw(self.season, act.number), drawing.inputs, f"D-{act.number}"
        if season.settings.format == "pool":
            wanted = self._matching(season, act.number, inputs)
        elif season.settings.format in DRAWN:
            scores = dict(inputs["scores"]) if is_open(season) else round_scores(season, {})
            wanted = round_inputs(season, act.number, scores, still_in(season, act.number), self.apart or ())
        else:
            wanted = group_inputs(season, inputs["group"], self.apart or ())
        if self._differs(inputs, wanted):
            yield Fault("V4", about, "it was not drawn from what the log had then")
        elif self._is_open(inputs) and self._again(act, drawing) != drawing:
            yield Fault("V4", about, "the tables, positions or costs are not what the key gives")

    def _matching(self, season: Season, number: int, inputs: Mapping[str, Any]) -> Mapping[str, object]:
        """Of the ratings of those who wait nothing but the numbers is told."""
        at, told = next_matching(season), inputs.get("waiting", [])
        mu = {person: own for person, _, own, _ in told}
        known = {*mu} == {*people_waiting(season, at)} if at is not None else False
        here = waiting(season, at, mu) if known and at is not None else []
        self.given.append("the ratings that a draw was made of are taken as given")
        return match_inputs(season, number, here, self.apart or ())

    def _again(self, act: acts.Drawn, drawing: acts.Drawing) -> acts.Drawing:
        season, positions = before_draw(self.season, act.number), self.season.positions
        first = min((table.number for table in drawing.tables), default=1)
        if season.settings.format == "pool":
            had, apart = positions_had(season), self.apart or ()
            made = draw_match(season.settings, act.link, drawing.inputs, positions, had, first, apart)
            return made or acts.Drawing(inputs=drawing.inputs, tables=())
        if season.settings.format in DRAWN:
            had, apart = positions_had(season), self.apart or ()
            return draw_round(season.settings, act.link, drawing.inputs, positions, had, first, apart)
        return draw_group(season.settings, act.link, drawing.inputs, positions, first)

    def _differs(self, inputs: Mapping[str, object], wanted: Mapping[str, object]) -> bool:
        """But for what the log tells only as a digest, till it is over, or not at all: the public number."""
        hidden = ("beacon", "hours", "ratings", *(["apart"] if self.apart is None else []))
        own = {key: value for key, value in inputs.items() if key not in hidden}
        return own != {key: value for key, value in wanted.items() if key != "ratings"}

    def _is_open(self, inputs: Mapping[str, object]) -> bool:
        is_hidden = "apart" in inputs and self.apart is None
        if "ratings" in inputs:
            self.given.append("the ratings that a draw was made of are taken as given")
        if is_hidden:
            self.given.append("tables of people who are kept apart are taken as given till the season ends")
        return not is_hidden

    # -- people and results ---

    def closing(self, entry: Entry) -> Iterator[Fault]:
        act = entry.act
        if not isinstance(act, acts.Closed):
            return
        plays, left_out = entered(self.season)
        people = [each.person for each in act.entrants]
        if people != plays or [*act.left_out] != left_out:
            wrong = sorted({*people} ^ {*plays} | {*act.left_out} ^ {*left_out}) or people
            yield Fault("V6", f"player {wrong[0]}", "who plays is not who entered and said so")
        for each in act.entrants:
            told = self.season.people[each.person].luck if each.person in self.season.people else ""
            if (digest(each.luck) if each.luck else "") != told:
                yield Fault("V6", f"player {each.person}", "the luck word is not what was entered")

    def result(self, entry: Entry) -> Iterator[Fault]:
        act = entry.act
        if not isinstance(act, acts.Noted) or act.table not in self.season.tables:
            return
        about, table = f"T-{act.table}", self.season.tables[act.table]
        if any(table.holders.get(seat.seat, seat.seat) != seat.person for seat in act.seats):
            yield Fault("V7", about, "other people sat there at the end")
        if table.game in self.published.games and not act.void:
            yield from self._game(about, act, self.published.games[table.game])
        if not act.void:
            yield from self._points(about, act)

    def _game(self, about: str, act: acts.Noted, game: GameResult | None) -> Iterator[Fault]:
        if game is None:
            self.given.append(f"{about} is sealed")
            return
        if game.places is None:
            self.by_time.append(about)
        places, scores = ({seat.seat: getattr(seat, key) for seat in act.seats} for key in ("place", "score"))
        wrong = any(own is not None and noted != own for noted, own in ((places, game.places), (scores, game.scores)))
        if wrong or (game.digest and game.digest != act.digest):
            yield Fault("V7", about, "the result is not what the game's own log gives")
        drawn = self.season.tables[act.table].drawn
        if drawn and game.dealt and game.dealt != {chair.person: chair.position for chair in drawn.chairs}:
            yield Fault("V4", about, "the game was begun with other people or positions than were drawn")

    def _points(self, about: str, act: acts.Noted) -> Iterator[Fault]:
        scoring = self.season.settings.scoring
        places = {seat.seat: seat.place for seat in act.seats}
        scores = {seat.seat: seat.score for seat in act.seats if seat.score is not None}
        worth = points(scoring.system, places, scores if len(scores) == len(places) else None, scoring.places)
        if any(worth[seat.seat] != seat.points for seat in act.seats):
            yield Fault("V8", about, "the points are not what the places give")

    def ending(self, entry: Entry) -> Iterator[Fault]:
        act = entry.act
        if not isinstance(act, acts.Ended):
            return
        wanted = replace(ended(self.season), digest=act.digest)
        for key in ("standings", "order", "borders", "honours"):
            if getattr(act, key) != getattr(wanted, key):
                yield Fault("V8", key, "it is not what the tables give")

    def _ratings(self) -> Iterator[Fault]:
        """From the first rated game on, wherever it was played."""
        rated = self.published.rated
        if rated is None:
            return
        numbers = {table.game: number for number, table in self.season.tables.items() if table.game}
        own = {table.game: table for table in rated_tables(self.season)}
        told = {table.game: table for table in rated if table.game in numbers}
        for game in sorted({*own, *told}, key=numbers.__getitem__):
            if own.get(game) != told.get(game):
                yield Fault("V9", f"T-{numbers[game]}", "what it counts for in the ratings is not what it came to")
        wanted = {(step.person, step.game): step for step in steps({}, rated) if step.game in own}
        found = {(step.person, step.game): step for step in self.published.steps}
        for key in sorted({*wanted, *found}):
            if not _are_close(wanted.get(key), found.get(key)):
                yield Fault("V9", f"player {key[0]}", f"the rating after {key[1]} is not what the games give")


def _are_close(one: Step | None, other: Step | None) -> bool:
    if one is None or other is None:
        return False
    same = (one.end, one.games) == (other.end, other.games)
    return same and abs(one.mu - other.mu) <= CLOSE and abs(one.sigma - other.sigma) <= CLOSE


_CHECKS = (
    _Proof.withholding,
    _Proof.decision,
    _Proof.setting,
    _Proof.closing,
    _Proof.dividing,
    _Proof.drawing,
    _Proof.result,
    _Proof.ending,
)
