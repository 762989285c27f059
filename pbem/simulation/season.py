"""A league as it will go: its seasons among bots, over a post office in memory and a clock that passes by hours."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from statistics import fmean
from zoneinfo import ZoneInfo

from msgspec import Struct

from pbem.adapters.clock import FastClock
from pbem.adapters.mail_renderer import AllPages
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server, prove_seasons
from pbem.core.languages import LANGUAGES
from pbem.daemon import Daemon
from pbem.games import GAMES
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.messages.letters import Message
from pbem.host.ports import Mail
from pbem.host.session.identity import Identity
from pbem.league.acts import SeatResult
from pbem.league.calendar import HOUR, calendar_of, day_in
from pbem.league.figures import services
from pbem.league.limits import House
from pbem.league.proof.verdict import Verdict
from pbem.league.settings import Entry as Entries
from pbem.league.settings import Groups, Settings, Tables
from pbem.league.settings import Season as Dates
from pbem.league.state import Season
from pbem.mail.mail_writer import Envelope, Renderer
from pbem.simulation.player import Player, write_letter
from pbem.simulation.post import Box, Post

HOST = "pbem@pbem.test"
OPERATOR = "operator@pbem.test"
ARCHIVE = "archive"  # the folder in ours where the pages are
ZONES = ("Europe/Berlin", "Europe/Rome", "Europe/London", "America/New_York", "Europe/Athens", "Australia/Sydney")
WAKES, SLEEPS = 7, 23  # o'clock
EAGER = 0.15  # how often somebody who is awake looks at their letters within an hour
DAY = 24 * HOUR
GONE = 14 * DAY  # after the first draw some fall silent
LATE = 60 * DAY  # behind the end of its calendar: a season that goes on for longer than this never ends

Progress = Callable[[Season, int], None]
Read = Callable[[House], Settings]


class Stuck(Exception):
    """A season did not come to its end."""


class Figures(Struct, frozen=True, kw_only=True):
    """What one season came to."""

    tag: str
    entrants: int
    groups: int
    tables: int
    endings: dict[str, int]  # tables by how they ended
    days: float  # from the first draw till the last table was over; 0 where none was
    league: float  # letters about the league, to each player
    news: float  # about their games
    answers: float  # that each of them wrote
    taken: int  # seats that somebody else took over
    empty: int  # seats that nobody sat on at the end, or a bot
    most: int  # letters to any of them, all together


class Outcome(Struct, frozen=True, kw_only=True):
    """What a simulation leaves behind."""

    folder: Path
    archive: Path
    seasons: tuple[Figures, ...]
    verdicts: tuple[Verdict, ...]


class LeaguePages(AllPages):
    """Words what is about a league; of a game no more than that there is something: its players are bots."""

    def __init__(self, league: str) -> None:
        super().__init__(GAMES)
        self._league = league

    def mail(self, content: Message, envelope: Envelope) -> Mail:
        if (envelope.game or "").rpartition("-")[0] == self._league:
            return super().mail(content, envelope)
        return Mail(
            message_id=envelope.message_id,
            to=envelope.to,
            subject=f"[{envelope.tag}]",
            text="",
            reply_to=envelope.reply_to,
            game=envelope.game,
        )


class Quick(Server):
    """A server whose letters about games are not worded."""

    league = ""

    def renderer(self) -> Renderer:
        return LeaguePages(self.league)


class Entrant(Player):
    """A bot in a league: it sleeps at night, and its letters about the league are kept."""

    def __init__(self, number: int, post: Post, seed: int, kind: str = "bot") -> None:
        name = f"{kind}{number}"
        address = f"{name}@pbem.test"
        super().__init__(name, address, Box(post, address), random.Random(f"{seed} {name}"))  # noqa: S311 - its whims
        self.zone = ZONES[number % len(ZONES)]
        self.language = LANGUAGES[number % len(LANGUAGES)]
        self.got: Counter[str] = Counter()  # letters about the league, and news
        self._place = ZoneInfo(self.zone)

    @property
    def row(self) -> dict[str, str]:
        """Of the file by which they are entered."""
        return {"address": self.address, "name": self.name.title(), "language": self.language, "zone": self.zone}

    def is_up(self, now: int) -> bool:
        """Do they look at their letters in this hour?"""
        hour = datetime.fromtimestamp(now, self._place).hour
        return WAKES <= hour < SLEEPS and self._dice.random() < EAGER

    def file(self, league: str, folder: Path) -> None:
        """Keep what they have just read of the league; of the rest it is enough that it came."""
        for letter in self.letters:
            kind = "league" if f"[{league}-" in str(letter["Subject"]) else "news"
            self.got[kind] += 1
            if kind == "league":
                write_letter(folder / self.name, self.got[kind], letter)
        self.letters.clear()

    @property
    def tally(self) -> Counter[str]:
        return Counter(answers=self.written, **self.got)


class League:
    """A league among bots."""

    def __init__(
        self, folder: Path, policy: LobbyPolicy, seed: int, now: int, silent: int = 0, reserves: int = 0
    ) -> None:
        self._folder = folder
        self._seed = seed
        self._silent = silent
        self._clock = FastClock(now, 0)
        self._post = Post(HOST, self._clock)
        self._store = SqlStore(f"sqlite:///{folder / 'pbem.sqlite'}")
        dice = random.Random(f"{seed} secrets")  # noqa: S311 - anybody may know how it goes
        identity = Identity(key=dice.randbytes(32), address=HOST)
        host = HostIdentity(domain="pbem.test", operator=OPERATOR)
        self._server = Quick(self._store, self._clock, host, identity, policy=policy, secrets=dice)
        self._people: list[Entrant] = []
        self._reserves = [Entrant(number, self._post, seed, "reserve") for number in range(1, reserves + 1)]

    def found(self, read: Read, players: int | None) -> None:
        """The hour before its entries open. Raises `ConfigError`, `ValueError`."""
        settings = read(self._server.leagues.house())
        while (left := calendar_of(settings).opens - HOUR - self._server.clock.now()) > 0:
            self._clock.skip(min(left, DAY))  # a leap of months would not be believed
        self._server.leagues.found(settings)
        self._server.league = settings.name
        self._daemon = Daemon(self._server, self._post, self._post, 60.0)
        count = players or settings.entry.most or 2 * settings.entry.least
        self._people = [Entrant(number, self._post, self._seed) for number in range(1, count + 1)]
        for each in self._reserves:
            with self._server.games.work() as work:
                person = each.row
                work.repository.add_person(person["name"], each.address, self._clock.now(), language=each.language)
            self._server.people.wait(each.address)

    def play(self, number: int, progress: Progress) -> Figures:
        """A season to its end. Raises `Stuck`."""
        tag = f"{self._server.league}-{number}"
        before = [player.tally for player in self._people]
        while not (season := self._server.leagues.season(tag)).is_over:
            if self._clock.now() > season.calendar.ends + LATE:
                raise Stuck(f"{tag} is still {season.phase}, {LATE // DAY} days behind the end of its calendar")
            self._hour(tag)
            progress(season, self._clock.now())
        self._daemon.tick()
        return _figures(season, [player.tally - was for player, was in zip(self._people, before, strict=True)])

    def _hour(self, tag: str) -> None:
        """The adjudicator goes round, then some look at their letters."""
        self._daemon.tick()
        season = self._server.leagues.season(tag)
        if season.phase == "founded" and self._clock.now() >= season.calendar.opens:
            self._server.leagues.organise(tag, ["open entries"])
        if season.phase == "entries" and not season.people:
            self._server.leagues.enter(tag, [player.row for player in self._people])
        for player in self._here(season):
            if player.is_up(self._clock.now()):
                player.look(self._server)
                player.file(self._server.league, self._folder / "letters")
        self._clock.skip(HOUR)

    def _here(self, season: Season) -> Sequence[Entrant]:
        """All but those who have fallen silent."""
        begun = season.draws[1].at if season.draws else self._clock.now()
        here = self._people[self._silent if self._clock.now() >= begun + GONE else 0 :]
        return [*here, *self._reserves]

    def leave(self) -> tuple[Verdict, ...]:
        """Write the pages, and prove the seasons from them."""
        archive = self._folder / ARCHIVE
        self._server.archivist(archive).build()
        return tuple(prove_seasons(archive))

    def close(self) -> None:
        self._store.close()


def simulate(
    folder: Path,
    read: Read,
    *,
    players: int | None,
    now: int,
    seasons: int = 1,
    seed: int = 1,
    silent: int = 0,
    reserves: int = 0,
    policy: LobbyPolicy | None = None,
    progress: Progress = lambda _season, _now: None,
) -> Outcome:
    """So many seasons in a row; what everybody was told, and the pages, lie in `folder` then.

    `silent`: how many of the players read no letter any more in the third week of a season; `reserves`: how many others
    wait for a seat.
    The same seed gives the same letters and pages. Raises `Stuck`, `ConfigError`, `ValueError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with closing(League(folder, policy or LobbyPolicy(), seed, now, silent, reserves)) as league:
        league.found(read, players)
        figures = tuple(league.play(number, progress) for number in range(1, seasons + 1))
        return Outcome(folder=folder, archive=folder / ARCHIVE, seasons=figures, verdicts=league.leave())


FRIENDS = 6


def friends(house: House) -> Settings:
    """A small league that begins in some weeks: six at tables of three, each as often first, second and third."""
    start = day_in(house.now, 28, ZONES[0]).isoformat()
    return Settings(
        name="friends",
        title={"en": "Friends", "de": "Freundeskreis", "it": "Amici"},
        game=next(iter(house.games)),
        format="series",
        season=Dates(start=start, weeks=10, repeat="no"),
        entry=Entries(least=FRIENDS),
        table=Tables(players=3, load=3),
        groups=Groups(size=FRIENDS, least=FRIENDS),
    )


def _seats(season: Season) -> Iterator[SeatResult]:
    for table in season.tables.values():
        yield from table.noted.seats if table.noted else ()


def _figures(season: Season, tallies: Sequence[Counter[str]]) -> Figures:
    over = [table.noted_at for table in season.tables.values() if table.noted_at is not None]
    return Figures(
        tag=season.tag,
        entrants=len(season.entrants),
        groups=len(season.groups),
        tables=len(season.tables),
        endings=dict(Counter(table.noted.how for table in season.tables.values() if table.noted)),
        days=(max(over) - season.draws[1].at) / DAY if over else 0.0,
        league=fmean(tally["league"] for tally in tallies),
        news=fmean(tally["news"] for tally in tallies),
        answers=fmean(tally["answers"] for tally in tallies),
        taken=len(services(season)),
        empty=sum(seat.person is None for seat in _seats(season)),
        most=max(tally["league"] + tally["news"] for tally in tallies),
    )
