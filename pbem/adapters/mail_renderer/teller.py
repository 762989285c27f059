"""What several kinds of letters tell, in the words of one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from pbem.core.choice import Step, counted, single
from pbem.core.presenter import Event, Facts, Presenter, Tables, View
from pbem.core.seat import Setup
from pbem.host.messages import letters, parts, sections
from pbem.render.wording import Wording

Asking = letters.Report | letters.Opening | letters.Question | letters.Notice | letters.Substitute | letters.Tally


MANY = 12  # choices; more would push what follows off a phone's first screens


class Way(Struct, frozen=True, kw_only=True):
    """An answer that is whole."""

    keys: Sequence[str]  # of what is chosen in it
    last: str  # the text of the last of that
    text: str


class Asked(Struct, frozen=True, kw_only=True, dict=True):
    """A question to the reader, with what they could answer."""

    awaited: parts.Awaited
    facts: Facts | None = None  # what the game says about it
    examples: Sequence[str] = ()
    standing: str | None = None  # how to answer such a question in advance
    choices: Step | None = None

    @cached_property
    def ways(self) -> Sequence[Way]:
        """Whole answers that one choice at each step gives."""
        found = single(self.choices) if self.choices else ()
        return [Way(keys=[one.key for one in chosen], last=chosen[-1].text, text=text) for chosen, text in found]

    @cached_property
    def lines(self) -> Mapping[str, str]:
        """The examples, by the key of the choice that each begins with."""
        of = sorted(self.choices.of if self.choices else (), key=lambda choice: -len(choice.text))
        begun = {text: next((one.key for one in of if text.startswith(one.text)), "") for text in self.examples}
        return {key: text for text, key in begun.items()}

    @property
    def is_long(self) -> bool:
        """Should the board stand before its choices?"""
        return self.choices is not None and counted(self.choices) > MANY

    @property
    def form(self) -> bool:
        """Do lines of an example wait as comments?"""
        return any("#" in example for example in self.examples)


class Headed(Struct, frozen=True, kw_only=True):
    """A turn that is over, with the line that names it."""

    headline: str
    turn: parts.TurnReport


class Teller:
    """Says what a game shows."""

    def __init__(self, presenter: Presenter, wording: Wording) -> None:
        self.presenter = presenter
        self.wording = wording
        self.say = wording.say

    # -- turns ---

    def headline(self, events: Sequence[Event], number: int) -> str:
        """What names a turn, of that round."""
        told = self.presenter.headline(events)
        if told is None:
            return self.say("subjects.report_plain", round=number)
        return self.say("subjects.report", round=number, **told)

    def turns(self, turns: Sequence[parts.TurnReport]) -> list[Headed]:
        return [Headed(headline=self.headline(turn.events, turn.round), turn=turn) for turn in turns]

    def headlines(self, told: Sequence[Headed]) -> str:
        """What names several turns together."""
        if len(told) == 1:
            return told[0].headline
        rounds = [each.turn.round for each in told]
        return self.say("subjects.reports", count=len(told), first=rounds[0], last=rounds[-1])

    def news(self, events: Sequence[Event]) -> list[Event]:
        return [event for event in self.told_openly(events) if self.wording.event(event)]

    def told_openly(self, events: Sequence[Event]) -> list[Event]:
        return [event for event in events if not self.wording.is_secret(event)]

    def late(self, late: Mapping[str, int]) -> list[str]:
        return [self.say("says.late_of", seat=seat, late=count) for seat, count in late.items()]

    def deed(self, deed: sections.Deed) -> list[str]:
        """What was done, what was said with it, and why."""
        act, say = deed.act, self.say
        who = self.wording.actor(str(act["by"]))
        if deed.kind == "paused":
            told = [f"{who}:", say("says.halt_from", start=act["start"], end=act["end"])]
        elif deed.kind == "resumed":
            told = [say("says.halt_over", who=who, cause=act.get("cause"), start=act["at"])]
        else:
            lines = "; ".join(act.get("lines", ()))
            told = [say(f"acts.{deed.kind}", **act, who=who), act.get("text", ""), f"{lines}." if lines else ""]
        return [*filter(None, [*told, say("says.why", why=act["why"]) if act.get("why") else ""])]

    # -- positions ---

    def position(self, view: View, before: View | None) -> dict[str, Any]:
        return {"tables": self.presenter.tables(view, before)}

    def changed(self, view: View | None, other: View | None) -> Tables:
        """The rows of a position that are different in another one."""
        if view is None or other is None:
            return {}
        rows, others = self.presenter.tables(view, None), self.presenter.tables(other, None)
        return {kind: [row for row in rows[kind] if row not in others[kind]] for kind in rows}

    def options(self, rules: sections.RulesInForce | letters.Opening) -> Sequence[tuple[str, str, bool]]:
        setup = Setup(edition=rules.edition, board=rules.board, setup=rules.setup, options=rules.options)
        return self.presenter.options(setup)

    # -- questions ---

    def asks(self, letter: Asking) -> dict[str, Any]:
        """The reader's own questions, and what the others are asked."""
        own = [a for a in letter.awaited if a.seat == letter.seat and not a.bot]
        told: list[parts.Asks | None] = [*letter.questions]
        told = told if len(told) == len(own) else [None] * len(own)
        asked = [self.asked(a, t, alone=len(own) == 1) for a, t in zip(own, told, strict=True)]
        return {"asked": asked, "others": [a for a in letter.awaited if a.seat != letter.seat or a.bot]}

    def asked(self, awaited: parts.Awaited, told: parts.Asks | None, *, alone: bool = False) -> Asked:
        """A question; `alone` when its reader is asked nothing else."""
        if told is None:
            return Asked(awaited=awaited)
        return Asked(
            awaited=awaited,
            facts=told.facts,
            examples=self.presenter.examples(told.facts, alone=alone),
            standing=self.presenter.standing_example(told.facts),
            choices=told.choices,
        )

    def short(self, awaited: parts.Awaited) -> str:
        return self.say(f"questions.{awaited.kind}.short", about=awaited.about)

    def question(self, turn: int, asked: Sequence[Asked]) -> str:
        """What names one or several questions of a turn."""
        return self.say("subjects.turn", turn=turn, subject=self._question(*asked))

    def _question(self, first: Asked, *more: Asked) -> str:
        if first.facts is None:
            return self.short(first.awaited)
        about = {"about": first.awaited.about, **first.facts}
        subject = self.say(f"questions.{first.awaited.kind}.subject", **about)
        return self.say("subjects.more", first=subject, count=len(more)) if more else subject
