"""Mails that are worded when a test opens them: wording takes a third of the time of a server, and few are looked into."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from msgspec.structs import asdict, replace

from pbem.adapters.composing import FromAddress, compose
from pbem.bootstrap import Server
from pbem.host.ports import Mail
from pbem.mail.mail_writer import Envelope, MailWriter, Unworded

ON_IT = ("message_id", "to", "reply_to", "returns", "in_reply_to", "references", "answers", "game")


class Unopened:
    """A `Mail` with all that stands on its envelope; whoever asks for more opens it."""

    def __init__(self, envelope: Envelope, worded: Callable[[], Mail]) -> None:
        self._worded = worded
        self.__dict__ |= {name: getattr(envelope, name) for name in ON_IT}

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__ or name not in Mail.__struct_fields__:
            raise AttributeError(name)
        self.__dict__ |= asdict(_sendable(self._worded()))
        return self.__dict__[name]

    def __eq__(self, other: object) -> bool:
        return all(getattr(self, name) == getattr(other, name, None) for name in Mail.__struct_fields__)

    __hash__ = None  # type: ignore[assignment]


def _sendable(mail: Mail) -> Mail:
    """The postman looks at what he carries: any text can be sent, but not any header."""
    compose(replace(mail, text="", html=mail.html and ""), FromAddress(address="pbem@pbem.test"), 0)
    return mail


class Writer(MailWriter):
    def worded(self, unworded: Unworded) -> Mail:
        return cast("Mail", Unopened(unworded.envelope, partial(super().worded, unworded)))


class Office(Server):
    """A server whose mails are as they would be, and worded as late as can be."""

    def writer(self) -> MailWriter:
        return Writer(self.mail, self.renderer())
