"""A server with a league: its people enter, and games of its tables are really begun and really end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from datetime import date
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.host.leagues.entries import Entry as Entering
from pbem.host.ports import Conflict, Game, Mail, Store
from pbem.host.session.season import SeasonDesk
from pbem.league.calendar import HOUR, hour_of
from pbem.league.due import due
from pbem.league.log import Entry
from pbem.league.settings import Divisions, Groups, Limits, Settings
from pbem.league.settings import Entry as Entries
from pbem.league.settings import Season as Dates
from pbem.league.state import Season, Table
from tests.fakes import MemoryStore
from tests.service.bureau import Bureau, address

DAY = 24 * HOUR
START = hour_of(date(2027, 3, 1), 12, "Europe/Berlin")
PEOPLE = tuple(f"player{chr(ord('a') + number)}" for number in range(20))  # playera, playerb …

# Nobody's time runs out while a test lets weeks go by: what ends a table is said by the test.
PATIENT = {"policy": "lenient", "slot_hours": 8000, "remind_hours": "none"}
SMALL = Settings(
    name="euro",
    game="imperial",
    season=Dates(start="2027-03-01", weeks=17),
    options=PATIENT,
    entry=Entries(least=6, days=21, muster_days=5),
    groups=Groups(size=6, least=6, most=11),
    divisions=Divisions(shape=(1, 1)),
    limits=Limits(game_days=56),
)


def settings(**sections: Any) -> Settings:
    """Those of a small league, with what differs in its sections."""
    changed = {
        name: replace(getattr(SMALL, name), **value) if isinstance(value, dict) and name != "options" else value
        for name, value in sections.items()
    }
    return replace(SMALL, **changed)


class SeasonBureau(Bureau):
    """A bureau at which a season is played."""

    tag = "euro-1"
    patient = False  # is what meets a conflict left to the next round?

    def __init__(self, given: Settings = SMALL, people: int = 6, store: Store | None = None) -> None:
        super().__init__(store)
        self.clock.set(START - 22 * DAY)
        self.people = PEOPLE[:people]
        self.know(*(address(who) for who in self.people))
        self.server.leagues.found(given)

    @classmethod
    def beside(cls, other: SeasonBureau, store: Store | None = None) -> SeasonBureau:
        """Another daemon over the same books, perhaps by a store of its own."""
        made = cls.__new__(cls)
        Bureau.__init__(made, store or other.store)
        made.people = other.people
        made.clock.set(other.clock.now())
        return made

    # -- what there is ---

    @property
    def season(self) -> Season:
        return self.server.leagues.season(self.tag)

    @property
    def desk(self) -> SeasonDesk:
        with self.server.games.work() as work:
            return work.season(self.tag)

    @property
    def acts(self) -> list[Entry]:
        with self.server.games.work() as work:
            return work.season(self.tag).entries

    @property
    def told(self) -> list[str]:
        """What was done, in order: the tags of the acts."""
        return [str(type(each.act).__struct_config__.tag) for each in self.acts]

    def number(self, who: str) -> int:
        with self.store.transaction() as repository:
            person = repository.person_at(address(who))
        assert person is not None
        return person.id

    def table_game(self, number: int) -> Game:
        game = self.season.tables[number].game
        with self.server.games.work() as work:
            return work.game(game)

    @property
    def running(self) -> list[Table]:
        return [each for each in self.season.tables.values() if each.begun is not None and not each.is_over]

    # -- what happens ---

    def enter(self, people: Sequence[str] | None = None) -> None:
        """Let them in by hand."""
        found = self.server.leagues.enter(self.tag, [{"address": address(who)} for who in people or self.people])
        for _, refusal in found.bad:
            raise refusal

    def enter_as(self, who: str, **wishes: Any) -> None:
        """With a luck word, or apart from others."""
        self.entry(who, lambda entry: entry.enter(**wishes))

    def withdraw(self, who: str) -> None:
        self.entry(who, lambda entry: entry.withdraw())

    def entry(self, who: str, do: Callable[[Entering], None]) -> None:
        with self.server.games.work() as work:
            person = work.repository.person_at(address(who))
            assert person is not None
            do(Entering(work, work.season(self.tag), person, self.clock.now()))

    def answer_offer(self, who: str) -> list[Mail]:
        """Say yes to the seat that they were asked to take."""
        mails = self.tick()
        asked = next(mail for mail in reversed(mails) if mail.to == address(who))
        return self.write(who, "accept", subject=f"Re: {asked.subject}", to=asked.reply_to or "")

    def step(self) -> list[Mail]:
        """Go to the next instant at which something is due, or a month on, and round once."""
        coming = due(self.season)
        assert coming, "nothing is due any more"
        return self.at(min(self.clock.now() + 30 * DAY, max(self.clock.now(), coming[0].at + 1)))

    def go(self, until: Callable[[Season], bool]) -> None:
        """Go from one thing that is due to the next until it is so, ending each table when it has run for a day."""
        for _ in range(500):
            if until(self.season):
                return
            if self.running:
                self.clock.advance(DAY)
                self.finish_table(self.running[0].number)
                self.tick()
            else:
                self.step()
        raise AssertionError(f"the season is still {self.season.phase}")

    def to(self, phase: str) -> None:
        self.go(lambda season: season.phase == phase)

    def begun(self) -> None:
        """All have entered and said yes, and the first tables have begun."""
        self.to("entries")
        self.enter()
        self.to("muster")
        self.muster()
        self.to("playing")

    def muster(self, people: Sequence[str] | None = None, *, plays: bool = True) -> None:
        for who in people or self.people:
            self.server.leagues.muster(self.tag, address(who), plays=plays)

    def to_begin(self, number: int) -> None:
        """Go on until that table has begun."""
        self.go(lambda season: season.tables[number].begun is not None)

    def finish_table(self, number: int) -> None:
        """Its players' moderator ends it, with the scores as they stand."""
        game = self.season.tables[number].game
        with suppress(Conflict) if self.patient else nullcontext():
            self.server.app.moderate(game, ["end: enough was seen"])


def playing(given: Settings = SMALL, people: int = 6) -> SeasonBureau:
    """A season whose first tables have just begun: it is played to there once, and copied for each test."""
    begun = _begun(msgspec.json.encode(given), people)
    assert isinstance(begun.store, MemoryStore)
    made = SeasonBureau.beside(begun, begun.store.copy())
    made.letters = begun.letters
    made.postman.sent += begun.postman.sent
    return made


@cache
def _begun(given: bytes, people: int) -> SeasonBureau:
    made = SeasonBureau(msgspec.json.decode(given, type=Settings), people)
    made.begun()
    return made
