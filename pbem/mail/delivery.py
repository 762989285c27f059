"""Delivers the outbox: each row is rendered when it goes out, and no lock is held while a server is talked to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from zlib import crc32

from msgspec.structs import replace

from pbem.host.builder.builder import MessageBuilder, reader_of
from pbem.host.clock.reminders import queue_reminders
from pbem.host.clock.slots import LATE_NOTICE, start_slots
from pbem.host.clock.timing import timing_of
from pbem.host.housekeeping.outages import Outage, Outages
from pbem.host.lobby.deputies import stead_of_row
from pbem.host.lobby.moderators import presides
from pbem.host.lobby.tickets import has_begun, is_personal, renewals
from pbem.host.messages import Message, Reply, Report
from pbem.host.messages.alarms import Sentence, Trouble
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.messages.rows import (
    DIGEST,
    Job,
    LetterJob,
    Starter,
    alarm,
    alarms,
    corrects,
    post,
    read_job,
    starts_of,
)
from pbem.host.ports import (
    Clock,
    Conflict,
    Game,
    Log,
    Mail,
    MailTransport,
    OutboxRow,
    Person,
    PostDown,
    Repository,
    Stopwatch,
    StoreDown,
    Undelivered,
)
from pbem.host.reporting.calendar_events import Appointment, appointments
from pbem.host.reporting.preferences import having_told
from pbem.host.session.identity import Identity, Place
from pbem.host.session.unit_of_work import Games, UnitOfWork
from pbem.mail.bounces import failed
from pbem.mail.throttle import Pace

LEASE = 300  # seconds for which a row is ours once it is claimed; longer than a server may take for one mail
WORRYING = 8  # temporary failures of one row, some four hours of them, before the operator hears of it
GIVE_UP = 125  # temporary failures of one row: five days of them
BUDGET = 30  # seconds of one round; then letters to us and clocks have their turn
SLOW = 20  # seconds for one letter, after which the server is called slow
PATIENCE = 3  # failures in a row after which we look for letters first
BRIEF = 2_000  # characters of an answer to somebody who has proved nothing
FIRST_PAUSE, LONGEST_PAUSE = 60, 3_600  # seconds between attempts; doubled from the first to the longest


class Renderer(Protocol):
    """Turns contents into mails."""

    pictures: bool  # does it show any?

    def mail(
        self,
        content: Message,
        *,
        message_id: str,
        to: str,
        tag: str,
        reply_to: str | None = None,
        returns: str | None = None,
        in_reply_to: str | None = None,
        references: tuple[str, ...] = (),
        answers: bool = False,
        game: str | None = None,
        kind: str | None = None,
        language: str = "en",
        zone: str = "UTC",
        appointments: Sequence[Appointment] = (),
        corrected: bool = False,
        organizer: str = "",
    ) -> Mail: ...


class Delivery:
    """Takes rows from the outbox to the postman."""

    def __init__(
        self,
        games: Games,
        postman: MailTransport,
        pages: Renderer,
        clock: Clock,
        letterhead: HostIdentity,
        identity: Identity,
        log: Log,
        watch: Stopwatch,
        *,
        lease: int = LEASE,
        per_minute: int | None = None,
    ) -> None:
        self._games = games
        self._identity = identity
        self._postman = postman
        self._pages = pages
        self._clock = clock
        self._letterhead = letterhead
        self._log = log
        self._watch = watch
        self._lease = lease
        self._pace = Pace(per_minute)
        self._outages = Outages(games, clock, letterhead.operator, log)
        self._composer = MessageBuilder(games, pictures=pages.pictures)
        self._failures = 0  # of the server, in a row
        self._hung = 0  # letters in a row over which the server took long, and then did not take them
        self._reason = ""  # of the last letter that was not taken
        self._rests_until = 0  # the server was not to be had: nothing is tried before

    def next_instant(self) -> int | None:
        """When there is something to deliver next."""
        with self._games.store.transaction() as books:
            due = books.next_post()
        return None if due is None else max(due, self._rests_until)

    def deliver(self) -> int:
        """Hand over what is due now, unless the server is not to be had; returns how many rows were settled.

        What can't be handed over within the budget of one round waits for the next.
        """
        settled = failures = 0
        end = self._clock.now() + BUDGET
        while failures < PATIENCE and self._clock.now() < end and (row := self._claim()) is not None:
            if self._deliver(row):
                settled, failures = settled + 1, 0
            else:
                failures += 1
        if failures >= PATIENCE and not settled:
            self._outages.down(Outage.post, self._reason)
        return settled

    def _rests(self, now: int) -> bool:
        """For an hour at most, even if the clock was put back meanwhile."""
        return now < self._rests_until <= now + LONGEST_PAUSE

    def _claim(self) -> OutboxRow | None:
        """One row at a time, so that no lease runs out while others are being sent."""
        while not self._rests(now := self._clock.now()):
            rows = self._games.do(lambda desk: desk.books.claim(now, now + self._lease, limit=1))
            row = next(iter(rows), None)
            if row is None or self._pace.earliest(row.to, now) == now:
                return row
            self._put_back(row, self._pace.earliest(row.to, now))
        return None

    def _put_back(self, row: OutboxRow, due: int) -> None:
        self._games.do(lambda desk: desk.books.put_back(row.id, due))

    def _deliver(self, row: OutboxRow) -> bool:
        """Is the row settled, one way or the other?"""
        composed = self._clock.now()
        is_settled = self._hand_over(row, composed)
        took = self._clock.now() - composed
        if took < SLOW:
            self._outages.up(Outage.slow)
        else:
            self._outages.down(Outage.slow, f"{took} seconds for one letter")
        self._hung = 0 if is_settled or took < SLOW else self._hung + 1
        if self._hung >= PATIENCE:
            self._outages.down(Outage.post, self._reason)
        return is_settled

    def _hand_over(self, row: OutboxRow, composed: int) -> bool:
        began = self._watch()
        try:
            content, mail = self._written(row, composed)
            if mail is not None:
                self._send(mail)
        except (Conflict, StoreDown):
            raise
        except PostDown as down:
            self._rest(row, str(down))
            return False
        except Undelivered as failure:
            reason, permanent = str(failure), failure.permanent
            self._games.do(lambda desk: self._failed(desk, row, reason, permanent=permanent))
            return permanent
        except Exception as fault:  # noqa: BLE001 - one letter that can't be worded never stops the others
            self._log.exception("letter %s could not be written", row.id)
            reason = repr(fault)
            self._games.do(lambda desk: self._stuck(desk, row, reason))
            return False
        self._settle(row, content, composed)
        if mail is not None:
            self._outages.up(Outage.post)
            facts = {"row": row.id, "game": row.game, "seconds": round(self._watch() - began, 4)}
            self._log.info("letter handed over", extra=facts)
        return True

    def _send(self, mail: Mail) -> None:
        self._pace.note(mail.to, self._clock.now())
        self._postman.send(mail)
        self._failures = 0

    def _rest(self, row: OutboxRow, reason: str) -> None:
        """The server is not to be had, which is no fault of the row."""
        self._rests_until = self._clock.now() + pause(self._failures)
        self._failures += 1
        self._put_back(row, row.due)
        self._outages.down(Outage.post, reason)

    def _written(self, row: OutboxRow, now: int) -> tuple[Message | None, Mail | None]:
        """The letter as it is true now; None when there is nothing to say any more."""
        with self._games.work() as desk:
            content = self._composer.content(desk, row, now)
            reader = _reader(desk.books, row)
            is_known = row.to == self._letterhead.operator or _has_proved(desk.books, reader, row.to)
            presides_over = bool(row.game) and self._presides(desk, row, reader)
            noted = appointments(desk, row, content, reader, self._letterhead.domain, now) if content else ()
            job = read_job(row)
            kind = self._kind(desk, row)
            ticket = self._ticket(desk, row, job, reader, content, presides_over) if content else None
        if content is None:
            return None, None
        in_reply_to = self._answered(job)
        root = f"<{row.game}.game@{self._letterhead.domain}>"
        thread = (root,) if row.game else ()
        mail = self._pages.mail(
            content,
            message_id=f"<{row.id}@{self._letterhead.domain}>",
            to=row.to,
            tag=self._identity.brackets(row.game or "pbem", ticket) if ticket else row.game or "pbem",
            reply_to=self._identity.reply_to(ticket) if ticket else None,
            returns=self._returns(row, reader, ticket, now),
            in_reply_to=in_reply_to or (thread[0] if thread else None),
            references=(*thread, *((in_reply_to,) if in_reply_to else ())),
            answers=isinstance(content, Reply),
            game=row.game,
            kind=kind,
            language=reader.language if reader else "en",
            zone=reader.zone if reader else "UTC",
            appointments=noted,
            corrected=corrects(job),
            organizer=self._identity.address,
        )
        return content, mail if is_known or not isinstance(content, Reply) else _brief(mail)

    def _answered(self, job: Job) -> str | None:
        """The Message-ID that the mail answers."""
        if not isinstance(job, LetterJob):
            return None
        return job.in_reply_to or (f"<{job.follows}@{self._letterhead.domain}>" if job.follows else None)

    def _kind(self, desk: UnitOfWork, row: OutboxRow) -> str | None:
        """The id of the game that is played there."""
        game = desk.books.game(row.game or "")
        return self._games.table(game).terms.setup.game if game else None

    def _presides(self, desk: UnitOfWork, row: OutboxRow, reader: Person | None) -> bool:
        game = desk.books.game(row.game or "")
        return game is not None and presides(game, reader, self._letterhead.operator) is not None

    def _ticket(
        self, desk: UnitOfWork, row: OutboxRow, job: Job, reader: Person | None, content: Message, presides_over: bool
    ) -> str | None:
        """Whoever sits in the game or leads it, or is asked in person, gets what proves an answer to be theirs."""
        about = job.about if isinstance(job, LetterJob) else None
        if about and is_personal(about):
            person = desk.books.person(int(about.rpartition("-")[2]))
            once = Place(turn=0, seq=crc32(row.id.encode()) % 10**9, serial=None)  # of each letter another
            return self._identity.ticket(about, person, issued=row.created, place=once, address=row.to.lower())
        if about is None and (row.seat is not None or presides_over):
            about = row.game
        if reader is None or about is None:
            return None
        game = desk.books.game(about.partition(".")[0])
        return self._identity.ticket(
            about,
            reader,
            issued=self._clock.now(),
            place=getattr(content, "place", None) or (_moment(desk, game) if game else None),
            stead=stead_of_row(desk, row, reader),
            renewed=renewals(desk.books, reader, game.id) if game else 0,
        )

    def _returns(self, row: OutboxRow, reader: Person | None, ticket: str | None, now: int) -> str | None:
        """Whose letters may come back is known by the ticket; without one there is nobody to count for."""
        return self._identity.returns(row.game, reader, now) if row.game and reader and ticket else None

    def _settle(self, row: OutboxRow, content: Message | None, composed: int) -> None:
        """What is out is out: it must not be sent again and again because what comes of it meets a fault of ours."""
        try:
            self._games.do(lambda desk: self._note_sent(desk, row, content, composed))
        except (Conflict, StoreDown):
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, the next letter waits
            self._log.exception("letter %s went out, and what begins with it could not be noted", row.id)
            reason = repr(fault)
            self._games.do(lambda desk: self._note_fault(desk, row, reason))

    def _note_sent(self, desk: UnitOfWork, row: OutboxRow, content: Message | None, composed: int) -> None:
        now = self._clock.now()
        if content is None:
            desk.books.put_away(row.id)
        else:
            desk.books.delivered(row.id, now)
        if row.kind == DIGEST and isinstance(content, Report):
            desk.books.save_game(_having_told(desk, row, content))
        if self._start(desk, row, now) and content is not None and now - composed > LATE_NOTICE:
            self._correct(desk.books, row, now)

    def _note_fault(self, desk: UnitOfWork, row: OutboxRow, reason: str) -> None:
        desk.books.delivered(row.id, self._clock.now())
        self._alarm(desk, row, Trouble.unnoted.say(to=row.to), reason, "unnoted")

    def _start(self, desk: UnitOfWork, row: OutboxRow, now: int) -> bool:
        """Does any time begin with it?"""
        keys = starts_of(read_job(row))
        if not keys or not row.game:
            return False
        game = desk.game(row.game)
        session = desk.session(game)
        started = start_slots(session, keys, now)
        queue_reminders(desk.books, game, timing_of(session), started, now)
        return bool(started)

    def _correct(self, books: Repository, row: OutboxRow, now: int) -> None:
        """The deadline that was printed is too early: tell the one that is true now, however long that takes."""
        job = read_job(row)
        if isinstance(job, Starter):
            told = replace(job, corrects=True)
            books.post([post(f"{row.id}.again", row.to, told, now=now, game=row.game, seat=row.seat)])

    # -- failures ---

    def _failed(self, desk: UnitOfWork, row: OutboxRow, reason: str, *, permanent: bool) -> None:
        """After five days a letter is given up (RFC 5321 section 4.5.4.1)."""
        now, self._reason = self._clock.now(), reason
        if not permanent and row.attempts < GIVE_UP:
            desk.books.postpone(row.id, now + pause(row.attempts))
            if row.attempts == WORRYING:
                self._worry(desk, row, reason)
            return
        desk.books.bury(row.id, reason)
        self._start(desk, row, now)  # the clock runs on: nobody can hold a game up by refusing mail
        counted = str(failed(desk.books, row.to)) if permanent else ""
        self._alarm(desk, row, Trouble.dead.say(to=row.to), f"{reason} {counted}".rstrip())

    def _worry(self, desk: UnitOfWork, row: OutboxRow, reason: str) -> None:
        """One alarm for all who are with the same mail host, and none while no mail goes out at all."""
        if self._concerns_player(row) and not self._outages.is_worrying(desk, Outage.post):
            domain = row.to.rpartition("@")[2].lower()
            what = Trouble.waiting.say(to=row.to, domain=domain)
            self._outages.tell(desk, f"waiting.{domain}", what, f"{row.id}: {reason}")

    def _stuck(self, desk: UnitOfWork, row: OutboxRow, fault: str) -> None:
        """A fault of ours: it is tried again, for it may have been mended meanwhile."""
        desk.books.postpone(row.id, self._clock.now() + pause(row.attempts))
        if row.attempts == 0:
            self._alarm(desk, row, Trouble.unwritten.say(to=row.to), fault, "stuck")

    def _alarm(self, desk: UnitOfWork, row: OutboxRow, what: Sentence, detail: str, why: str = "dead") -> None:
        if not self._concerns_player(row):
            return
        to, now, about, told = self._letterhead.operator, self._clock.now(), f"{row.id}.{why}", f"{row.id}: {detail}"
        game = desk.books.game(row.game or "")
        if game and why == "dead":
            desk.books.post(alarms(game, what, told, about=about, operator=to, now=now))
        else:
            desk.books.post([alarm(what, told, about=about, to=to, now=now)])

    def _concerns_player(self, row: OutboxRow) -> bool:
        """The operator can't be told of letters to himself, and strangers are many."""
        return row.seat is not None and row.to != self._letterhead.operator


def _moment(desk: UnitOfWork, game: Game) -> Place | None:
    """That a letter about something else is written at; a game that has not begun has none."""
    if not has_begun(desk, game):
        return None
    position = desk.session(game).position
    return Place(turn=position.turn, seq=position.seq, serial=None)


def _reader(books: Repository, row: OutboxRow) -> Person | None:
    """The person whom a row goes to."""
    return books.person_at(row.to.lower())


def _having_told(desk: UnitOfWork, row: OutboxRow, report: Report) -> Game:
    game = desk.game(report.game)
    member = reader_of(desk, game, row)
    return having_told(game, member, report.place.seq) if member else game


def _has_proved(books: Repository, reader: Person | None, address: str) -> bool:
    """Has a letter ever come from there that proved whose it was?"""
    mine = books.addresses(reader.id) if reader else ()
    return any(each.address == address.lower() and each.verified is not None for each in mine)


def _brief(mail: Mail) -> Mail:
    """Of an answer to whoever may never have written to us: nobody shall have us send much to a third."""
    text = mail.text if len(mail.text) <= BRIEF else mail.text[:BRIEF].rpartition("\n")[0] + "\n…\n"
    return replace(mail, text=text, html=None, attachments=())


def pause(attempts: int) -> int:
    """Seconds to wait after so many attempts before this one."""
    return int(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempts, 10)))
