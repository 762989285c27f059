"""A whole adjudicator over fakes: its players write letters and read what the daemon mails them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.adapters.store.schema import raws
from pbem.bootstrap import Server
from pbem.core.seat import Setup
from pbem.daemon import Daemon
from pbem.host.clock.timing import is_petition, timing_of
from pbem.host.housekeeping.clock_state import ClockState, clock_state
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.lobby.tickets import renewals
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import letter_job, read_job
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Game, Mail, MailTransport, Person, RawLetter, Repository, Slot, Store
from pbem.host.reporting.publish import publish
from pbem.host.session.identity import BRACKETS, Identity, Place
from pbem.host.session.terms import Terms
from pbem.mail.delivery import LEASE, Delivery
from tests.fakes import FakeClock, FakeMailbox, FakePostman, MemoryStore
from tests.service.unopened import Office

HOST = "pbem@pbem.test"
OPERATOR = "operator@pbem.test"
NAMES = ("anton", "bert", "claudia", "daniel", "emil", "fritz")
FLAGS = ("austria_hungary", "italy", "france", "great_britain", "germany", "russia")
PLAIN = 'Content-Type: text/plain; charset="utf-8"\r\nContent-Transfer-Encoding: 7bit\r\nMIME-Version: 1.0\r\n\r\n'
SHORT = 60  # characters of a line that nobody would fold
MINUTE = 60
HOUR = 3_600
DAY = 24 * HOUR
IDENTITY = Identity(key=b"a key for tests", address=HOST)


class SlowPostman(FakePostman):
    """A postman that may take his time."""

    def __init__(self) -> None:
        super().__init__()
        self.delay: Callable[[Mail], object] = lambda mail: None

    def send(self, mail: Mail) -> None:
        super().send(mail)
        self.delay(mail)


class Bureau:
    """One server and everybody who writes to it. `tick` is one round of the daemon."""

    def __init__(self, store: Store | None = None, identity: Identity = IDENTITY) -> None:
        self.identity = identity
        self.clock = FakeClock()
        self.store = store or MemoryStore()
        self.mailbox = FakeMailbox()
        self.postman = SlowPostman()
        self.letters = 0
        self.restart()

    office: type[Server] = Office  # of a `Server` each mail is worded before it goes
    policy = LobbyPolicy()
    per_minute: int | None = None  # letters to one domain
    gather_seconds = 0
    archive_url = ""
    pictures = False
    asleep = False  # does nobody look for letters between the rounds?

    def restart(self) -> None:
        """All that is only in memory is lost."""
        self.restart_with(self._server(None))

    def restart_with(self, server: Server) -> None:
        """The same with another server."""
        self.server = server
        self.daemon = Daemon(self.server, self.mailbox, self.postman, 60.0)

    def _server(self, lease: int | None) -> Server:
        host = HostIdentity(domain="pbem.test", operator=OPERATOR)
        return self.office(
            self.store,
            self.clock,
            host,
            self.identity,
            policy=self.policy,
            lease=LEASE if lease is None else lease,
            per_minute=self.per_minute,
            gather_seconds=self.gather_seconds,
            archive_url=self.archive_url,
            pictures=self.pictures,
        )

    def copy(self, *, with_sent: bool = False) -> Bureau:
        """Another one with the same books and nothing in its mailbox; only of a store in memory.

        `with_sent`: what was sent can be read there, too.
        """
        assert isinstance(self.store, MemoryStore)
        made = self.__class__(self.store.copy(), self.identity)
        made.clock.set(self.clock.now())
        made.letters = self.letters
        made.postman.sent += self.postman.sent if with_sent else []
        return made

    # -- time and rounds ---

    def tick(self, after: int = 0) -> list[Mail]:
        """Let time pass and go round once; what was sent."""
        self.clock.advance(after)
        self._poll_on()
        before = len(self.postman.sent)
        self.daemon.tick()
        return self.postman.sent[before:]

    def _poll_on(self) -> None:
        """A daemon looks for letters all the while that tests let go by, unless it sleeps or the mailbox is down."""
        if self.asleep or self.mailbox.down:
            return
        with self.store.transaction() as repository:
            polled = repository.polled()
            if polled is not None and polled < self.clock.now() - MINUTE:
                repository.set_polled(self.clock.now() - MINUTE)

    def tick_with(self, postman: MailTransport, *, lease: int | None = None) -> None:
        """A round of another daemon, that gives its mail to this postman."""
        Daemon(self._server(lease), self.mailbox, postman, 60.0).tick()

    def sender(self, postman: MailTransport) -> Delivery:
        """The part of another daemon that sends mail."""
        return self._server(None).delivery(postman)

    def at(self, instant: int) -> list[Mail]:
        """Go round once at that instant; what was sent."""
        self.clock.set(instant)
        return self.tick()

    def clock_state(self) -> ClockState:
        """What the books say against the computer's clock."""
        with self.store.transaction() as repository:
            return clock_state(repository, self.clock.now())

    # -- letters ---

    def letter(
        self,
        who: str,
        text: str,
        *,
        subject: str = "Re: [imp-1] your turn",
        id_: str = "",
        to: str = "",
        **fields: str,
    ) -> bytes:
        """A raw letter; `fields` are more headers, with _ for -."""
        self.letters += 1
        head = {
            "From": address(who),
            "To": to or self.way_back(who, subject),
            "Subject": subject,
            "Message-ID": id_ or f"<letter-{self.letters}@players.test>",
            **{field.replace("_", "-"): value for field, value in fields.items()},
        }
        return written(head, f"{text}\n")

    def way_back(self, who: str, subject: str = "[imp-1]") -> str:
        """Where somebody's letters about the game go: our address, with his token where he has one."""
        about = BRACKETS.search(subject)
        with self.store.transaction() as repository:
            person = repository.person_at(parseaddr(address(who))[1].lower())
            return self.identity.reply_to(self._ticket(repository, about[1], person)) if about and person else HOST

    def _ticket(self, repository: Repository, about: str, person: Person) -> str:
        """Of a letter that is sent now, and tells of no moment."""
        game = repository.game(about)
        place = Place(turn=0, seq=len(repository.entries(about)) - 1, serial=None)
        return self.identity.ticket(
            about,
            person,
            issued=self.clock.now(),
            place=place if game and game.status != "inviting" else None,
            renewed=renewals(repository, person, about),
        )

    def ticket(self, who: str) -> str:
        """What somebody's letters about the game hold."""
        return self.way_back(who).partition("+")[2].partition("@")[0]

    def drop(self, who: str, text: str, *, arrived: int | None = None, **more: str) -> RawLetter:
        """Put a letter into the mailbox."""
        when = self.clock.now() if arrived is None else arrived
        return self.mailbox.add(self.letter(who, text, **more), when)

    def write(self, who: str, text: str, **more: Any) -> list[Mail]:
        """Put a letter into the mailbox and go round once; what was sent."""
        self.drop(who, text, **more)
        return self.tick()

    def answers(self, who: str) -> list[Mail]:
        return [mail for mail in self.postman.to(address(who)) if mail.answers]

    def replies(self, who: str) -> list[Reply]:
        """What the answers to somebody's letters say; only of a store in memory."""
        assert isinstance(self.store, MemoryStore)
        jobs = [letter_job(read_job(row)) for row in self.store.posted(address(who), "answer.")]
        return [msgspec.convert(job.content, Reply) for job in jobs if job]

    def outcomes(self, who: str) -> list[tuple[str, str | None]]:
        """What became of each order of the last letter, with the code of a refusal."""
        return [(line.outcome, line.code) for line in self.replies(who)[-1].lines]

    @property
    def alarms(self) -> list[Mail]:
        return self.postman.to(OPERATOR)

    # -- games ---

    def open(self, players: int = 6, **terms: Any) -> None:
        """A game among the first names of `NAMES`, clockwise, with the flags in the order of `FLAGS` (six players)."""
        self.invite(players, **terms)
        for name in NAMES[:players]:
            self.write(name, "join", subject="[imp-1] you are invited")
        assert self.game.status == "running"

    def invite(self, players: int = 6, **terms: Any) -> Game:
        people = [f"{name}={address(name)}" for name in NAMES[:players]]
        return self.server.new_game(self.terms(**terms), people)

    def terms(self, **terms: Any) -> Terms:
        return Terms(**{"setup": Setup(), **terms})

    def finish(self) -> list[Mail]:
        """Let Austria-Hungary tax its way to the end; what was sent."""
        works = [f"factory {city}" for city in ("trieste", "prague", "lemberg")]
        self.given("power austria_hungary 24", "rondel austria_hungary maneuver_2", *works)
        return self.write("anton", "austria: taxation")

    def know(self, *addresses: str) -> None:
        """Somebody at these addresses has written to us before."""
        with self.store.transaction() as repository:
            for each in addresses:
                repository.add_person("", each, self.clock.now())
                (own,) = repository.addresses(repository.person_at(each).id)  # type: ignore[union-attr]
                repository.save_address(replace(own, verified=self.clock.now()))

    def given(self, *lines: str) -> list[Mail]:
        """Lay out a position, as a play file would; what was sent."""
        with self.server.games.work() as desk:
            game = desk.game("imp-1")
            session = desk.session(game)
            read = [session.parser.given(line, number) for number, line in enumerate(lines)]
            Adjudicator(session).lay_out(self.clock.now(), read)
            publish(desk, game, self.clock.now())
        return self.tick()

    @property
    def game(self) -> Game:
        with self.store.transaction() as repository:
            found = repository.game("imp-1")
        assert found is not None
        return found

    @property
    def document(self) -> dict[str, Any]:
        with self.server.games.work() as desk:
            session = desk.session(desk.game("imp-1"))
            return dict(session.document())

    @property
    def awaited(self) -> list[tuple[str, str, str | None]]:
        return [(each["seat"], each["kind"], each["nation"]) for each in self.document["awaiting"]]

    @property
    def entries(self) -> list[dict[str, Any]]:
        with self.store.transaction() as repository:
            return [json.loads(entry) for entry in repository.entries("imp-1")]

    @property
    def slots(self) -> Sequence[Slot]:
        with self.store.transaction() as repository:
            return repository.slots("imp-1")

    @property
    def slot(self) -> Slot:
        """Of the only answer that is awaited."""
        (only,) = (slot for slot in self.slots if not is_petition(slot))
        return only

    @property
    def overdue(self) -> list[str]:
        """Seats whose time others may end."""
        with self.server.games.work() as desk:
            session = desk.session(desk.game("imp-1"))
            late = {
                slot.seat
                for slot in desk.repository.slots("imp-1")
                if timing_of(session).is_overdue(slot, self.clock.now())
            }
        return sorted(late) if session.terms.policy == "on_request" else []

    @property
    def raws(self) -> set[str]:
        """The letters to us whose bytes are held; only of a store in memory."""
        assert isinstance(self.store, MemoryStore)
        return {*self.store.rows(raws)}

    @property
    def papers(self) -> list[tuple[str, str, str]]:
        with self.store.transaction() as repository:
            return [(paper.seat, paper.kind, paper.text) for paper in repository.filed("imp-1")]


def address(who: str) -> str:
    return who if "@" in who else f"{who}@players.test"


def written(head: Mapping[str, str], text: str) -> bytes:
    """A letter as the standard library makes it, which takes long; one that needs no encoding by hand."""
    letter = EmailMessage(policy=SMTP)
    if not (all(map(_is_plain, text.split("\n"))) and all(value and _is_plain(value) for value in head.values())):
        for name, value in head.items():
            letter[name] = value
        letter.set_content(text)
        return bytes(letter)
    fields = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    return (fields + PLAIN + text.replace("\n", "\r\n")).encode()


def _is_plain(line: str) -> bool:
    """Could it stand in a letter, or in one of its fields, as it is?"""
    return len(line) < SHORT and line.isascii() and line.isprintable() and line == line.strip() and "=?" not in line


def prefix(mails: Iterable[Mail]) -> list[str]:
    """Who got mail, in the order of sending."""
    return [mail.to.partition("@")[0] for mail in mails]
