"""Links that write the answer: two taps, and it is on its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from html import unescape
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from pbem.adapters.mail_renderer.teller import Asked
from pbem.core.languages import LANGUAGES
from pbem.core.presenter import Presenter, View
from pbem.host.commands.table import COMMANDS
from pbem.host.ports import Attachment
from pbem.render.fragment import fragment, packed
from pbem.render.order_page import order_copy, order_path
from pbem.render.wording import Wording, own_sentences


class Answering(Struct, frozen=True, kw_only=True):
    """How the letter that is being worded is answered."""

    to: str  # with what proves whose the answer is, there or in the subject
    subject: str
    pages: str = ""  # the address of the archive; "" where there is none
    position: str = ""  # there, as JSON, after the last turn that is over; "" for none
    attached: bool = False  # does the page to order from come with it?

    def link(self, text: str) -> str:
        """A letter with that text, as a URI."""
        return mailto(self.to, self.subject, text)


class Tongue(Struct, frozen=True, kw_only=True):
    """A language that our letters could be in."""

    language: str
    line: str  # how to choose it, in that language
    link: str  # that writes so


ANSWERING: ContextVar[Answering | None] = ContextVar("answering", default=None)


def mailto(address: str, subject: str, body: str) -> str:
    """RFC 6068; lines end as section 5 has it."""
    text = quote(body.replace("\n", "\r\n"))
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject)}&body={text}"


def answer_filters(presenter: Presenter, wording: Wording) -> Mapping[str, Callable[..., Any]]:
    """`TEXT|mailto`, an answer in our reader's words; `QUESTION|page`, the page to order from with all its answers.

    `QUESTION|file`: what that page is called among the attachments. Where there is none, all of them are "".
    `LANGUAGE|tongues`: the other languages, each offered in its own words.
    """

    def link(text: str) -> str:
        answering = ANSWERING.get()
        return answering.link(wording.order(text)) if answering else ""

    def page(asked: Asked) -> str:
        answering = ANSWERING.get()
        pointing = presenter.pages.pointing
        if answering is None or not answering.pages or pointing is None or not can_be_pointed_at(asked, presenter):
            return ""
        packed = fragment(told(asked, answering, presenter, wording), pointing.stock)
        return f"{answering.pages}{order_path(presenter)}#{packed}"

    def file(asked: Asked) -> str:
        answering = ANSWERING.get()
        attached = answering is not None and answering.attached and can_be_pointed_at(asked, presenter)
        return file_name(asked) if attached else ""

    def tongues(own: str) -> list[Tongue]:
        answering = ANSWERING.get()
        others = [language for language in LANGUAGES if language != own]
        return [
            Tongue(
                language=language,
                line=own_sentences("templates/mail", language)["says.in_this_language"],
                link=answering.link(f"language {language}") if answering else "",
            )
            for language in others
        ]

    return {"mailto": link, "page": page, "file": file, "tongues": tongues}


def can_be_pointed_at(asked: Asked, presenter: Presenter) -> bool:
    return bool(asked.choices and asked.choices.of) and presenter.pages.pointing is not None


def file_name(asked: Asked) -> str:
    """Of the page that is attached for a question."""
    return f"order-{asked.awaited.about or asked.awaited.kind}.html"


def told(asked: Asked, answering: Answering, presenter: Presenter, wording: Wording) -> Mapping[str, Any]:
    """What the page to order from is told of a question."""
    assert asked.choices is not None
    language = wording.say("language")
    brings = presenter.brings(asked.facts or {}, wording)
    deadline, key = asked.awaited.deadline, f"questions.{asked.awaited.kind}.subject"
    return {
        "l": language,
        "o": answering.to,
        "s": answering.subject,
        "q": _plain(wording.say(key, about=asked.awaited.about, **asked.facts or {})),
        "d": "" if deadline is None else _plain(wording.say("says.deadline", when=wording.times.moment(deadline))),
        "k": [asked.awaited.kind, asked.awaited.about],
        "u": answering.position,
        "c": packed(
            asked.choices, lambda choice: _plain(brings.get(choice.key, "")), presenter.voice.in_orders(language)
        ),
    }


def order_file(asked: Asked, answering: Answering, view: View, presenter: Presenter, wording: Wording) -> Attachment:
    """The page to order from with all that it needs: no archive, no net."""
    letter = {**told(asked, answering, presenter, wording), "p": view}
    page = order_copy(presenter, COMMANDS.sentences, wording.say("language"), letter)
    return Attachment(name=file_name(asked), type="text/html; charset=utf-8", data=page.encode())


def _plain(said: str) -> str:
    """Without what HTML needs."""
    return unescape(said)
