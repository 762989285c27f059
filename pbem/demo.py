"""The main job at once: bots at a table write letters to the adjudicator and read what it mails them.

Everything is real but the players: IMAP and SMTP over loopback, the daemon, the store. The clock is ours, so that days
pass in seconds.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from email.message import EmailMessage
from pathlib import Path
from smtplib import SMTP
from typing import Any

from msgspec import Struct

from pbem.adapters.clock import FastClock
from pbem.adapters.composing import FromAddress as Letterbox
from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp import SmtpSettings, SmtpTransport
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server, replay
from pbem.core.bot import SUBSTITUTE
from pbem.core.game import complete, load
from pbem.core.seat import Seat, Setup
from pbem.daemon import Daemon
from pbem.games import GAMES
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Clock, Game, MailFolder
from pbem.host.session.identity import Identity
from pbem.host.session.terms import Terms
from pbem.simulation.player import Player, parsed, plain, write_letter

HOST = "pbem@pbem.test"
PASSWORD = "open sesame"  # noqa: S105 - of mailboxes that live as long as the demo
NAMES = ("anton", "bert", "claudia", "daniel", "emma", "fritz")
HOUR = 3_600
ARCHIVE = "archive"  # the folder in ours where the game's pages are


class Office(Struct, frozen=True, kw_only=True):
    """Where the mail servers are."""

    host: str
    imap_port: int
    smtp_port: int

    def mailbox(self, address: str) -> ImapMailbox:
        return ImapMailbox(
            ImapSettings(
                host=self.host, port=self.imap_port, user=address, password=PASSWORD, security="none", poll=1.0
            )
        )

    def transport(self, address: str, clock: Clock) -> SmtpTransport:
        sender = Letterbox(address=address)
        return SmtpTransport(SmtpSettings(host=self.host, port=self.smtp_port, sender=sender, security="none"), clock)


class Mailbox:
    """Somebody's letters at the office; fulfils `player.Letterbox`."""

    def __init__(self, office: Office, address: str) -> None:
        self._mailbox = office.mailbox(address)
        self._smtp = SMTP(office.host, office.smtp_port)

    def unread(self) -> Sequence[EmailMessage]:
        found = []
        for raw in [*self._mailbox.unread()]:
            found.append(parsed(raw.raw))
            self._mailbox.shelve([(raw, MailFolder.done)])
        return found

    def send(self, letter: EmailMessage) -> None:
        self._smtp.send_message(letter)

    def close(self) -> None:
        self._mailbox.close()
        self._smtp.quit()


class Company:
    """A whole game among bots, over mail servers that somebody else has started."""

    def __init__(
        self,
        office: Office,
        server: Server,
        *,
        players: int,
        bot: str = SUBSTITUTE,
        first: str = "",
        seed: int = 1,
        language: str = "en",
    ) -> None:
        dice = random.Random(seed)  # noqa: S311 - a bot's whims, no secret
        self.server = server  # another one over the same books, when the adjudicator has been started anew
        addresses = {name: f"{name}@pbem.test" for name in NAMES[:players]}
        self.players = [
            Player(name, address, Mailbox(office, address), dice, first if first and not place else bot, language)
            for place, (name, address) in enumerate(addresses.items())
        ]

    def invite(self, *, slot_hours: int = 24, game: str = "") -> str:
        terms = Terms(setup=Setup(game=game), slot_hours=slot_hours)
        invited = self.server.new_game(terms, [f"{p.name}={p.address}" for p in self.players])
        return invited.id

    def look(self) -> bool:
        """All look into their mailboxes; was there anything?"""
        seen = [player.look(self.server) for player in self.players]
        return any(seen)

    def game(self, tag: str) -> Game:
        with self.server.games.work() as work:
            return work.game(tag)

    def state(self, tag: str) -> dict[str, Any]:
        with self.server.games.work() as work:
            session = work.session(work.game(tag))
            return dict(session.document())

    def close(self) -> None:
        for player in self.players:
            player.close()


Progress = Callable[[dict[str, Any]], None]


class Outcome(Struct, frozen=True, kw_only=True):
    """What the demo leaves behind."""

    folder: Path
    tag: str
    letters: int
    document: dict[str, Any]
    report: str
    replayed: bool
    archive: Path


def check(players: int, game: str) -> None:
    """Raises `ValueError` for a game that there is not, or that is not for so many."""
    setup = complete(GAMES, Setup(game=game, seats=tuple(map(Seat, NAMES[:players]))))
    load(GAMES, setup).blank(setup)


def play(
    folder: Path,
    *,
    players: int = 4,
    seed: int = 1,
    game: str = "",
    first: str = "",
    language: str = "en",
    progress: Progress = lambda _: None,
) -> Outcome:
    """One whole game in `folder`, its letters and pages in that language; `first`: the level of the first bot."""
    folder.mkdir(parents=True, exist_ok=True)
    clock = FastClock(int(time.time()))
    with _opened(folder, clock) as (office, server):
        mailbox, transport = office.mailbox(HOST), office.transport(HOST, clock)
        company = Company(office, server, players=players, seed=seed, first=first, language=language)
        with closing(company), closing(transport), closing(mailbox):
            tag = company.invite(game=game)
            _play_on(Daemon(server, mailbox, transport, 1.0), company, tag, clock, random.Random(seed), progress)  # noqa: S311
            server.archivist(folder / ARCHIVE, language=language).update()  # nobody looks at it earlier
            return _leave(folder, company, tag)


@contextmanager
def _opened(folder: Path, clock: FastClock) -> Iterator[tuple[Office, Server]]:
    addresses = [HOST, *(f"{name}@pbem.test" for name in NAMES)]
    store = SqlStore(f"sqlite:///{folder / 'pbem.sqlite'}")
    identity = Identity(key=secrets.token_bytes(32), address=HOST)
    with EmbeddedMailServer(dict.fromkeys(addresses, PASSWORD), clock) as post:
        office = Office(host=post.host, imap_port=post.imap_port, smtp_port=post.smtp_port)
        yield office, Server(store, clock, HostIdentity(domain="pbem.test", operator=HOST), identity, pictures=True)
    store.close()


def _play_on(
    daemon: Daemon, company: Company, tag: str, clock: FastClock, dice: random.Random, progress: Progress
) -> None:
    """Rounds of mail until the game is over; some hours pass until the players look into their mailboxes."""
    while company.game(tag).status != "finished":
        daemon.tick()
        clock.skip(dice.randrange(HOUR // 4, 9 * HOUR))
        company.look()
        if company.game(tag).status == "running":
            progress(company.state(tag))
    daemon.tick()
    company.look()


def _leave(folder: Path, company: Company, tag: str) -> Outcome:
    """Write the letters and the record where the reader can look at them."""
    record = folder / f"{tag}.play"
    record.write_text(company.server.app.record(tag), encoding="utf-8")
    for player in company.players:
        for number, letter in enumerate(player.letters, 1):
            write_letter(folder / "letters" / player.name, number, letter)
    document = company.state(tag)
    return Outcome(
        folder=folder,
        archive=folder / ARCHIVE,
        tag=tag,
        letters=sum(len(player.letters) for player in company.players),
        document=document,
        report=_shown(company.players[0].letters[-1]),
        replayed=replay(record).document() == document,
    )


def _shown(letter: EmailMessage) -> str:
    return f"Subject: {letter['Subject']}\n\n{plain(letter)}"
