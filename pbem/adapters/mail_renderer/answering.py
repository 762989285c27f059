"""Links that write the answer: two taps, and it is on its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from html import unescape
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from pbem.adapters.mail_renderer.teller import Asked
from pbem.core.choice import Step
from pbem.core.presenter import Presenter
from pbem.render.fragment import fragment, packed
from pbem.render.order_page import order_path
from pbem.render.wording import Wording


class Answering(Struct, frozen=True, kw_only=True):
    """How the letter that is being worded is answered."""

    to: str  # with what proves whose the answer is, there or in the subject
    subject: str
    pages: str = ""  # the address of the archive; "" where there is none
    position: str = ""  # there, as JSON; "" for none

    def link(self, text: str) -> str:
        """A letter with that text, as a URI."""
        return mailto(self.to, self.subject, text)


ANSWERING: ContextVar[Answering | None] = ContextVar("answering", default=None)


def mailto(address: str, subject: str, body: str) -> str:
    """RFC 6068; lines end as section 5 has it."""
    text = quote(body.replace("\n", "\r\n"))
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject)}&body={text}"


def answer_filters(presenter: Presenter, wording: Wording) -> Mapping[str, Callable[..., Any]]:
    """`TEXT|mailto`, an answer in our reader's words; `QUESTION|page`, the page to order from with all its answers."""

    def link(text: str) -> str:
        answering = ANSWERING.get()
        return answering.link(wording.order(text)) if answering else ""

    def page(asked: Asked) -> str:
        answering = ANSWERING.get()
        if answering is None or not answering.pages or not asked.choices or presenter.pages.pointing is None:
            return ""
        return f"{answering.pages}{order_path(presenter)}#{fragment(told(asked, asked.choices, answering))}"

    def told(asked: Asked, choices: Step, answering: Answering) -> Mapping[str, Any]:
        brings = presenter.brings(asked.facts or {}, wording)
        deadline, key = asked.awaited.deadline, f"questions.{asked.awaited.kind}.subject"
        return {
            "l": wording.say("language"),
            "o": answering.to,
            "s": answering.subject,
            "q": _plain(wording.say(key, about=asked.awaited.about, **asked.facts or {})),
            "d": "" if deadline is None else _plain(wording.say("says.deadline", when=wording.times.moment(deadline))),
            "u": answering.position,
            "c": packed(choices, lambda choice: _plain(brings.get(choice.key, ""))),
        }

    return {"mailto": link, "page": page}


def _plain(said: str) -> str:
    """Without what HTML needs."""
    return unescape(said)
