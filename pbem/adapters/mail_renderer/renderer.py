"""Words letters for their readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import Markup
from msgspec import Struct

from pbem.adapters.calendars import attached
from pbem.adapters.mail_renderer.answering import ANSWERING, Answering, answer_filters, can_be_pointed_at, order_file
from pbem.adapters.mail_renderer.letters import LETTERS, Letter, Scene
from pbem.adapters.mail_renderer.sections import section, told_alone
from pbem.adapters.mail_renderer.spans import span_filters
from pbem.adapters.mail_renderer.teller import Teller
from pbem.core.game import Registry
from pbem.core.presenter import Facts, Picture, Presenter
from pbem.host.commands.table import COMMANDS
from pbem.host.messages import letters, sections
from pbem.host.messages.replies import Reply
from pbem.host.ports import Attachment, Mail
from pbem.mail.mail_writer import Envelope
from pbem.render.layout import tidy
from pbem.render.times import ZONE
from pbem.render.wording import MoreFilters, wording

if TYPE_CHECKING:
    from css_inline import CSSInliner


SUBJECT = 60  # characters


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


class MailRenderer:
    """Words letters in one language, about one game; `archive` is where its pages are on the web, "" for nowhere."""

    def __init__(
        self, presenter: Presenter, language: str = "en", *, pictures: bool = False, archive: str = ""
    ) -> None:
        self._presenter = presenter
        self._language = language
        self._pictures = pictures
        self._archive = archive
        filters, commands = letter_filters(presenter), COMMANDS.sentences
        self._text = wording(presenter.voice, language, html=False, more=filters, commands=commands)
        self._html = wording(presenter.voice, language, html=True, more=filters, commands=commands)
        self._teller = Teller(presenter, self._text)

    def mail(self, content: letters.Message, envelope: Envelope) -> Mail:
        return copy_context().run(self._mail, content, envelope)

    def _mail(self, content: letters.Message, envelope: Envelope) -> Mail:
        """In a context of its own: it tells the words whose clock counts, and how the letter is answered."""
        parts = self._parts(content)
        main = _main(parts)
        shown = self._illustrations(_drawn(parts), envelope.message_id.strip("<>"))
        ZONE.set(envelope.zone)
        facts = self._facts(main, corrected=envelope.corrected)
        subject = f"[{envelope.tag}] {facts['subject']}"
        if envelope.subject and not main.is_last:  # it stays in the conversation of the letter that it answers
            subject = f"Re: [{envelope.tag}] {envelope.subject}"
        answering = self._answering(main, envelope, subject)
        ANSWERING.set(answering)
        text, html = self._worded(parts, facts), self._laid_out(parts, facts, shown)
        pictures = (one.attachment for all_ in shown.values() for one in all_)
        files = self._order_files(main, facts, answering)
        return Mail(
            message_id=envelope.message_id,
            to=envelope.to,
            subject=subject,
            text=text,
            html=html,
            reply_to=envelope.reply_to,
            returns=envelope.returns,
            in_reply_to=envelope.in_reply_to,
            references=envelope.references,
            answers=envelope.answers,
            game=envelope.game,
            attachments=(
                *pictures,
                *(file for part in parts for file in part.attachments()),
                *files,
                *self._calendar(envelope),
            ),
        )

    def plain(self, content: letters.Message) -> tuple[str, str]:
        """Subject and text."""
        parts = self._parts(content)
        facts = self._facts(_main(parts))
        return facts["subject"], self._worded(parts, facts)

    def told(self, part: sections.Section) -> str:
        """What an answer tells in a section, by itself."""
        return told_alone(section(part, self._teller), self._teller)

    def deed(self, deed: sections.Deed) -> list[str]:
        """What was done, what was said with it, and why."""
        return self._teller.deed(deed)

    def sentence(self, code: str, facts: Facts) -> str:
        """Why an order was refused."""
        return self._text.refusal(code, facts)

    # -- its parts ---

    def _parts(self, content: letters.Message) -> list[Letter[Any]]:
        return [LETTERS.get(type(part), Letter)(part, self._teller) for part in letters.parts_of(content)]

    def _facts(self, letter: Letter[Any], *, corrected: bool = False) -> dict[str, Any]:
        """What the templates are given."""
        own = letter.facts()
        subject = letter.subject(own)
        if corrected:
            subject = self._text.say("subjects.corrected", subject=subject)
        told = {"letter": letter.content, "subject": " ".join(subject.split()), "corrected": corrected}
        return {**own, **told, "online": self._online(letter)}

    def _answering(self, letter: Letter[Any], envelope: Envelope, subject: str) -> Answering:
        turn = letter.turn()
        return Answering(
            to=envelope.reply_to or envelope.organizer,
            subject=_answered(subject),
            pages=self._archive,
            position=f"{letter.content.game}/turn-{turn - 1}/position.json" if turn else "",
            attached=letter.scene() is not None and (not self._archive if envelope.page is None else envelope.page),
        )

    def _order_files(self, letter: Letter[Any], facts: Facts, answering: Answering) -> list[Attachment]:
        scene, presenter = letter.scene(), self._presenter
        if scene is None or not answering.attached:
            return []
        asked = [one for one in facts.get("asked", ()) if can_be_pointed_at(one, presenter)]
        return [order_file(one, answering, scene.view, presenter, self._text) for one in asked]

    def _online(self, letter: Letter[Any]) -> Mapping[str, Any] | None:
        """The page of the archive that tells the same for good, else the first of the game, if it has any."""
        if not (self._archive and letter.has_pages()):
            return None
        page = letter.online() or ""
        return {"url": f"{self._archive}{letter.pages()}{page}", "turn": bool(page)}

    def _worded(self, parts: Sequence[Letter[Any]], facts: Facts) -> str:
        def worded(part: Letter[Any], told: Facts) -> str:
            return self._text.letter(f"mail/{part.kind}.txt.j2", told)

        return tidy(_whole(parts, facts, "txt", worded, self._facts))

    def _laid_out(self, parts: Sequence[Letter[Any]], facts: Facts, shown: Mapping[str, list[Illustration]]) -> str:
        pictures, drawn = {"board": next(iter(shown["board"]), None), "charts": shown["charts"]}, _drawn(parts)

        def worded(part: Letter[Any], told: Facts) -> str:
            own = pictures if part is drawn else {"board": None, "charts": []}
            return Markup(self._html.letter(f"mail/{part.kind}.html.j2", {**told, **own}))  # noqa: S704 - a template's

        return _inliner().inline(_whole(parts, facts, "html", worded, self._facts))

    def _illustrations(self, letter: Letter[Any], id_: str) -> Mapping[str, list[Illustration]]:
        """The board as it is now, and charts of how it came to that."""
        if not self._pictures:
            return {"board": [], "charts": []}
        scene = letter.scene()
        board = [self._board(scene)] if scene and self._is_shown(scene) else []
        found = {"board": board, "charts": self._presenter.charts(letter.course(), self._language)}
        return {place: [Illustration(picture=one, letter=id_) for one in all_] for place, all_ in found.items()}

    def _is_shown(self, scene: Scene) -> bool:
        """A board on which nothing happened is left out of a letter that asks nothing."""
        view, before, events = scene.view, scene.before, scene.events
        return scene.is_due or before is None or self._presenter.is_board_changed(view, before, events)

    def _board(self, scene: Scene) -> Picture:
        return self._presenter.board(scene.view, scene.before, scene.events, self._language)

    def _calendar(self, envelope: Envelope) -> list[Attachment]:
        """A file for each: what is called off must not stand with others (RFC 5546 section 3.2.5)."""
        all_, game, say = envelope.appointments, envelope.game or envelope.tag, self._text.say
        shorts = [say(f"questions.{one.kind}.short", about=one.about) for one in all_]
        named = [f"[{game}] {' '.join(say('subjects.appointment', about=short).split())}" for short in shorts]
        files = enumerate(zip(all_, named, strict=True), 1)
        return [attached(one, name, envelope.organizer, number) for number, (one, name) in files]


class AllPages:
    """Words each letter in the language of its reader, with or without pictures and links to an archive.

    Letters about none of the games are worded as by the first.
    """

    def __init__(self, games: Registry, *, pictures: bool = False, archive: str = "") -> None:
        self._games = games
        self.pictures = pictures
        self.archive = archive

    def mail(self, content: letters.Message, envelope: Envelope) -> Mail:
        game = self._games[envelope.kind] if envelope.kind else next(iter(self._games.values()))
        renderer = _renderer(game.presenter, envelope.language, pictures=self.pictures, archive=self.archive)
        return renderer.mail(content, envelope)


_renderer = cache(MailRenderer)


def _answers(part: Letter[Any]) -> bool:
    return isinstance(part.content, Reply)


def _main(parts: Sequence[Letter[Any]]) -> Letter[Any]:
    """What names the letter."""
    return next((part for part in parts if not _answers(part)), parts[0])


def _drawn(parts: Sequence[Letter[Any]]) -> Letter[Any]:
    """In which the pictures stand."""
    main = _main(parts)
    return next((part for part in (main, *parts) if part.scene()), main)


def _whole(
    parts: Sequence[Letter[Any]],
    facts: Facts,
    form: str,
    worded: Callable[[Letter[Any], Facts], str],
    facts_of: Callable[[Letter[Any]], Facts],
) -> str:
    """The answer to a letter, then what names this one, with all else among its news."""
    main = _main(parts)
    own = {"layout": f"mail/part.{form}.j2", "lead": "", "news": "", "follows": len(parts) > 1}
    others = [(part, facts_of(part)) for part in parts if part is not main]
    lead = [worded(part, {**told, **own, "titled": False}) for part, told in others if _answers(part)]
    news = [worded(part, {**told, **own, "titled": True}) for part, told in others if not _answers(part)]
    named = {"layout": f"mail/base.{form}.j2", "lead": _joined(lead), "news": _joined(news)}
    return worded(main, {**facts, **own, **named})


def _joined(bodies: Sequence[str]) -> str:
    """Of HTML as HTML."""
    return type(bodies[0])("\n").join(bodies) if bodies else ""


def _answered(subject: str) -> str:
    """The subject of an answer: a link says it with every choice, and needs no more of it than one reads in a list."""
    head, bracket, told = subject.removeprefix("Re: ").partition("] ")
    return f"Re: {head}{bracket}{told[:SUBJECT]}"


@cache
def letter_filters(presenter: Presenter) -> MoreFilters:
    """What templates of letters know beside the words of all."""
    return lambda wording: {**span_filters(wording), **answer_filters(presenter, wording)}


@cache
def _inliner() -> CSSInliner:
    from css_inline import CSSInliner  # noqa: PLC0415 - nobody but letters needs it

    return CSSInliner(load_remote_stylesheets=False, keep_at_rules=True, minify_css=True)
