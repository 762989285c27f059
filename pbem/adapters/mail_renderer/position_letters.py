"""Letters that tell where a game stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.adapters.mail_renderer.letter import Letter, Online, Scene, fellows, for_another
from pbem.adapters.mail_renderer.teller import Teller
from pbem.core.presenter import Event, View
from pbem.host.messages import letters
from pbem.host.ports import Attachment

# -- what tells a game ---


class Opening(Letter[letters.Opening]):
    def facts(self) -> dict[str, Any]:
        letter, after = self.content, self.content.after
        fellows = [seat for seat in after["players"] if seat != letter.seat]
        return {**self.teller.asks(letter, after), **self.teller.position(after, None), "fellows": fellows}

    def subject(self, facts: Mapping[str, Any]) -> str:
        asked = facts["asked"]
        return self.teller.question(self.content.place.turn, asked) if asked else super().subject(facts)

    def scene(self) -> Scene:
        return Scene(view=self.content.after)

    def online(self) -> Online:
        return Online(path=f"{self.content.game}/", turn=False)


class Report(Letter[letters.Report]):
    def facts(self) -> dict[str, Any]:
        letter, course = self.content, _course(self.content, self.teller)
        headline, told = self.teller.headlines(course["turns"]), self.teller.news(letter.events)
        return {**self.teller.asks(letter, letter.after), **course, "headline": headline, "told": told}

    def subject(self, facts: Mapping[str, Any]) -> str:
        turn = self.content.place.turn
        if facts["asked"]:
            return self.teller.question(turn, facts["asked"])
        return self.say("subjects.turn", turn=turn - 1, subject=facts["headline"])

    def scene(self) -> Scene:
        return Scene(view=self.content.after, before=self.content.before, events=_events(self.content))

    def course(self) -> Sequence[View]:
        return self.content.course

    def online(self) -> Online | None:
        return _last_turn(self.content)


class Question(Letter[letters.Question]):
    def facts(self) -> dict[str, Any]:
        letter, teller = self.content, self.teller
        told = {"turns": teller.turns(letter.turns), "told": teller.news(letter.events)}
        return {**teller.asks(letter, letter.now), **teller.position(letter.now, letter.before), **told}

    def subject(self, facts: Mapping[str, Any]) -> str:
        turn, asked = self.content.place.turn, facts["asked"]
        so_far = self.teller.wording.heading("so_far")
        subject = self.teller.question(turn, asked) if asked else self.say("subjects.turn", turn=turn, subject=so_far)
        return for_another(self.content, subject, self.teller)

    def scene(self) -> Scene:
        return Scene(view=self.content.now, before=self.content.before, events=_events(self.content))

    def online(self) -> Online | None:
        return _last_turn(self.content)


class Final(Letter[letters.Final]):
    def facts(self) -> dict[str, Any]:
        letter, shown = self.content, self.teller.presenter
        went = {"story": shown.story(letter.course), "scores": shown.scores(letter.course)}
        return {**_course(letter, self.teller), **went, "standings": shown.standings(letter.after)}

    def scene(self) -> Scene:
        events = [event for turn in self.content.turns for event in turn.events]
        return Scene(view=self.content.after, before=self.content.before, events=events)

    def course(self) -> Sequence[View]:
        return self.content.course

    def online(self) -> Online:
        return Online(path=f"{self.content.game}/", turn=False)


class Substitute(Letter[letters.Substitute]):
    def facts(self) -> dict[str, Any]:
        letter, teller = self.content, self.teller
        told = {"turns": teller.turns(letter.turns), "fellows": fellows(letter)}
        return {**teller.asks(letter, letter.after), **teller.position(letter.after, None), **told}

    def attachments(self) -> Sequence[Attachment]:
        record = self.content.record
        if record is None:
            return ()
        name = f"{self.content.game}.play"
        return (Attachment(name=name, type="text/plain; charset=utf-8", data=record.encode()),)


class Offer(Letter[letters.Offer]):
    def facts(self) -> dict[str, Any]:
        return self.teller.position(self.content.view, None)


class Notice(Letter[letters.Notice]):
    def facts(self) -> dict[str, Any]:
        """Who did it, and where the game stands if that is news."""
        letter, teller = self.content, self.teller
        actor = {**letter.act, "who": teller.wording.actor(letter.act["by"])}
        position = teller.position(letter.after, None) if letter.after else {}
        return {**teller.asks(letter, letter.after or {}), "actor": actor, **position}

    def subject(self, facts: Mapping[str, Any]) -> str:
        if self.content.after and facts["asked"]:
            return self.teller.question(self.content.place.turn, facts["asked"])
        return self.say(f"subjects.notices.{self.content.kind}", **self.content.act)


def _course(letter: letters.Report | letters.Final, teller: Teller) -> dict[str, Any]:
    told = {"turns": teller.turns(letter.turns), "late": teller.late(letter.late)}
    return {**teller.position(letter.after, letter.before), **told}


def _events(letter: letters.Report | letters.Question) -> list[Event]:
    """Of the turns that are over, and of the one that is under way."""
    return [*(event for turn in letter.turns for event in turn.events), *letter.events]


def _last_turn(letter: letters.Report | letters.Question) -> Online | None:
    return Online(path=f"{letter.game}/turn-{letter.turns[-1].number}/", turn=True) if letter.turns else None
