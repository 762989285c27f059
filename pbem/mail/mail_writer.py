"""The mail that a row of the outbox becomes: to whom, in which thread, and with what proves an answer to be theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from pbem.host.builder.builder import MessageBuilder
from pbem.host.lobby.absences import stead_of_row
from pbem.host.lobby.moderators import presides
from pbem.host.lobby.tickets import has_begun, is_personal, renewals
from pbem.host.messages.letters import Message, SeasonNews, part
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import LetterJob, corrected, corrects, letter_job, read_job
from pbem.host.ports import Game, Mail, OutboxRow, Person
from pbem.host.reporting.calendar_events import Appointment, appointments
from pbem.host.session.budget import has_proved
from pbem.host.session.identity import Place, bare_subject
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.mail.context import Context

BRIEF = 2_000  # characters of an answer to somebody who has proved nothing
LONGEST_SUBJECT = 200  # characters of a subject that an answer keeps


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
    subject: str = ""  # of that letter, without what answers put before it
    game: str | None = None  # the tag of the game it is about
    kind: str | None = None  # the id of the game that is played there
    language: str = "en"
    zone: str = "UTC"
    appointments: Sequence[Appointment] = ()
    page: bool | None = False  # is the page to order from attached? None: where no archive is linked that has it
    corrected: bool = False  # does it tell anew what an earlier one told?
    organizer: str = ""  # of the appointments


class Unworded(Struct, frozen=True, kw_only=True):
    """What a letter tells, and how it goes."""

    content: Message
    envelope: Envelope
    is_known: bool  # is its reader somebody who has written to us?


class Renderer(Protocol):
    """Turns contents into mails."""

    pictures: bool  # does it show any?

    def mail(self, content: Message, envelope: Envelope) -> Mail: ...


class MailWriter:
    """Writes a letter of ours as it is true when it goes out."""

    def __init__(self, context: Context, renderer: Renderer) -> None:
        self._clock = context.clock
        self._host = context.host
        self._identity = context.identity
        self._renderer = renderer
        self._builder = MessageBuilder(pictures=renderer.pictures)

    def told(self, work: UnitOfWork, row: OutboxRow, now: int) -> Unworded | None:
        """The letter as it is true now; None when there is nothing to say any more. It writes nothing."""
        content = self._builder.content(work, row, now)
        if content is None:
            return None
        is_known = row.to == self._host.operator or has_proved(work.repository, row.to.lower())
        return Unworded(content=content, envelope=self._envelope(work, row, content, now), is_known=is_known)

    def worded(self, unworded: Unworded) -> Mail:
        """In the words of its reader."""
        content, envelope = unworded.content, unworded.envelope
        if unworded.is_known or not isinstance(content, Reply):
            return self._renderer.mail(content, envelope)
        return _brief(self._renderer.mail(content, replace(envelope, subject="")))

    def _envelope(self, work: UnitOfWork, row: OutboxRow, content: Message, now: int) -> Envelope:
        domain, identity, job = self._host.domain, self._identity, read_job(row)
        game, reader = work.repository.game(row.game or ""), work.repository.person_at(row.to.lower())
        letter = letter_job(job)
        ticket = self._ticket(work, row, letter, game, reader, content)
        thread = (f"<{row.game}.game@{domain}>",) if row.game else ()
        answered = self._answered(row, letter)
        return Envelope(
            message_id=f"<{row.id}@{domain}>",
            to=row.to,
            tag=identity.brackets(row.game or "pbem", ticket) if ticket else row.game or "pbem",
            reply_to=identity.reply_to(ticket) if ticket else None,
            # Whose letters may come back is known by the ticket; without one there is nobody to count for.
            returns=identity.returns(game.id, reader, now) if game and reader and ticket else None,
            in_reply_to=answered or next(iter(thread), None),
            references=(*thread, *((answered,) if answered else ())),
            answers=part(content, Reply) is not None,
            subject=_bare(letter.subject) if letter else "",
            game=row.game,
            kind=_kind(work, game, row.game),
            language=reader.language if reader else "en",
            zone=reader.zone if reader else "UTC",
            appointments=appointments(work, row, content, reader, domain, now),
            page=reader.page if reader else False,
            corrected=corrects(job),
            organizer=identity.address,
        )

    def _answered(self, row: OutboxRow, letter: LetterJob | None) -> str | None:
        """The Message-ID that the mail answers."""
        follows = letter.follows if letter else corrected(row)
        return (letter.in_reply_to if letter else None) or (f"<{follows}@{self._host.domain}>" if follows else None)

    def _ticket(
        self,
        work: UnitOfWork,
        row: OutboxRow,
        letter: LetterJob | None,
        game: Game | None,
        reader: Person | None,
        content: Message,
    ) -> str | None:
        """Whoever sits in the game or leads it, or is asked in person, gets what proves an answer to be theirs."""
        about = letter.about if letter else None
        if about and is_personal(about):
            person = work.repository.person(int(about.rpartition("-")[2]))
            once = Place(turn=0, seq=crc32(row.id.encode()) % 10**9, serial=None)  # of each letter another
            return self._identity.ticket(about, person, issued=row.created, place=once, address=row.to.lower())
        leads = game is not None and presides(game, reader, self._host.operator) is not None
        if about is None and (row.seat is not None or leads or isinstance(content, SeasonNews)):
            about = row.game
        if reader is None or about is None:
            return None
        matter = about.partition(".")[0]
        of = work.repository.game(matter)
        return self._identity.ticket(
            about,
            reader,
            issued=self._clock.now(),
            place=getattr(content, "place", None) or (_moment(work, of) if of else None),
            stead=stead_of_row(work, row, reader),
            renewed=renewals(work.repository, reader, matter),
        )


def _kind(work: UnitOfWork, game: Game | None, about: str | None) -> str | None:
    """The id of what is played there."""
    if game is not None:
        return work.games.load(game).terms.setup.game
    return work.season(about).terms.setup.game if about and work.repository.season(about) else None


def _moment(work: UnitOfWork, game: Game) -> Place | None:
    """That a letter about something else is written at; a game that has not begun has none."""
    if not has_begun(work, game):
        return None
    position = work.session(game).position
    return Place(turn=position.turn, seq=position.seq, serial=None, number=position.count.last)


def _bare(subject: str) -> str:
    """What programs thread by: without our brackets, and without what stands before the subject of an answer."""
    return bare_subject(subject)[:LONGEST_SUBJECT]


def _brief(mail: Mail) -> Mail:
    """Of an answer to whoever may never have written to us: nobody shall have us send much to a third."""
    text = mail.text if len(mail.text) <= BRIEF else mail.text[:BRIEF].rpartition("\n")[0] + "\n…\n"
    return replace(mail, text=text, html=None, attachments=())
