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
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
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
from pbem.core.game import AnyOrder, AnyRules, game_of
from pbem.core.seat import Setup
from pbem.daemon import Daemon
from pbem.games import GAMES
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Clock, Game, MailFolder
from pbem.host.session.identity import Identity
from pbem.host.session.terms import Terms

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


class Player:
    """A bot with a mailbox: it reads its letters, and answers those that ask it something."""

    def __init__(self, name: str, office: Office, dice: random.Random, bot: str) -> None:
        self.name = name
        self.address = f"{name}@pbem.test"
        self.written = 0
        self.letters: list[EmailMessage] = []
        self._mailbox = office.mailbox(self.address)
        self._smtp = SMTP(office.host, office.smtp_port)
        self._dice = dice
        self._bot = game_of(GAMES, Setup()).bots[bot]

    def look(self, tag: str, server: Server) -> bool:
        """Read what has come, and answer if something is asked; was there anything?

        Bots look at the position on the server, where people read the report.
        """
        letters = list(self._mailbox.unread())
        for raw in letters:
            self.letters.append(_parsed(raw.raw))
            self._mailbox.shelve(raw, MailFolder.done)
        for order in self._orders(tag, server) if letters else ():
            self._write(self.letters[-1], order)
        return bool(letters)

    def _orders(self, tag: str, server: Server) -> Iterator[str]:
        """What the bot would write to each question that waits for it."""
        with server.games.work() as work:
            game = work.game(tag)
            if game.status != "running":
                yield from ["join"] if game.status == "inviting" else []
                return
            session = work.session(game)
            rules = session.rules
            mine = [d for d in session.pending() if d.seat == self.name]
            chosen = [self._bot(rules, session.state, d, self._dice.randrange) for d in mine]
        for order in chosen:
            if (text := _text(rules, order)) is not None:
                yield text

    def _write(self, letter: EmailMessage, words: str) -> None:
        """A reply as people write it: two lines above the quoted letter."""
        reply = EmailMessage(policy=policy.SMTP)
        reply["From"], reply["To"] = self.address, str(letter["Reply-To"])
        reply["Subject"] = f"Re: {letter['Subject']}"
        reply["Message-ID"] = make_msgid(domain="pbem.test")
        reply["In-Reply-To"] = str(letter["Message-ID"])
        quoted = "\n".join(f"> {line}" for line in _plain(letter).splitlines())
        reply.set_content(f"{words}\n\nThe adjudicator wrote:\n{quoted}\n\n-- \n{self.name}\n")
        self._smtp.send_message(reply)
        self.written += 1

    def close(self) -> None:
        self._mailbox.close()
        self._smtp.quit()


def _parsed(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=policy.default.clone(refold_source="none"))  # it is kept as it came


def _text(rules: AnyRules, order: AnyOrder) -> str | None:
    """None for what nobody can write: then the clock must run out."""
    try:
        return rules.notation.write(order)
    except ValueError:
        return None


class Company:
    """A whole game among bots, over mail servers that somebody else has started."""

    def __init__(self, office: Office, server: Server, *, players: int, bot: str = "greedy", seed: int = 1) -> None:
        dice = random.Random(seed)  # noqa: S311 - a bot's whims, no secret
        self.server = server  # another one over the same books, when the adjudicator has been started anew
        self.players = [Player(name, office, dice, bot) for name in NAMES[:players]]

    def invite(self, *, slot_hours: int = 24) -> str:
        terms = Terms(setup=Setup(), slot_hours=slot_hours)
        game = self.server.new_game(terms, [f"{p.name}={p.address}" for p in self.players])
        return game.id

    def look(self, tag: str) -> bool:
        """All look into their mailboxes; was there anything?"""
        seen = [player.look(tag, self.server) for player in self.players]
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


def play(folder: Path, *, players: int = 4, seed: int = 1, progress: Progress = lambda _: None) -> Outcome:
    """One whole game in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    clock = FastClock(int(time.time()))
    with _opened(folder, clock) as (office, server):
        mailbox, transport = office.mailbox(HOST), office.transport(HOST, clock)
        company = Company(office, server, players=players, seed=seed)
        with closing(company), closing(transport), closing(mailbox):
            tag = company.invite()
            _play_on(Daemon(server, mailbox, transport, 1.0), company, tag, clock, random.Random(seed), progress)  # noqa: S311
            server.archivist(folder / ARCHIVE).update()  # nobody looks at it earlier
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
        company.look(tag)
        if company.game(tag).status == "running":
            progress(company.state(tag))
    daemon.tick()
    company.look(tag)


def _leave(folder: Path, company: Company, tag: str) -> Outcome:
    """Write the letters and the record where the reader can look at them."""
    record = folder / f"{tag}.play"
    record.write_text(company.server.app.record(tag), encoding="utf-8")
    for player in company.players:
        _write_letters(folder / "letters" / player.name, player.letters)
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


def _write_letters(folder: Path, letters: Sequence[EmailMessage]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, letter in enumerate(letters, 1):
        (folder / f"{number:03}.eml").write_bytes(letter.as_bytes())
        html = letter.get_body(("html",))
        if html is not None:
            (folder / f"{number:03}.html").write_text(str(html.get_content()), encoding="utf-8")


def _plain(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    return str(body.get_content()) if body else ""


def _shown(letter: EmailMessage) -> str:
    return f"Subject: {letter['Subject']}\n\n{_plain(letter)}"
