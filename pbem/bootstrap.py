"""Puts the parts together; the only place that knows them all.

What reads letters, words them or writes pages is imported by what asks for it: most commands do none of that.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from pbem.adapters.clock import SystemClock
from pbem.adapters.composing import check_address
from pbem.adapters.store.keys import key_of
from pbem.adapters.store.sql import SqlStore
from pbem.core.chance import Secrets
from pbem.core.game import game_of
from pbem.core.refusal import Refusal
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.host.app import App
from pbem.host.app.leagues import Leagues
from pbem.host.app.people import People
from pbem.host.archive.archivist import Archivist
from pbem.host.archive.notes import Annotator
from pbem.host.archive.playfile import read_play
from pbem.host.archive.proof import Proof, prove
from pbem.host.archive.replay import Replay
from pbem.host.archive.verify import Finding, verify_play
from pbem.host.commands.table import COMMANDS
from pbem.host.housekeeping.clock_monitor import ClockMonitor
from pbem.host.housekeeping.closing import ClockService
from pbem.host.housekeeping.monotonic_clock import MonotonicClock
from pbem.host.housekeeping.outages import Outages
from pbem.host.leagues.carrying import SeasonService
from pbem.host.leagues.published import PublishedSeason
from pbem.host.lobby.invitees import Invitee, seat_name
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Game, LetterReader, MailTransport, Store, Timepiece
from pbem.host.session.identity import Identity
from pbem.host.session.terms import Terms, terms_of
from pbem.host.session.unit_of_work import UNGUESSED, Games
from pbem.league.proof.verdict import Verdict
from pbem.mail.context import Context
from pbem.mail.delivery import LEASE, Delivery
from pbem.mail.inbox import Inbox
from pbem.mail.kept_letters import KeptLetters
from pbem.mail.mail_writer import MailWriter, Renderer
from pbem.mail.retention import KEEP_DAYS, Retention
from pbem.mail.routes import Routes
from pbem.mail.sorting import Sorting
from pbem.mail.watchdog import PATIENCE, Watchdog
from pbem.settings import Settings

if TYPE_CHECKING:
    from pbem.adapters.mail_renderer import MailRenderer

LONGEST_RESTS = 30  # times the span between two polls, in which a daemon comes round whatever it waits for

log = logging.getLogger("pbem")

FIRST = Setup()  # of the game whose words serve where none is meant

# -- play files ---


def replay(path: Path) -> Replay:
    """Play a file. Raises `PlayFileError`, `ConfigError`, `Failed`, `OSError`."""
    text = path.read_text(encoding="utf-8")
    played = Replay(text, GAMES, partial(sentence, setup=read_play(text).setup))
    played.run()
    return played


def verify(path: Path) -> Finding:
    """Play a file, and decide its entries once more. Raises as `replay` does."""
    return verify_play(str(path), replay(path))


def words_of(setup: Setup) -> MailRenderer:
    """What words letters about a game of that set-up. Raises `ValueError` for a game that there is not."""
    from pbem.adapters.mail_renderer import MailRenderer

    return MailRenderer(game_of(GAMES, setup).presenter)


def sentence(refusal: Refusal, setup: Setup = FIRST) -> str:
    """A refusal in the words of a game."""
    return words_of(setup).sentence(refusal.code, refusal.facts)


# -- an archive ---


def prove_archive(root: Path) -> Iterator[Proof]:
    """Every game of an archive, proved from its files alone. Raises `Damaged`."""
    from pbem.adapters.site.reading import games_in, published

    for game in games_in(root):
        yield prove(published(root, game, GAMES), GAMES)


def prove_seasons(root: Path, tag: str = "") -> Iterator[Verdict]:
    """Every season of an archive, or the one of that tag, proved from its files alone. Raises `Damaged`."""
    from pbem.adapters.site.season_proof import prove_season, seasons_in

    for place in seasons_in(root):
        if tag in ("", "-".join(place.split("/")[1:3])):
            yield prove_season(root, place, GAMES)


def season_file(published: PublishedSeason, name: str) -> bytes:
    """One of the files that the archive has of a season, without any digests of pages; b"" while it has none."""
    from pbem.adapters.site.season_files import files_of, sheets_of, told_of

    told = told_of(published)
    return dict(files_of(told, sheets_of(told), {})).get(name, b"")


# -- a server ---


@dataclass(eq=False, repr=False)
class Server:
    """A store and the use cases over it."""

    store: Store
    hands: InitVar[Timepiece]
    host: HostIdentity
    identity: Identity
    _: KW_ONLY
    authserv_id: str | None = None  # of the server whose checks of senders are believed
    lease: int = LEASE
    per_minute: int | None = None
    gather_seconds: int = 0  # what may wait does so; what is ready now goes together
    pictures: bool = False
    archive_url: str = ""  # where people find the archive
    keep_days: int = KEEP_DAYS
    policy: LobbyPolicy = field(default_factory=LobbyPolicy)
    secrets: Secrets = UNGUESSED

    def __post_init__(self, hands: Timepiece) -> None:
        self.clock = clock = MonotonicClock(hands)
        self.games = games = Games(self.store, GAMES, COMMANDS, self.secrets)
        self.people = People(games, clock)
        self.leagues = Leagues(games, clock, self.policy)
        self.app = App(games, clock, self.host, self.policy)
        self.mail = Context(
            games=games, clock=clock, host=self.host, identity=self.identity, log=log, watch=perf_counter
        )

    @cached_property
    def read(self) -> LetterReader:
        """What makes letters of bytes."""
        from pbem.adapters.mime import letter_reader

        return letter_reader(self.authserv_id)

    def words(self, tag: str) -> MailRenderer:
        """What words letters about a game. Raises `Unknown`."""
        with self.games.work() as work:
            return words_of(self.games.load(work.game(tag)).terms.setup)

    def inbox(self) -> Inbox:
        return Inbox(self.mail, Routes(self.app, self.policy), self.read)

    def sorting(self) -> Sorting:
        return Sorting(self.mail, self.read)

    def kept_letters(self) -> KeptLetters:
        return KeptLetters(self.mail, self.inbox())

    def clock_service(self) -> ClockService:
        return ClockService(self.games, self.clock, self.host.operator, log)

    def season_service(self) -> SeasonService:
        return SeasonService(self.games, self.clock, self.host.operator, log)

    def renderer(self) -> Renderer:
        """What words letters about all games."""
        from pbem.adapters.mail_renderer import AllPages

        return AllPages(GAMES, pictures=self.pictures, archive=self.archive_url)

    def writer(self) -> MailWriter:
        """What makes mails of what is to be told."""
        return MailWriter(self.mail, self.renderer())

    def delivery(self, *transports: MailTransport) -> Delivery:
        return Delivery(
            self.mail,
            transports,
            self.writer(),
            lease=self.lease,
            per_minute=self.per_minute,
            gather_seconds=self.gather_seconds,
        )

    def retention(self) -> Retention:
        return Retention(self.mail, self.keep_days)

    def outages(self) -> Outages:
        return Outages(self.games, self.clock, self.host.operator, log)

    def clock_monitor(self) -> ClockMonitor:
        return ClockMonitor(self.games, self.clock, self.outages())

    def watchdog(self, transport: MailTransport, poll_seconds: float) -> Watchdog:
        """Looks after a daemon that reads letters so often, and tells of it by this way."""
        from pbem.adapters.mail_renderer import AllPages

        patience = max(PATIENCE, LONGEST_RESTS * poll_seconds)
        return Watchdog(self.mail, transport, AllPages(GAMES), patience=patience)

    def new_game(self, terms: Terms, players: Sequence[str], moderators: Sequence[str] = ()) -> Game:
        """Invite players, written `address` or `name=address`; so too moderators. Raises `ValueError`."""
        return self.app.invite(terms, invitees(players), invitees(moderators))

    def archivist(self, root: Path, *, language: str = "en", url: str = "", notes: bool = False) -> Archivist:
        """Keeps the archive in that folder; with `notes` on games that are over."""
        from pbem.adapters.site import Site

        site = Site(root, GAMES, language=language, url=url, domain=self.host.domain)
        annotator = Annotator(self.games, site, log) if notes else None
        return Archivist(self.games, site, self.clock, self.host, log, annotator)


def invitees(players: Sequence[str]) -> list[Invitee]:
    found: list[Invitee] = []
    for player in players:
        name, _, address = player.rpartition("=")
        address = address.strip().lower()
        if "@" not in address:
            raise ValueError(f"{player!r} is no address; write anton@example.org or anton=anton@example.org")
        check_address(address)
        seat = name.strip().lower() or seat_name(address, [m.seat for m in found])
        found.append(Invitee(address=address, name=name.strip() or seat, seat=seat))
    return found


def server(settings: Settings, store: SqlStore) -> Server:
    """The server of these settings over its books. Raises `WrongKey`, `OSError`."""
    host = HostIdentity(domain=settings.smtp.sender.rpartition("@")[2], operator=settings.operator)
    return Server(
        store,
        SystemClock(),
        host,
        identity(settings, store),
        authserv_id=settings.mailbox.authserv_id,
        lease=settings.smtp.retry_seconds,
        per_minute=settings.smtp.domain_per_minute,
        gather_seconds=settings.smtp.gather_seconds,
        pictures=settings.pictures,
        archive_url=settings.archive_url,
        keep_days=settings.keep_letters_days,
        policy=lobby_policy(settings),
    )


def lobby_policy(settings: Settings) -> LobbyPolicy:
    """Who may start games here, and what they get."""
    templates = {name: agreed(settings, name, {}) for name in settings.templates}
    return LobbyPolicy(open_to=settings.open_to, plain=agreed(settings, "", {}), templates=templates)


def agreed(settings: Settings, template: str, chosen: Mapping[str, str]) -> Terms:
    """What a new game is played by: what is chosen, else what the template says, else what all get.

    Raises `ValueError`.
    """
    if template and template not in settings.templates:
        raise ValueError(f"there is no template {template!r}; there is {', '.join(settings.templates) or 'none'}")
    words = {key: str(value) for key, value in settings.templates.get(template, {}).items()} | {**chosen}
    game, edition, start = (words.pop(key, "") for key in ("game", "edition", "setup"))
    setup = Setup(game=game, edition=edition, setup=start, options=words)
    clock = settings.clock
    return terms_of(setup, Terms(setup=Setup(), slot_hours=clock.slot_hours, remind_hours=clock.remind_hours))


def identity(settings: Settings, store: SqlStore) -> Identity:
    """How this server knows its players. Raises `WrongKey`, `OSError` when the key can be neither read nor made."""
    return Identity(
        key=key_of(store, settings.identity.key_file),
        address=settings.smtp.sender,
        tags=settings.mailbox.tags,
        policy=settings.identity.policy,
    )


def archivist(server: Server, settings: Settings, *, notes: bool = False) -> Archivist:
    """Keeps the archive of these settings; with `notes` on games that are over whatever they say."""
    return server.archivist(
        settings.archive,
        language=settings.archive_language,
        url=settings.archive_url,
        notes=notes or settings.archive_notes,
    )
