"""Servers that say what the test tells them to, over real sockets: for all that goes wrong on a wire."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

from msgspec import Struct

from tests.servers import HOST

HANG = "hang"  # say nothing any more
CLOSE = "close"  # hang up
PATIENCE = 600.0  # seconds


class Gone(Exception):
    """The other side has hung up, or we have."""


class Line:
    """One connection, a line at a time."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self.said: list[bytes] = []  # by the client
        self._left = b""

    def say(self, text: str | bytes) -> None:
        """One line, or several; the end of the last one is added."""
        self.send((text.encode() if isinstance(text, str) else text) + b"\r\n")

    def send(self, raw: bytes) -> None:
        try:
            self.end.sendall(raw)
        except OSError:
            raise Gone from None

    def hear(self) -> bytes:
        """The client's next line, without its end."""
        while b"\n" not in self._left:
            self._left += self._more()
        line, _, self._left = self._left.partition(b"\n")
        self.said.append(line.rstrip(b"\r"))
        return self.said[-1]

    def take(self, count: int) -> bytes:
        """So many bytes of what the client says next."""
        while len(self._left) < count:
            self._left += self._more()
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def hang(self) -> None:
        """Listen without a word until the client hangs up."""
        while True:
            self._more()

    def close(self) -> None:
        with suppress(OSError):
            self.end.shutdown(socket.SHUT_RDWR)
        self.end.close()

    def secure(self, context: ssl.SSLContext) -> None:
        """Speak TLS from now on."""
        try:
            self.end = context.wrap_socket(self.end, server_side=True)
        except OSError:
            raise Gone from None
        self._left = b""

    def _more(self) -> bytes:
        try:
            data = self.end.recv(65536)
        except OSError:
            raise Gone from None
        if not data:
            raise Gone
        return data


class ScriptedServer:
    """Listens on a loopback port; each connection is a call of `talk` in a thread of its own."""

    def __init__(self, context: ssl.SSLContext | None = None, *, tls_at_once: bool = False) -> None:
        self.context = context
        self.lines: list[Line] = []
        self._at_once = tls_at_once
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for line in self.lines:
            line.close()
        for thread in self._threads:
            thread.join(PATIENCE)

    def talk(self, line: Line) -> None:
        raise NotImplementedError

    @property
    def said(self) -> list[bytes]:
        """All that clients have said, line by line."""
        return [said for line in self.lines for said in line.said]

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                end, _ = self._listener.accept()
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.lines.append(Line(end))
                self._start(self._serve, self.lines[-1])

    def _serve(self, line: Line) -> None:
        with suppress(Gone):
            if self._at_once and self.context is not None:
                line.secure(self.context)
            self.talk(line)
        line.close()

    def _start(self, work: Callable[..., None], *what: object) -> None:
        thread = threading.Thread(target=work, args=what, daemon=True)
        self._threads.append(thread)
        thread.start()


# -- SMTP ---


class Delivered(Struct, frozen=True):
    """A letter that has got to its end, whatever the server said then."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes


class SmtpScript(ScriptedServer):
    """A mail server; `answers` has for a command what it says to it, instead of what would be right.

    That is a reply, HANG or CLOSE, or a list of these, one for each time, None for what is right; after the list
    all is well. Beside the commands there are `greeting`, `inside` (after the first line of a letter) and `end`
    (after its last).
    """

    def __init__(
        self,
        answers: Mapping[str, Any] | None = None,
        *,
        offers: Sequence[str] = ("8BITMIME",),
        let_in: Callable[[str], str] = lambda _: "235 welcome",
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self.letters: list[Delivered] = []
        self.on_delivery: Callable[[], object] = lambda: None
        self._answers = {key: list(told) if isinstance(told, list) else told for key, told in (answers or {}).items()}
        self._offers = offers
        self._let_in = let_in

    def talk(self, line: Line) -> None:
        self._say(line, "greeting", "220 mx.pbem.test ready")
        sender, recipients = "", [""]
        while True:
            words = line.hear().decode("ascii", "replace")
            verb = words.partition(" ")[0].lower()
            if verb == "mail":
                sender, recipients = words, []
            elif verb == "rcpt":
                recipients.append(words)
            elif verb == "data":
                self._data(line, sender, recipients)
                continue
            self._say(line, verb, self._right(verb, words))
            if verb == "starttls" and self.context is not None:
                line.secure(self.context)
            if verb == "quit":
                return

    def _right(self, verb: str, words: str) -> str:
        match verb:
            case "ehlo":
                return "".join(f"250-{offer}\r\n" for offer in ("mx.pbem.test", *self._offers)) + "250 HELP"
            case "auth":
                return self._let_in(words)
            case "starttls":
                return "220 go on"
            case _:
                return "250 OK"

    def _data(self, line: Line, sender: str, recipients: Sequence[str]) -> None:
        if not self._say(line, "data", "354 go on").startswith("354"):
            return
        raw, first = b"", True
        while (text := line.hear()) != b".":
            raw += text.removeprefix(b".") + b"\r\n"
            if first and "inside" in self._answers:
                self._say(line, "inside", "")
            first = False
        addresses = tuple(each.partition("<")[2].partition(">")[0] for each in recipients)
        self.letters.append(Delivered(sender.partition("<")[2].partition(">")[0], addresses, raw))
        self.on_delivery()
        self._say(line, "end", "250 OK")

    def _say(self, line: Line, when: str, right: str) -> str:
        """What is told for this occasion, else what is right."""
        told = self._answers.get(when)
        if isinstance(told, list):
            told = told.pop(0) if told else None
        if told == HANG:
            line.hang()
        if told == CLOSE:
            raise Gone
        reply = right if told is None else str(told)
        if reply:
            line.say(reply)
        return reply
