"""A look from outside at the daemon's round: is the mailbox still read, does mail still go out?

What is out of reach is told elsewhere (`outages`). Here it is whether the round itself comes by: it may hang inside one
call, or meet a fault each time. The books may be locked then and the outbox is not emptied, so the alarm goes out by a
transport of its own.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pbem.host.calendar.zones import utc
from pbem.host.housekeeping.outage import Outage
from pbem.host.messages.alarms import Relief, Sentence, Trouble
from pbem.host.messages.letters import Alarm
from pbem.host.ports import Conflict, MailTransport, PostDown, StoreDown, Undelivered
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.mail.context import Context
from pbem.mail.mail_writer import Envelope, Renderer

PATIENCE = 1_800  # seconds without a part of the round, after which the operator is told


class Part(StrEnum):
    """What each round must do."""

    poll = "poll"
    delivery = "delivery"


MISSED = {Part.poll: Trouble.poll, Part.delivery: Trouble.delivery}
ADVICE = "The daemon hangs, or meets a fault in each round; its log tells more. A restart loses nothing."


class Watchdog:
    """Is told of each part of a round that is done, and tells the operator once when one stays away."""

    def __init__(
        self, context: Context, transport: MailTransport, renderer: Renderer, *, patience: float = PATIENCE
    ) -> None:
        self._context = context
        self._transport = transport
        self._renderer = renderer
        self._patience = patience
        self._done = dict.fromkeys(Part, context.watch())
        self._told = False
        self._is_noted: bool | None = None  # in the books; None: nobody has looked

    def done(self, part: Part) -> None:
        """This part of a round is over, and well."""
        self._done[part] = self._context.watch()

    def look(self) -> None:
        """Cheap; called from a thread of its own, now and then."""
        missed = {part: late for part in Part if (late := self._context.watch() - self._done[part]) > self._patience}
        if bool(missed) != self._is_noted:
            self._note(missed)
        if missed and not self._told:
            now = self._context.clock.now()
            words = " ".join(MISSED[part].say(since=utc(now - late)) for part, late in missed.items())
            self._context.log.warning("the round stays away: %s %s", words, ADVICE)
            self._told = self._tell(Sentence(words), ADVICE)
        elif self._told and not missed:
            self._told = not self._tell(Relief.rounds.say(), "")

    def _note(self, missed: dict[Part, float]) -> None:
        since = self._context.clock.now() - int(max(missed.values())) if missed else None
        try:
            self._context.games.do(lambda work: _set_down(work, since))
        except (Conflict, StoreDown):  # perhaps the round holds them
            return
        self._is_noted = bool(missed)

    def _tell(self, what: Sentence, detail: str) -> bool:
        """Was the mail handed over?"""
        now, host = self._context.clock.now(), self._context.host
        id_ = f"<alarm.{Outage.rounds}.{now}@{host.domain}>"
        alarm: Any = Alarm(what=what, detail=detail)
        try:
            self._transport.send(self._renderer.mail(alarm, Envelope(message_id=id_, to=host.operator, tag="pbem")))
        except (PostDown, Undelivered) as problem:
            self._context.log.warning("the alarm can't be sent: %s", problem)
            return False
        return True


def _set_down(work: UnitOfWork, since: int | None) -> None:
    name = f"{Outage.rounds}.down"
    if work.repository.mark(name) != since:
        work.repository.set_mark(name, since)
