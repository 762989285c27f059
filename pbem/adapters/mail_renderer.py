"""Our letters, worded: contents become subject, text and HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec import Struct

from pbem.adapters.calendars import attached
from pbem.core.game import Registry
from pbem.core.presenter import Picture, Presenter, Tables, View
from pbem.core.seat import Setup
from pbem.host import messages as co
from pbem.host.commands.table import COMMANDS
from pbem.host.ports import Attachment, Mail
from pbem.mail.envelope import Envelope
from pbem.render.times import ZONE
from pbem.render.wording import Wording, wording

if TYPE_CHECKING:
    from css_inline import CSSInliner

ROOM = 12_000  # bytes of text for the answers to the questions of one letter; in HTML they are some three times as long
WIDTH = 72  # columns of a line: quoted twice it still keeps within 78 (RFC 5322 2.1.1, RFC 3676 4.2)
HELP = "help"
TROUBLE = ("refused", "held", "unsent", "unused")  # outcomes that a writer should look at
WELCOME = (  # nothing is wrong
    "invitation.joined",
    "invitation.declined",
    "invitation.already",
    "opening.opened",
    "opening.joined",
    "opening.left",
    "opening.given_up",
    "accept.accepted",
    "accept.seated",
    "accept.declined",
    "deputy.accepted",
    "deputy.declined",
    "address.confirmed",
    "address.undone",
    "waiting.on",
    "waiting.off",
    "promote.accepted",
    "promote.declined",
)
REFUSED = ("answered refused", "misread")  # what became of a letter in which something, or all, could not be done
_HEAD = re.compile(r" *(?:[-–✓✗] )?")
_LINK = re.compile(r"\s*https?://\S+")  # it could not be followed if it were cut
_BLANKS = re.compile(r"\n{3,}")

Facts = Mapping[str, Any]


class Asked(Struct, frozen=True, kw_only=True):
    """A question to the reader, with what he could answer."""

    awaited: co.Awaited
    facts: Facts | None  # what the game says about it
    examples: Sequence[str] = ()
    standing: str | None = None  # how to answer such a question in advance

    @property
    def form(self) -> bool:
        """Do lines of an example wait as comments?"""
        return any("#" in example for example in self.examples)


class Told(Struct, frozen=True, kw_only=True):
    """A turn that is over, with the line that names it."""

    headline: str
    turn: co.TurnReport


class Illustration(Struct, frozen=True, kw_only=True):
    """A picture within the HTML of a letter."""

    picture: Picture
    letter: str  # the Message-ID of the letter it stands in, without its brackets

    @property
    def cid(self) -> str:
        """No other picture in the world has it (RFC 2045, section 7)."""
        return f"{self.picture.name}.{self.letter}"

    @property
    def url(self) -> str:
        """How the HTML names it (RFC 2392)."""
        return f"cid:{quote(self.cid, safe='@')}"

    @property
    def attachment(self) -> Attachment:
        return Attachment(name=f"{self.picture.name}.png", type="image/png", data=self.picture.png, cid=self.cid)


class Online(Struct, frozen=True, kw_only=True):
    """A page of the archive."""

    url: str
    turn: bool  # does it tell one turn, or the game?


class MailRenderer:
    """Words letters in one language, about one game; `archive` is where its pages are on the web, "" for nowhere."""

    def __init__(
        self, presenter: Presenter, language: str = "en", *, pictures: bool = False, archive: str = ""
    ) -> None:
        self._presenter = presenter
        self._language = language
        self._pictures = pictures
        self._archive = archive
        self._text = wording(presenter.voice, language, html=False)
        self._html = wording(presenter.voice, language, html=True)

    def mail(self, content: co.Message, envelope: Envelope) -> Mail:
        before = ZONE.set(envelope.zone)
        try:
            subject, text, html, shown = self._worded(content, envelope)
        finally:
            ZONE.reset(before)
        return Mail(
            message_id=envelope.message_id,
            to=envelope.to,
            subject=f"[{envelope.tag}] {subject}",
            text=text,
            html=html,
            reply_to=envelope.reply_to,
            returns=envelope.returns,
            in_reply_to=envelope.in_reply_to,
            references=envelope.references,
            answers=envelope.answers,
            game=envelope.game,
            attachments=(
                *(picture.attachment for picture in shown),
                *_attached(content),
                *self._calendar(envelope),
            ),
        )

    def plain(self, content: co.Message) -> tuple[str, str]:
        """Subject and text."""
        facts = self._facts(content)
        return facts["subject"], tidy(self._text.letter(f"mail/{_kind(content)}.txt.j2", facts))

    def _calendar(self, envelope: Envelope) -> list[Attachment]:
        """A file for each: what is called off must not stand with others (RFC 5546 section 3.2.5)."""
        all_, game, say = envelope.appointments, envelope.game or envelope.tag, self._text.say
        shorts = [say(f"questions.{one.kind}.short", about=one.about) for one in all_]
        named = [f"[{game}] {' '.join(say('subjects.appointment', about=short).split())}" for short in shorts]
        files = enumerate(zip(all_, named, strict=True), 1)
        return [attached(one, name, envelope.organizer, number) for number, (one, name) in files]

    def _worded(self, content: co.Message, envelope: Envelope) -> tuple[str, str, str, list[Illustration]]:
        """Subject, text and HTML, and the pictures that the HTML shows."""
        letter = envelope.message_id.strip("<>")
        facts = self._facts(content, corrected=envelope.corrected)
        board, charts = (self._board(content, letter), self._charts(content, letter)) if self._pictures else (None, [])
        text = tidy(self._text.letter(f"mail/{_kind(content)}.txt.j2", facts))
        html = self._html.letter(f"mail/{_kind(content)}.html.j2", {**facts, "board": board, "charts": charts})
        return facts["subject"], text, _inliner().inline(html), [*([board] if board else []), *charts]

    def _board(self, content: co.Message, letter: str) -> Illustration | None:
        """The board as it is now, with what has changed since the reader was told last."""
        match content:
            case co.Report():
                shown = self._presenter.board(content.after, content.before, _all_events(content), self._language)
            case co.Final():
                events = [event for turn in content.turns for event in turn.events]
                shown = self._presenter.board(content.after, content.before, events, self._language)
            case co.Question():
                shown = self._presenter.board(content.now, content.before, _all_events(content), self._language)
            case co.Opening():
                shown = self._presenter.board(content.after, None, (), self._language)
            case _:
                return None
        return Illustration(picture=shown, letter=letter)

    def _charts(self, content: co.Message, letter: str) -> list[Illustration]:
        course = content.course if isinstance(content, co.Report | co.Final) else ()
        charts = self._presenter.charts(course, self._language)
        return [Illustration(picture=chart, letter=letter) for chart in charts]

    def _with_room(self, told: Sequence[co.Section]) -> Sequence[co.Section]:
        """The first answers, as many as one letter has room for; that is one at least."""
        if len(told) < 2:
            return told
        sizes = accumulate(len(self.told(part).encode()) for part in told)
        return told[: max(1, sum(size <= ROOM for size in sizes))]

    def told(self, part: co.Section) -> str:
        """What an answer tells, by itself."""
        return tidy(self._text.letter("mail/told.txt.j2", {"told": [self._told(part)]}))

    def sentence(self, code: str, facts: Facts) -> str:
        """Why an order was refused."""
        return self._text.refusal(code, facts)

    def event(self, event: Facts) -> str:
        """What happened; "" when it is no news."""
        return self._text.event(event)

    # -- what the templates are given ---

    def _facts(self, content: co.Message, *, corrected: bool = False) -> dict[str, Any]:
        own = self._own_facts(content)
        subject = self._subject(content, own)
        if isinstance(content, co.Question | co.Reminder) and content.until is not None:
            subject = self._text.say("subjects.stead", seat=content.seat, subject=subject)
        if corrected:
            subject = self._text.say("subjects.corrected", subject=subject)
        told = {"letter": content, "subject": " ".join(subject.split()), "corrected": corrected}
        return {**own, **told, "online": self._online(content)}

    def _online(self, content: co.Message) -> Online | None:
        """The page of the archive that tells the same for good, if there is one."""
        if not self._archive:
            return None
        match content:
            case co.Report() | co.Question() if content.turns:
                return Online(url=f"{self._archive}{content.game}/turn-{content.turns[-1].number}/", turn=True)
            case co.Opening() | co.Final():
                return Online(url=f"{self._archive}{content.game}/", turn=False)
            case _:
                return None

    def _own_facts(self, content: co.Message) -> dict[str, Any]:
        match content:
            case co.Report():
                course = self._course(content)
                headline, followed = self._headlines(course["turns"]), self._news(content.events)
                return {**self._asks(content, content.after), **course, "headline": headline, "told": followed}
            case co.Opening():
                fellows = [seat for seat in content.after["players"] if seat != content.seat]
                return {**self._asks(content, content.after), **self._position(content.after, None), "fellows": fellows}
            case co.Question():
                position = self._position(content.now, content.before)
                turns, so_far = self._turns(content.turns), self._news(content.events)
                return {**self._asks(content, content.now), **position, "turns": turns, "told": so_far}
            case co.Final():
                shown = self._presenter
                went = {"story": shown.story(content.course), "scores": shown.scores(content.course)}
                return {**self._course(content), **went, "standings": shown.standings(content.after)}
            case co.Reply():
                answers = self._with_room(content.told)
                more = len(content.told) - len(answers)
                return {**_outcomes(content), "told": [self._told(part) for part in answers], "more_told": more}
            case co.Press():
                return {"others": [seat for seat in content.said.to if seat != content.seat]}
            case co.Reminder():
                return {"draft": content.awaited.kind == "turn" and _has_draft(content)}
            case co.Invitation():
                return {"fellows": [seat for seat in content.players if seat != content.seat]}
            case co.Substitute():
                fellows = [seat for seat in content.players if seat != content.seat]
                position = self._position(content.after, None)
                turns = self._turns(content.turns)
                return {**self._asks(content, content.after), **position, "turns": turns, "fellows": fellows}
            case co.Notice():
                return {**self._asks(content, content.after or {}), **self._act(content)}
            case co.Halt():
                still = [one for one in content.goes_on if one.start <= content.start]
                return {"who": self._text.actor(content.by), "still": still}
            case co.Nomination():
                return {"who": self._text.actor(content.by)}
            case co.Offer():
                return self._position(content.view, None)
            case (
                co.Deputy()
                | co.Deputised()
                | co.Tally()
                | co.NotNeeded()
                | co.Unused()
                | co.Alarm()
                | co.Overdue()
                | co.AddressCheck()
                | co.AddressChanged()
                | co.Unanswered()
                | co.Arrivals()
                | co.Gathers()
            ):
                return {}

    def _act(self, notice: co.Notice) -> dict[str, Any]:
        """Who did it, and where the game stands if that is news."""
        facts = {**notice.act, "who": self._text.actor(notice.act["by"])}
        return {"actor": facts, **(self._position(notice.after, None) if notice.after else {})}

    def deed(self, deed: co.Deed) -> list[str]:
        """What was done, what was said with it, and why."""
        act, say = deed.act, self._text.say
        who = self._text.actor(str(act["by"]))
        if deed.kind in ("paused", "resumed"):
            halt = say("says.halt_from", start=act["start"], end=act["end"]) if deed.kind == "paused" else ""
            over = say("says.halt_over", who=who, cause=act.get("cause"), start=act["at"]) if not halt else ""
            told = [f"{who}:" if halt else "", halt or over]
        else:
            lines = "; ".join(act.get("lines", ()))
            told = [say(f"acts.{deed.kind}", **act, who=who), act.get("text", ""), f"{lines}." if lines else ""]
        return [*filter(None, [*told, say("says.why", why=act["why"]) if act.get("why") else ""])]

    def _told(self, part: co.Section) -> dict[str, Any]:
        """What an answer to a question needs beside the question's own facts; `kind` names its template."""
        facts = {"kind": type(part).__struct_config__.tag, "part": part}
        match part:
            case co.Preview():
                return {**facts, "earned": self._presenter.earned(part.after, part.before)}
            case co.Trial():
                return {**facts, **self._trial(part)}
            case co.Help():
                return {**facts, **self._help(part.topic)}
            case co.Board():
                return {**facts, **self._position(part.view, None)}
            case co.Records():
                return {
                    **facts,
                    "late": self._late(part.late),
                    "about": self._text.called(part.about or ""),
                    "tables": self._presenter.records(part.view, part.about) if part.view else {},
                }
            case co.History():
                deeds = [(deed, self.deed(deed)) for deed in part.deeds]
                return {**facts, "turns": self._turns(part.turns), "deeds": deeds}
            case co.Overview():
                return {**facts, "came": [(came, _fate(came.fate)) for came in part.letters]}
            case co.RulesInForce():
                return {**facts, "options": self._presenter.options(agreed(part))}
            case co.Timetable():
                return {**facts, "late": self._late(part.late)}
            case co.Leave() | co.Petitions() | co.PressRead() | co.Addresses() | co.OpenGames():
                return facts

    def _trial(self, part: co.Trial) -> dict[str, Any]:
        """What would be done, and what of the position would be another."""
        happens = [event for event in part.events if not self._text.is_secret(event)]
        facts = {"deeds": [self.deed(deed) for deed in part.deeds], "happens": happens}
        before, after = self._changed(part.before, part.after), self._changed(part.after, part.before)
        return {**facts, "before": before, "after": after}

    def _help(self, topic: str | None) -> dict[str, Any]:
        """Help about a word; about help itself, what else there is."""
        words = (topic, self._presenter.help_topic(topic)) if topic else ()
        topics = [one for one in (*self._text.topics(), *COMMANDS.topics) if one != HELP]
        known = [word for word in words if word in topics]
        return {"topic": known[0] if known else HELP, "topics": [] if known else topics}

    def _course(self, letter: co.Report | co.Final) -> dict[str, Any]:
        told = {"turns": self._turns(letter.turns), "late": self._late(letter.late)}
        return {**self._position(letter.after, letter.before), **told}

    def _late(self, late: Mapping[str, int]) -> list[str]:
        return [self._text.say("says.late_of", seat=seat, late=count) for seat, count in late.items()]

    def _news(self, events: Sequence[Facts]) -> list[Facts]:
        return [event for event in events if not self._text.is_secret(event) and self.event(event)]

    def _turns(self, turns: Sequence[co.TurnReport]) -> list[Told]:
        return [Told(headline=self._headline(turn.events, turn.round), turn=turn) for turn in turns]

    def _asks(
        self, letter: co.Report | co.Opening | co.Question | co.Notice | co.Substitute, view: View
    ) -> dict[str, Any]:
        """The reader's own questions, and what the others are asked."""
        own = [a for a in letter.awaited if a.seat == letter.seat and not a.bot]
        facts: list[Facts | None] = [*letter.facts] if len(letter.facts) == len(own) else [None] * len(own)
        asked = [self._asked(a, f, view, alone=len(own) == 1) for a, f in zip(own, facts, strict=True)]
        return {"asked": asked, "others": [a for a in letter.awaited if a.seat != letter.seat or a.bot]}

    def _asked(self, awaited: co.Awaited, facts: Facts | None, view: View, *, alone: bool) -> Asked:
        if facts is None:
            return Asked(awaited=awaited, facts=None)
        examples = self._presenter.examples(facts, view, alone=alone)
        standing = self._presenter.standing_example(facts)
        return Asked(awaited=awaited, facts=facts, examples=examples, standing=standing)

    def _position(self, view: View, before: View | None) -> dict[str, Any]:
        return {"tables": self._presenter.tables(view, before)}

    def _changed(self, view: View | None, other: View | None) -> Tables:
        """The rows of a position that are different in another one."""
        if view is None or other is None:
            return {}
        rows, others = self._presenter.tables(view, None), self._presenter.tables(other, None)
        return {kind: [row for row in rows[kind] if row not in others[kind]] for kind in rows}

    # -- subjects ---

    def _subject(self, content: co.Message, own: Facts) -> str:
        say = self._text.say
        match content:
            case co.Report() | co.Opening() | co.Question() if own["asked"]:
                return self._turn_subject(content.place.turn, self._question_subject(own["asked"]))
            case co.Report():
                return self._turn_subject(content.place.turn - 1, str(own["headline"]))
            case co.Question():
                return self._turn_subject(content.place.turn, self._text.heading("so_far"))
            case co.Invitation() | co.Unanswered() | co.Arrivals():
                return say(f"subjects.{_kind(content)}", title=say("title"), told=content)
            case co.Reply():
                return say("subjects.reply", well=own["well"])
            case co.Press():
                return say("subjects.press", seat=content.said.seat, public=content.said.public)
            case co.Reminder():
                about = self._short(content.awaited)
                return say("subjects.reminder", time=self._hours(content.hours), about=about)
            case co.Notice() if content.after and own["asked"]:
                return self._turn_subject(content.place.turn, self._question_subject(own["asked"]))
            case co.Notice():
                return say(f"subjects.notices.{content.kind}", **content.act)
            case co.Overdue():
                about = self._short(content.awaited)
                return say("subjects.overdue", seat=content.awaited.seat, about=about, again=content.days > 0)
            case co.Halt():
                return say("subjects.halt", told=content, still=bool(own["still"]))
            case co.Final():
                return say("subjects.final", winners=content.after["winners"])
            case (
                co.Substitute()
                | co.Offer()
                | co.NotNeeded()
                | co.Nomination()
                | co.Tally()
                | co.Deputy()
                | co.Deputised()
            ):
                return say(f"subjects.{_kind(content)}", seat=content.seat, told=content)
            case co.Opening() | co.Unused() | co.Alarm() | co.AddressCheck() | co.AddressChanged() | co.Gathers():
                return say(f"subjects.{type(content).__struct_config__.tag}")

    def _turn_subject(self, turn: int, subject: str) -> str:
        return self._text.say("subjects.turn", turn=turn, subject=subject)

    def _question_subject(self, asked: Sequence[Asked]) -> str:
        first, *more = asked
        if first.facts is None:
            return self._short(first.awaited)
        subject = self._text.say(
            f"questions.{first.awaited.kind}.subject", **{"about": first.awaited.about, **first.facts}
        )
        return self._text.say("subjects.more", first=subject, count=len(more)) if more else subject

    def _headline(self, events: Sequence[Facts], number: int) -> str:
        return headline(self._presenter, self._text, events, number)

    def _headlines(self, told: Sequence[Told]) -> str:
        """What names several turns together."""
        if len(told) == 1:
            return told[0].headline
        rounds = [each.turn.round for each in told]
        return self._text.say("subjects.reports", count=len(told), first=rounds[0], last=rounds[-1])

    def _short(self, awaited: co.Awaited) -> str:
        return self._text.say(f"questions.{awaited.kind}.short", about=awaited.about)

    def _hours(self, count: int) -> str:
        return self._text.say("time.hours", count=count)


class AllPages:
    """Words each letter in the language of its reader, with or without pictures and links to an archive.

    Letters about none of the games are worded as by the first.
    """

    def __init__(self, games: Registry, *, pictures: bool = False, archive: str = "") -> None:
        self._games = games
        self.pictures = pictures
        self.archive = archive

    def mail(self, content: co.Message, envelope: Envelope) -> Mail:
        game = self._games[envelope.kind] if envelope.kind else next(iter(self._games.values()))
        return _pages(game.presenter, envelope.language, self.pictures, self.archive).mail(content, envelope)


@cache
def _pages(presenter: Presenter, language: str, pictures: bool, archive: str) -> MailRenderer:
    return MailRenderer(presenter, language, pictures=pictures, archive=archive)


def headline(presenter: Presenter, wording: Wording, events: Sequence[Facts], number: int) -> str:
    """What names a turn, of that round."""
    told = presenter.headline(events)
    if told is None:
        return wording.say("subjects.report_plain", round=number)
    return wording.say("subjects.report", round=number, **told)


def agreed(rules: co.RulesInForce) -> Setup:
    """What the game was set up with."""
    return Setup(edition=rules.edition, board=rules.board, setup=rules.setup, options=rules.options)


def _kind(content: co.Message) -> str:
    return str(type(content).__struct_config__.tag)


def _attached(content: co.Message) -> tuple[Attachment, ...]:
    """What is to be kept with the letter."""
    if not isinstance(content, co.Substitute) or content.record is None:
        return ()
    return (Attachment(name=f"{content.game}.play", type="text/plain; charset=utf-8", data=content.record.encode()),)


def _all_events(letter: co.Report | co.Question) -> list[Facts]:
    """Of the turns that are over, and of the one that is under way."""
    return [*(event for turn in letter.turns for event in turn.events), *letter.events]


def _outcomes(reply: co.Reply) -> dict[str, Any]:
    """What became of a letter, and what its writer may wait for."""
    asked = [Asked(awaited=a, facts=None) for a in reply.awaited if a.seat == reply.seat]
    return {
        "well": _is_well(reply),
        "orders": [line for line in reply.lines if line.outcome != "passed"],
        "passed": [line for line in reply.lines if line.outcome == "passed"],
        "stopped": any(line.outcome in ("held", "unsent") and line.code is None for line in reply.lines),
        "asked": asked,
        "others": [a for a in reply.awaited if a.seat != reply.seat],
        "draft": any(a.awaited.kind == "turn" for a in asked) and _has_draft(reply),
        "under_way": bool(reply.awaited),
    }


def _has_draft(letter: co.Reply | co.Reminder) -> bool:
    return any(paper.kind == "draft" for paper in letter.on_file)


def _fate(fate: str) -> str:
    """What became of a letter, roughly: answered, ignored, fault or problem."""
    kind = fate.partition(" ")[0]
    if fate in REFUSED:
        return "refused"
    if fate in WELCOME:
        return "answered"
    return kind if kind in ("answered", "ignored", "fault") else "problem"


def _is_well(reply: co.Reply) -> bool:
    problem = reply.problem is not None and reply.problem not in WELCOME
    return not problem and all(line.outcome not in TROUBLE for line in reply.lines)


# -- the last touches ---


def tidy(text: str) -> str:
    """No line too long, no blanks at its end, never two empty lines together."""
    lines = [line for whole in text.splitlines() for line in _wrapped(whole.rstrip())]
    return _BLANKS.sub("\n\n", "\n".join(lines)).strip() + "\n"


def _wrapped(line: str) -> Iterator[str]:
    """What does not fit goes on under the first word of its line."""
    if len(line) <= WIDTH or _LINK.fullmatch(line):
        yield line
        return
    found = _HEAD.match(line)
    hanging = " " * min(found.end() if found else 0, WIDTH // 2)
    yield from textwrap.wrap(line, WIDTH, subsequent_indent=hanging, break_on_hyphens=False)


@cache
def _inliner() -> CSSInliner:
    from css_inline import CSSInliner  # noqa: PLC0415 - nobody but letters needs it

    return CSSInliner(load_remote_stylesheets=False, keep_at_rules=True)
