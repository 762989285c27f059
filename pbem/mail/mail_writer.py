"""The mail that a row of the outbox becomes: to whom, in which thread, and with what proves an answer to be theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from pbem.host.builder.builder import MessageBuilder
from pbem.host.lobby.deputies import stead_of_row
from pbem.host.lobby.moderators import presides
from pbem.host.lobby.tickets import has_begun, is_personal, renewals
from pbem.host.messages.letters import Message
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import Job, LetterJob, corrects, read_job
from pbem.host.ports import Game, Mail, OutboxRow, Person, Repository
from pbem.host.reporting.calendar_events import Appointment, appointments
from pbem.host.session.identity import Place
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.mail.context import Context

BRIEF = 2_000  # characters of an answer to somebody who has proved nothing


class Envelope(Struct, frozen=True, kw_only=True):
    """To whom a mail goes, in which thread, with what proves an answer to be theirs, and how its reader is told it."""

    message_id: str  # with angle brackets
    to: str
    tag: str  # what stands in the brackets of the subject
    reply_to: str | None = None  # another address for answers than the sender's
    returns: str | None = None  # the tag of the address it comes back to when it can't be delivered
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    answers: bool = False  # is it an answer to one letter?
    game: str | None = None  # the tag of the game it is about
    kind: str | None = None  # the id of the game that is played there
    language: str = "en"
    zone: str = "UTC"
    appointments: Sequence[Appointment] = ()
    corrected: bool = False  # does it tell anew what an earlier one told?
    organizer: str = ""  # of the appointments


class Renderer(Protocol):
    """Turns contents into mails."""

    pictures: bool  # does it show any?

    def mail(self, content: Message, envelope: Envelope) -> Mail: ...


class MailWriter:
    """Writes a letter of ours as it is true when it goes out."""

    def __init__(self, context: Context, renderer: Renderer) -> None:
        self._games = context.games
        self._clock = context.clock
        self._host = context.host
        self._identity = context.identity
        self._renderer = renderer
        self._builder = MessageBuilder(pictures=renderer.pictures)

    def written(self, row: OutboxRow, now: int) -> tuple[Message | None, Mail | None]:
        """The letter as it is true now; None when there is nothing to say any more."""
        with self._games.work() as work:
            content = self._builder.content(work, row, now)
            reader = work.repository.person_at(row.to.lower())
            is_known = row.to == self._host.operator or _has_proved(work.repository, reader, row.to)
            presides_over = bool(row.game) and self._presides(work, row, reader)
            noted = appointments(work, row, content, reader, self._host.domain, now) if content else ()
            job = read_job(row)
            kind = self._kind(work, row)
            ticket = self._ticket(work, row, job, reader, content, presides_over) if content else None
        if content is None:
            return None, None
        in_reply_to = self._answered(job)
        root = f"<{row.game}.game@{self._host.domain}>"
        thread = (root,) if row.game else ()
        envelope = Envelope(
            message_id=f"<{row.id}@{self._host.domain}>",
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
        mail = self._renderer.mail(content, envelope)
        return content, mail if is_known or not isinstance(content, Reply) else _brief(mail)

    def _answered(self, job: Job) -> str | None:
        """The Message-ID that the mail answers."""
        if not isinstance(job, LetterJob):
            return None
        return job.in_reply_to or (f"<{job.follows}@{self._host.domain}>" if job.follows else None)

    def _kind(self, work: UnitOfWork, row: OutboxRow) -> str | None:
        """The id of the game that is played there."""
        game = work.repository.game(row.game or "")
        return self._games.load(game).terms.setup.game if game else None

    def _presides(self, work: UnitOfWork, row: OutboxRow, reader: Person | None) -> bool:
        game = work.repository.game(row.game or "")
        return game is not None and presides(game, reader, self._host.operator) is not None

    def _ticket(
        self, work: UnitOfWork, row: OutboxRow, job: Job, reader: Person | None, content: Message, presides_over: bool
    ) -> str | None:
        """Whoever sits in the game or leads it, or is asked in person, gets what proves an answer to be theirs."""
        about = job.about if isinstance(job, LetterJob) else None
        if about and is_personal(about):
            person = work.repository.person(int(about.rpartition("-")[2]))
            once = Place(turn=0, seq=crc32(row.id.encode()) % 10**9, serial=None)  # of each letter another
            return self._identity.ticket(about, person, issued=row.created, place=once, address=row.to.lower())
        if about is None and (row.seat is not None or presides_over):
            about = row.game
        if reader is None or about is None:
            return None
        game = work.repository.game(about.partition(".")[0])
        return self._identity.ticket(
            about,
            reader,
            issued=self._clock.now(),
            place=getattr(content, "place", None) or (_moment(work, game) if game else None),
            stead=stead_of_row(work, row, reader),
            renewed=renewals(work.repository, reader, game.id) if game else 0,
        )

    def _returns(self, row: OutboxRow, reader: Person | None, ticket: str | None, now: int) -> str | None:
        """Whose letters may come back is known by the ticket; without one there is nobody to count for."""
        return self._identity.returns(row.game, reader, now) if row.game and reader and ticket else None


def _moment(work: UnitOfWork, game: Game) -> Place | None:
    """That a letter about something else is written at; a game that has not begun has none."""
    if not has_begun(work, game):
        return None
    position = work.session(game).position
    return Place(turn=position.turn, seq=position.seq, serial=None)


def _has_proved(repository: Repository, reader: Person | None, address: str) -> bool:
    """Has a letter ever come from there that proved whose it was?"""
    mine = repository.addresses(reader.id) if reader else ()
    return any(each.address == address.lower() and each.verified is not None for each in mine)


def _brief(mail: Mail) -> Mail:
    """Of an answer to whoever may never have written to us: nobody shall have us send much to a third."""
    text = mail.text if len(mail.text) <= BRIEF else mail.text[:BRIEF].rpartition("\n")[0] + "\n…\n"
    return replace(mail, text=text, html=None, attachments=())
