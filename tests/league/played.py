"""A season played by lots: its log, act after act, as a host would write it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from pbem.core.outcome import ranks
from pbem.league import acts
from pbem.league.calendar import DECIDING, HOUR, calendar_of
from pbem.league.drawing import (
    divide,
    dividing_inputs,
    draw_group,
    draw_round,
    group_inputs,
    positions_had,
    round_inputs,
)
from pbem.league.due import Due, due, entered
from pbem.league.figures import ended, round_scores, still_in
from pbem.league.log import CLOCK, Entry, behind, player
from pbem.league.lots import chain, digest
from pbem.league.points import points
from pbem.league.season import applied
from pbem.league.settings import DRAWN, Settings
from pbem.league.settings import Season as Dates
from pbem.league.state import Season, Table

NATIONS = ("austria_hungary", "italy", "france", "great_britain", "germany", "russia")
POSITIONS = {3: NATIONS[:3], **dict.fromkeys((4, 5, 6), NATIONS)}
START = Dates(start="2027-01-11")
DAY = 24 * HOUR


def settings(**changed: Any) -> Settings:
    return msgspec.structs.replace(Settings(name="euro", game="imperial", season=START), **changed)


class Play:
    """The host of one season: it does what is due, and people answer by lot."""

    def __init__(
        self, given: Settings, people: int, seed: int = 1, last: Any = (), borders: Any = (), number: int = 1
    ) -> None:
        self.luck = random.Random(seed)
        self.links = chain(f"{seed:064x}", given.draw.links)
        self.entries: list[Entry] = []
        self.season: Season
        self.people = range(1, people + 1)
        self.now = calendar_of(given).opens - DAY
        self.ends: dict[int, int] = {}  # by table: when its game is over
        self.loads: list[int] = []
        self.do(acts.Founded(league=given.name, season=number, settings=given, calendar=calendar_of(given), commitment=self.links[0], rules="1", positions=POSITIONS, last=last, borders=borders))  # fmt: skip

    def do(self, act: acts.Act, by: str = CLOCK) -> None:
        entry = behind(self.entries[-1] if self.entries else None, self.now, by, act)
        self.entries.append(entry)
        self.season = applied(self.season if len(self.entries) > 1 else None, entry)

    def play(self, until: Callable[[Due], bool] = lambda _: False) -> Season:
        """To the end, or before the first thing that is due and fits."""
        while coming := due(self.season):
            first = coming[0]
            over = min(((at, number) for number, at in self.ends.items()), default=None)
            if until(first):
                break
            if over is not None and over[0] < first.at:
                self.now = max(self.now, over[0])
                self.note(over[1])
            else:
                self.now = max(self.now, first.at)
                getattr(self, f"_{first.what}")(first)
        return self.season

    def _open(self, _: Due) -> None:
        self.do(acts.Opened())
        for person in self.people:
            self.do(acts.Entered(person=person, luck=digest(f"word {person}") if person % 2 else ""), player(person))

    def _call(self, _: Due) -> None:
        self.do(acts.Called())
        for person in self.people:
            self.do(acts.Mustered(person=person), player(person))

    def _close(self, _: Due) -> None:
        plays, left_out = entered(self.season)
        who = tuple(acts.Entrant(person=one, luck=f"word {one}" if one % 2 else "") for one in plays)
        self.do(acts.Closed(entrants=who, left_out=tuple(left_out)))

    def _divide(self, _: Due) -> None:
        inputs = dividing_inputs(self.season, {}, ())
        groups = divide(self.season.settings, self.links[1], inputs)
        self.do(acts.Divided(link=self.links[1], inputs=inputs, groups=tuple(groups)))

    def _draw(self, what: Due) -> None:
        if self.season.settings.format in DRAWN:
            return self._round(what.about)
        made: list[acts.Drawing] = []
        for name in self.season.groups:
            first = 1 + sum(len(drawing.tables) for drawing in made)
            made.append(
                draw_group(self.season.settings, self.links[1], group_inputs(self.season, name, ()), POSITIONS, first)
            )
        return self.do(acts.Drawn(number=1, link=self.links[1], drawings=tuple(made)))

    def _round(self, number: int) -> None:
        people = still_in(self.season, number)
        inputs = round_inputs(self.season, number, round_scores(self.season, {}), people, ())
        had = positions_had(self.season)
        drawing = draw_round(
            self.season.settings, self.links[number], inputs, POSITIONS, had, 1 + len(self.season.tables)
        )
        self.do(acts.Drawn(number=number, link=self.links[number], drawings=(drawing,)))

    def _begin(self, what: Due) -> None:
        self.do(acts.Begun(table=what.about, game=f"imp-{what.about}"))
        self.ends[what.about] = self.now + int(self.luck.gauss(34, 8) * DAY)
        running = [len(self.season.running(person)) for person in self.season.tables[what.about].people]
        self.loads.append(max(running))

    def _warn(self, what: Due) -> None:
        self.do(acts.Warned(table=what.about, hours=what.more))

    def _limit(self, what: Due) -> None:
        self.note(what.about, "time")

    def _void(self, what: Due) -> None:
        self.do(acts.Noted(table=what.about, how="time", seats=(), void=True))

    def _stop(self, _: Due) -> None:
        for table in self.season.tables.values():
            if not table.is_over:
                self.note(table.number, "time")

    def _decide(self, _: Due) -> None:
        self.do(acts.Deciding(until=self.now + DECIDING))

    def _end(self, _: Due) -> None:
        self.do(ended(self.season))

    def note(self, number: int, how: acts.How = "played") -> None:
        table = self.season.tables[number]
        scores = {person: self.luck.randint(10, 60) for person in table.people}
        self.ends.pop(number, None)
        self.do(noted(self.season, table, scores, how))


def noted(season: Season, table: Table, scores: Mapping[int, int], how: acts.How = "played") -> acts.Noted:
    places = ranks(scores, [])
    worth = points(season.settings.scoring.system, places, scores, season.settings.scoring.places)
    seats = tuple(
        acts.SeatResult(
            seat=one, person=table.holders.get(one, one), place=places[one], score=scores[one], points=worth[one]
        )
        for one in table.people
    )
    return acts.Noted(table=table.number, how=how, seats=seats)
