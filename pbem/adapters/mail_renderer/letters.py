"""How each kind of letter is worded: a class for each that is more than its message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from pbem.adapters.mail_renderer.letter import Letter, fellows, for_another
from pbem.adapters.mail_renderer.position_letters import (
    Final,
    Notice,
    Offer,
    Opening,
    Question,
    Report,
    Substitute,
)
from pbem.adapters.mail_renderer.sections import WELCOME, section, told_alone
from pbem.adapters.mail_renderer.teller import Asked
from pbem.core.decision import TURN
from pbem.host.messages import letters, replies

ROOM = 12_000  # bytes of text for the answers to the questions of one letter; in HTML they are some three times as long
TROUBLE = ("refused", "held", "unsent", "unused")  # outcomes that a writer should look at


class _Reply(Letter[replies.Reply]):
    def facts(self) -> dict[str, Any]:
        """What became of a letter, and what its writer may wait for."""
        reply = self.content
        told = self._with_room()
        asked = [Asked(awaited=a) for a in reply.awaited if a.seat == reply.seat]
        return {
            "told": told,
            "more_told": len(reply.told) - len(told),
            "well": self._is_well(),
            "orders": [line for line in reply.lines if line.outcome != "passed"],
            "passed": [line for line in reply.lines if line.outcome == "passed"],
            "stopped": any(line.outcome in ("held", "unsent") and line.code is None for line in reply.lines),
            "asked": asked,
            "others": [a for a in reply.awaited if a.seat != reply.seat],
            "draft": any(a.awaited.kind == TURN for a in asked) and _has_draft(reply),
            "under_way": bool(reply.awaited),
        }

    def _with_room(self) -> Sequence[Mapping[str, Any]]:
        """The first answers, as many as one letter has room for; that is one at least."""
        told = [section(part, self.teller) for part in self.content.told]
        if len(told) < 2:
            return told
        sizes = accumulate(len(told_alone(each, self.teller).encode()) for each in told)
        return told[: max(1, sum(size <= ROOM for size in sizes))]

    def _is_well(self) -> bool:
        problem = self.content.problem is not None and self.content.problem not in WELCOME
        return not problem and all(line.outcome not in TROUBLE for line in self.content.lines)


class _Press(Letter[letters.Press]):
    def facts(self) -> dict[str, Any]:
        return {"others": [seat for seat in self.content.said.to if seat != self.content.seat]}


class _Reminder(Letter[letters.Reminder]):
    def facts(self) -> dict[str, Any]:
        return {"draft": self.content.awaited.kind == TURN and _has_draft(self.content)}

    def subject(self, facts: Mapping[str, Any]) -> str:
        time = self.say("time.hours", count=self.content.hours)
        subject = self.say("subjects.reminder", time=time, about=self.teller.short(self.content.awaited))
        return for_another(self.content, subject, self.teller)


class _Overdue(Letter[letters.Overdue]):
    def facts(self) -> dict[str, Any]:
        return {"about": self.teller.short(self.content.awaited)}


class _Invitation(Letter[letters.Invitation]):
    def facts(self) -> dict[str, Any]:
        return {"fellows": fellows(self.content)}


class _Halt(Letter[letters.Halt]):
    def facts(self) -> dict[str, Any]:
        still = [one for one in self.content.goes_on if one.start <= self.content.start]
        return {"who": self.teller.wording.actor(self.content.by), "still": still}


class _Nomination(Letter[letters.Nomination]):
    def facts(self) -> dict[str, Any]:
        return {"who": self.teller.wording.actor(self.content.by)}


def _has_draft(letter: replies.Reply | letters.Reminder) -> bool:
    return any(filed.kind == "draft" for filed in letter.on_file)


LETTERS: Mapping[type, type[Letter[Any]]] = {  # the others need nothing but their message
    letters.Opening: Opening,
    letters.Report: Report,
    letters.Question: Question,
    letters.Final: Final,
    letters.Substitute: Substitute,
    letters.Offer: Offer,
    letters.Notice: Notice,
    replies.Reply: _Reply,
    letters.Press: _Press,
    letters.Reminder: _Reminder,
    letters.Overdue: _Overdue,
    letters.Invitation: _Invitation,
    letters.Halt: _Halt,
    letters.Nomination: _Nomination,
}
