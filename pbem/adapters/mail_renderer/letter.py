"""A kind of letter: what its templates are given, its subject, and what comes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from pbem.adapters.mail_renderer.teller import Teller
from pbem.core.presenter import Event, View
from pbem.host.messages import letters
from pbem.host.ports import Attachment

C = TypeVar("C", bound=Struct)


class Scene(Struct, frozen=True, kw_only=True):
    """A position for a picture, with what has changed since the reader was told last."""

    view: View
    before: View | None = None
    events: Sequence[Event] = ()


class Online(Struct, frozen=True, kw_only=True):
    """A page of the archive."""

    path: str
    turn: bool  # does it tell one turn, or the game?


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

    def online(self) -> Online | None:
        """Where the archive tells the same for good."""
        return None

    def attachments(self) -> Sequence[Attachment]:
        """What is to be kept with the letter."""
        return ()


def fellows(letter: letters.Substitute | letters.Invitation) -> list[str]:
    return [seat for seat in letter.players if seat != letter.seat]


def for_another(letter: letters.Question | letters.Reminder, subject: str, teller: Teller) -> str:
    """The subject, where the reader writes for somebody who is away."""
    return subject if letter.until is None else teller.say("subjects.stead", seat=letter.seat, subject=subject)
