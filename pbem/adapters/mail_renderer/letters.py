"""How each kind of letter is worded: what its templates are given, its subject, and what comes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from pbem.adapters.mail_renderer.sections import WELCOME, section, told_alone
from pbem.adapters.mail_renderer.teller import Asked, Teller
from pbem.core.decision import TURN
from pbem.core.presenter import Event, View
from pbem.core.refusal import DieNeeded
from pbem.host.messages import letters, replies, sections
from pbem.host.ports import Attachment

ROOM = 12_000  # bytes of text for the answers to the questions of one letter; in HTML they are some three times as long
GATHERING = (letters.Invitation, letters.Gathers, letters.Unanswered, letters.Arrivals)  # while a game has no pages
TROUBLE = ("refused", "held", "unsent", "unused")  # outcomes that a writer should look at

DIE = DieNeeded("", 0).code  # a preview that ends at a die is a note, no refusal

C = TypeVar("C", bound=Struct)


class Scene(Struct, frozen=True, kw_only=True):
    """A position for a picture, with what has changed since the reader was told last."""

    view: View
    before: View | None = None
    events: Sequence[Event] = ()
    is_due: bool = True  # else only if it is not as before


class Letter(Generic[C]):
    """A kind of letter; most need nothing but their message."""

    def __init__(self, content: C, teller: Teller) -> None:
        self.content = content
        self.teller = teller
        self.say = teller.say

    @property
    def kind(self) -> str:
        """Names its templates and its sentence `subjects.KIND`."""
        return str(type(self.content).__struct_config__.tag)

    def facts(self) -> dict[str, Any]:
        """What its templates are given beside the message."""
        return {}

    def subject(self, facts: Mapping[str, Any]) -> str:
        """Told of the fields of the message, and of these facts."""
        return self.say(f"subjects.{self.kind}", **{**asdict(self.content), **facts})

    def scene(self) -> Scene | None:
        """What there is to draw."""
        return None

    def course(self) -> Sequence[View]:
        """What there is to draw charts of: views in the order of the game."""
        return ()

    def turn(self) -> int:
        """The one that is under way as the letter tells it; 0 where it tells of none."""
        place = getattr(self.content, "place", None)
        return place.turn if place else getattr(self.content, "turn", 0)

    @property
    def is_last(self) -> bool:
        """Is the game over with it? Then it is called so, whatever it answers."""
        return False

    def online(self) -> str | None:
        """Where among the pages of the game the archive tells the same for good; "" on the first of them."""
        return None

    def pages(self) -> str:
        """The folder of the archive that tells of what it is about."""
        return f"{getattr(self.content, 'game', '')}/"

    def has_pages(self) -> bool:
        """Is it about a game that the archive tells of? That is one which has begun."""
        return bool(getattr(self.content, "game", None)) and not isinstance(self.content, GATHERING)

    def attachments(self) -> Sequence[Attachment]:
        """What is to be kept with the letter."""
        return ()


# -- where a game stands ---


class _Opening(Letter[letters.Opening]):
    def facts(self) -> dict[str, Any]:
        letter, teller = self.content, self.teller
        told = {"turns": teller.turns(letter.turns), "told": teller.news(letter.since)}
        options = teller.options(letter) if teller.presenter.opens_with_options else ()
        invites = teller.wording.said("says.opening", "")
        own = {"options": options, "invites": invites}
        return {**teller.asks(letter), **teller.position(letter.after, None), **told, **own}

    def subject(self, facts: Mapping[str, Any]) -> str:
        asked = facts["asked"]
        return self.teller.question(self.content.place.turn, asked) if asked else super().subject(facts)

    def scene(self) -> Scene:
        return Scene(view=self.content.after)

    def online(self) -> str:
        return ""


class _Report(Letter[letters.Report]):
    def facts(self) -> dict[str, Any]:
        letter, course = self.content, _course(self.content, self.teller)
        headline, told = self.teller.headlines(course["turns"]), self.teller.news(letter.events)
        rows = [row for row in course["rows"] if row.late or row.forced]
        lost = self.teller.presenter.concerning(_events(letter), letter.after, letter.seat or "")
        own = {"rows": rows, "headline": headline, "told": told, "lost": lost}
        return {**self.teller.asks(letter), **course, **own}

    def subject(self, facts: Mapping[str, Any]) -> str:
        turn = self.content.place.turn
        if facts["asked"]:
            return self.teller.question(turn, facts["asked"])
        return self.say("subjects.turn", turn=turn - 1, subject=facts["headline"])

    def scene(self) -> Scene:
        letter, asked = self.content, self.teller.asks(self.content)["asked"]
        return Scene(view=letter.after, before=letter.before, events=_events(letter), is_due=bool(asked))

    def course(self) -> Sequence[View]:
        return self.content.course

    def online(self) -> str | None:
        return _last_turn(self.content)


class _Question(Letter[letters.Question]):
    def facts(self) -> dict[str, Any]:
        letter, teller = self.content, self.teller
        told = {"turns": teller.turns(letter.turns), "told": teller.news(letter.events)}
        return {**teller.asks(letter), **teller.position(letter.now, letter.before), **told}

    def subject(self, facts: Mapping[str, Any]) -> str:
        turn, asked = self.content.place.turn, facts["asked"]
        so_far = self.teller.wording.heading("so_far")
        subject = self.teller.question(turn, asked) if asked else self.say("subjects.turn", turn=turn, subject=so_far)
        return _for_another(self.content, subject, self.teller)

    def scene(self) -> Scene:
        return Scene(view=self.content.now, before=self.content.before, events=_events(self.content))

    def online(self) -> str | None:
        return _last_turn(self.content)


class _Tidings(Letter[letters.Tidings]):
    def facts(self) -> dict[str, Any]:
        return {"told": self.teller.news(self.content.events)}


class _Final(Letter[letters.Final]):
    @property
    def is_last(self) -> bool:
        return True

    def facts(self) -> dict[str, Any]:
        letter, shown = self.content, self.teller.presenter
        went = {"story": shown.story(letter.course), "scores": shown.scores(letter.course)}
        return {**_course(letter, self.teller), **went, "standings": shown.standings(letter.after)}

    def scene(self) -> Scene:
        events = [event for turn in self.content.turns for event in turn.events]
        return Scene(view=self.content.after, before=self.content.before, events=events)

    def course(self) -> Sequence[View]:
        return self.content.course

    def online(self) -> str:
        return ""


class _Substitute(Letter[letters.Substitute]):
    def facts(self) -> dict[str, Any]:
        letter, teller = self.content, self.teller
        turns = {"turns": teller.turns(letter.turns)}
        return {**teller.asks(letter), **teller.position(letter.after, None), **turns}

    def scene(self) -> Scene:
        return Scene(view=self.content.after)

    def attachments(self) -> Sequence[Attachment]:
        record = self.content.record
        if record is None:
            return ()
        name = f"{self.content.game}.play"
        return (Attachment(name=name, type="text/plain; charset=utf-8", data=record.encode()),)


class _Offer(Letter[letters.Offer]):
    def facts(self) -> dict[str, Any]:
        return self.teller.position(self.content.view, None)


class _Notice(Letter[letters.Notice]):
    @property
    def is_last(self) -> bool:
        return self.content.secret is not None

    def facts(self) -> dict[str, Any]:
        """Who did it, and where the game stands if that is news."""
        letter, teller = self.content, self.teller
        actor = {**letter.act, "who": teller.wording.actor(letter.act["by"])}
        position = teller.position(letter.after, None) if letter.after else {}
        return {**teller.asks(letter), "actor": actor, **position}

    def subject(self, facts: Mapping[str, Any]) -> str:
        if self.content.after and facts["asked"]:
            return self.teller.question(self.content.place.turn, facts["asked"])
        return self.say(f"subjects.notices.{self.content.kind}", **self.content.act)


# -- answers, and what concerns people ---


class _Reply(Letter[replies.Reply]):
    def facts(self) -> dict[str, Any]:
        """What became of a letter, and what its writer may wait for."""
        reply = self.content
        told = self._with_room()
        asked = [Asked(awaited=a) for a in reply.awaited if a.seat == reply.seat]
        orders = [line for line in reply.lines if line.outcome != "passed"]
        return {
            "told": told,
            "more_told": len(reply.told) - len(told),
            "well": self._is_well(),
            "orders": orders,
            "repeated": [number for number, pair in enumerate(pairwise(orders), 1) if _have_one_reason(*pair)],
            "passed": [line for line in reply.lines if line.outcome == "passed"],
            "stopped": any(line.outcome in ("held", "unsent") and line.code is None for line in reply.lines),
            "asked": asked,
            "others": [a for a in reply.awaited if a.seat != reply.seat],
            "draft": any(a.awaited.kind == TURN for a in asked) and _has_draft(reply),
            "die": DIE,
            "under_way": bool(reply.awaited or reply.on_file),
        }

    def scene(self) -> Scene | None:
        """The board, for who asked for it."""
        views = [part.view for part in self.content.told if isinstance(part, sections.Board) and part.near is None]
        return Scene(view=views[0]) if views else None

    def has_pages(self) -> bool:
        reply = self.content
        return bool(reply.game and (reply.awaited or reply.on_file or reply.over))

    def _with_room(self) -> Sequence[Mapping[str, Any]]:
        """The first answers, as many as one letter has room for; that is one at least."""
        told = [section(part, self.teller) for part in self.content.told]
        if len(told) < 2:
            return told
        sizes = accumulate(len(told_alone(each, self.teller).encode()) for each in told)
        return told[: max(1, sum(size <= ROOM for size in sizes))]

    def _is_well(self) -> bool:
        problem = self.content.problem is not None and self.content.problem not in WELCOME
        lines = [line for line in self.content.lines if line.code != DIE]
        return not problem and all(line.outcome not in TROUBLE for line in lines)


class _Reminder(Letter[letters.Reminder]):
    def facts(self) -> dict[str, Any]:
        letter = self.content
        draft = letter.awaited.kind == TURN and _has_draft(letter)
        return {"draft": draft, "question": self.teller.asked(letter.awaited, letter.asks)}

    def subject(self, facts: Mapping[str, Any]) -> str:
        """That of the letter which asked, so that both stand in one conversation."""
        subject = self.teller.question(self.content.place.turn, [facts["question"]])
        return _for_another(self.content, subject, self.teller)


class _Tally(Letter[letters.Tally]):
    def facts(self) -> dict[str, Any]:
        return self.teller.asks(self.content)


class _Overdue(Letter[letters.Overdue]):
    def facts(self) -> dict[str, Any]:
        letter, teller = self.content, self.teller
        return {"about": teller.short(letter.awaited), "question": teller.asked(letter.awaited, letter.asks)}

    def subject(self, facts: Mapping[str, Any]) -> str:
        """To whoever is late, that of the letter which asked."""
        letter = self.content
        return self.teller.question(letter.turn, [facts["question"]]) if letter.asks else super().subject(facts)


class _Halt(Letter[letters.Halt]):
    def facts(self) -> dict[str, Any]:
        return {"still": [one for one in self.content.goes_on if one.start <= self.content.start]}


class _SeasonNews(Letter[letters.SeasonNews]):
    def facts(self) -> dict[str, Any]:
        letter = self.content
        facts = {"season": letter.season, "title": letter.title, **letter.facts}
        if "act" in facts:
            facts["done"] = self._done(facts)
        answers = [self.say(f"says.season_answer_{one}") for one in letter.answers]
        matters = [self._matter(each, head=facts["head"]) for each in facts.get("matters", ())]
        return {"facts": facts, "sections": self._sections(), "answers": answers, "matters": matters}

    def has_pages(self) -> bool:
        """What tells of several people's doings is published nowhere."""
        return self.content.what not in ("desk", "audit", "away")

    def pages(self) -> str:
        league, _, number = self.content.season.rpartition("-")
        return f"leagues/{league}/{number}/{self._page()}"

    def _page(self) -> str:
        """The one of the season that tells most of it."""
        facts, what = self.content.facts, self.content.what
        if what == "draw":
            return f"draws/{facts['draw']}/"
        if what in ("table", "ending"):
            return f"tables/{facts['table']}/"
        return f"{facts['group']}/" if what in ("round", "final") and facts["group"] else ""

    def _matter(self, facts: Mapping[str, Any], *, head: bool) -> dict[str, Any]:
        """What is to decide, and the lines by which it can be."""
        before = self.say("says.desk_head") + " " if head else ""
        lines = [before + self.say(f"says.desk_line_{line}", **facts) for line in facts["lines"]]
        return {"told": self.say(f"says.desk_{facts['kind']}", **facts), "lines": lines}

    def _done(self, facts: Mapping[str, Any]) -> str:
        """What an act did."""
        fields = {**facts["fields"], "called": lambda person: facts["names"].get(str(person), "")}
        return self.say(f"league_act.{facts['act']}", **fields)

    def _sections(self) -> list[dict[str, Any]]:
        return [section(each, self.teller) for each in self.content.told]

    def subject(self, facts: Mapping[str, Any]) -> str:
        return self.say(f"subjects.season_{self.content.what}", **facts["facts"])


# -- what several of them need ---


def _course(letter: letters.Report | letters.Final, teller: Teller) -> dict[str, Any]:
    rows = [row for turn in letter.turns for row in turn.kept]
    told = {"turns": teller.turns(letter.turns), "late": teller.late(letter.late), "rows": rows}
    return {**teller.position(letter.after, letter.before), **told}


def _events(letter: letters.Report | letters.Question) -> list[Event]:
    """Of the turns that are over, and of the one that is under way."""
    return [*(event for turn in letter.turns for event in turn.events), *letter.events]


def _last_turn(letter: letters.Report | letters.Question) -> str | None:
    return f"turn-{letter.turns[-1].number}/" if letter.turns else None


def _for_another(letter: letters.Question | letters.Reminder, subject: str, teller: Teller) -> str:
    """The subject, where the reader writes for somebody who is away."""
    return subject if letter.until is None else teller.say("subjects.stead", seat=letter.seat, subject=subject)


def _have_one_reason(before: replies.Line, line: replies.Line) -> bool:
    """Is the second refused for what the first is refused for?"""
    return line.code is not None and (before.code, before.facts) == (line.code, line.facts)


def _has_draft(letter: replies.Reply | letters.Reminder) -> bool:
    return any(filed.kind == "draft" for filed in letter.on_file)


LETTERS: Mapping[type, type[Letter[Any]]] = {  # the others need nothing but their message
    letters.Opening: _Opening,
    letters.Report: _Report,
    letters.Question: _Question,
    letters.Tidings: _Tidings,
    letters.Final: _Final,
    letters.Substitute: _Substitute,
    letters.Offer: _Offer,
    letters.Notice: _Notice,
    letters.Tally: _Tally,
    replies.Reply: _Reply,
    letters.Reminder: _Reminder,
    letters.Overdue: _Overdue,
    letters.Halt: _Halt,
    letters.SeasonNews: _SeasonNews,
}
