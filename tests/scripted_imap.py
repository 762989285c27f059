"""A small IMAP server (RFC 3501) that does what the test tells it to, over real sockets."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from tests.scripted import CLOSE, HANG, Gone, Line, ScriptedServer

ALL = "IMAP4rev1 AUTH=PLAIN IDLE MOVE UIDPLUS"
BYE = "bye"  # say so, and hang up

Twist = Callable[[Line, str, str], None]  # the line, the tag and the arguments; it answers all by itself


class Held(Struct, frozen=True):
    """A letter in the inbox."""

    uid: int
    raw: bytes
    arrived: int
    size: int


class ImapScript(ScriptedServer):
    """A mailbox with folders; `once` and `always` have it answer a command in another way.

    What it can be told: HANG, CLOSE, BYE, a tagged answer such as "NO [OVERQUOTA] full", or a `Twist`. The command is
    its verb, as in the protocol: "SELECT", "UID FETCH", "GREETING" when somebody calls.
    """

    def __init__(
        self, *, capabilities: str = ALL, let_in: Callable[[str, str], bool] = lambda *_: True, **more: Any
    ) -> None:
        super().__init__(**more)
        self.capabilities = capabilities
        self.fast = 0  # seconds by which its clock is
        self.uidvalidity = 1
        self.writable = True
        self.inbox: list[Held] = []
        self.folders: dict[str, list[bytes]] = {}
        self.news: list[str] = []  # told before the next tagged answer
        self._let_in = let_in
        self._next_uid = 1
        self._once: list[tuple[str, Any]] = []
        self._always: dict[str, Any] = {}
        self._flagged: set[int] = set()

    # -- what a test does ---

    def plant(self, raw: bytes, arrived: int, *, size: int | None = None) -> Held:
        """Let a letter arrive; `size` is what the server says of it, if that is not the truth."""
        self.inbox.append(Held(self._next_uid, raw, arrived, len(raw) if size is None else size))
        self._next_uid += 1
        return self.inbox[-1]

    def once(self, command: str, told: str | Twist, *, after: int = 0) -> None:
        """Do this the next time, or when the command has come so often before."""
        self._once += [(command, None)] * after + [(command, told)]

    def always(self, command: str, told: str | Twist | None) -> None:
        """Do this each time; None: what is right."""
        self._always[command] = told

    def renumber(self) -> None:
        """As after a backup: the same letters, with numbers that meant others before."""
        self.uidvalidity += 1
        self.inbox = [Held(number, each.raw, each.arrived, each.size) for number, each in enumerate(self.inbox, 1)]

    def commands(self) -> list[str]:
        """The verbs of all that was asked, in order."""
        return [_split(said.decode("utf-8", "replace"))[1] for said in self.said if b" " in said]

    # -- the protocol ---

    def talk(self, line: Line) -> None:
        self._answer(line, "*", "GREETING", "")
        while True:
            tag, verb, arguments = _split(line.hear().decode("utf-8", "replace"))
            self._answer(line, tag, verb, arguments)
            if verb == "LOGOUT":
                return

    def _answer(self, line: Line, tag: str, verb: str, arguments: str) -> None:
        told = self._told(verb)
        if told in (HANG, CLOSE, BYE):
            if told == HANG:
                line.hang()
            if told == BYE:
                line.say("* BYE closing")
            raise Gone
        if callable(told):
            told(line, tag, arguments)
        elif told is not None:
            line.say(f"{tag} {told}")
        else:
            self.right(line, tag, verb, arguments)

    def _told(self, verb: str) -> Any:
        for number, (command, told) in enumerate(self._once):
            if command == verb:
                del self._once[number]
                if told is not None:
                    return told
                break
        return self._always.get(verb)

    def right(self, line: Line, tag: str, verb: str, arguments: str) -> None:
        """What a server says that knows no tricks."""
        if verb == "GREETING":
            line.say(f"* OK [CAPABILITY {self.capabilities}] ready")
        elif verb in ("SELECT", "EXAMINE"):
            self._select(line, tag, writable=self.writable and verb == "SELECT")
        elif verb == "AUTHENTICATE" and not self._authenticate(line, arguments):
            line.say(f"{tag} NO [AUTHENTICATIONFAILED] no")
        else:
            self._do(line, verb, arguments)
            while self.news:
                line.say(self.news.pop(0))
            line.say(f"{tag} OK done")

    def _authenticate(self, line: Line, mechanism: str) -> bool:
        line.say("+ ")
        return self._let_in(mechanism.upper(), line.hear().decode())

    def _do(self, line: Line, verb: str, arguments: str) -> None:
        match verb:
            case "CAPABILITY":
                line.say(f"* CAPABILITY {self.capabilities}")
            case "LIST":
                self._list(line, arguments)
            case "CREATE":
                self.folders.setdefault(arguments.strip('"'), [])
            case "APPEND":
                line.say("+ go on")
                self.plant(line.take(int(arguments.rpartition("{")[2].rstrip("+}"))), int(time.time()) + self.fast)
                line.hear()
            case "UID SEARCH":
                line.say(" ".join(["* SEARCH", *(str(each.uid) for each in self.inbox)]))
            case "UID FETCH":
                self.fetch(line, arguments)
            case "UID MOVE":
                self._copy(arguments)
                self._remove(line, _uids(arguments))
            case "UID COPY":
                self._copy(arguments)
            case "UID STORE":
                self._flagged |= _uids(arguments)
            case "EXPUNGE" | "UID EXPUNGE":
                self._remove(line, self._flagged)
            case "IDLE":
                line.say("+ idling")
                line.hear()
            case "LOGOUT":
                line.say("* BYE")

    def _list(self, line: Line, arguments: str) -> None:
        name = arguments.rsplit(maxsplit=1)[-1].strip('"')
        if name in ("", "INBOX", *self.folders):
            line.say(f'* LIST () "/" "{name}"')

    def _select(self, line: Line, tag: str, *, writable: bool) -> None:
        line.say(f"* {len(self.inbox)} EXISTS\r\n* 0 RECENT\r\n* FLAGS (\\Deleted)")
        line.say(f"* OK [UIDVALIDITY {self.uidvalidity}]\r\n* OK [UIDNEXT {self._next_uid}]")
        line.say(f"{tag} OK [{'READ-WRITE' if writable else 'READ-ONLY'}] done")

    def fetch(self, line: Line, arguments: str) -> None:
        """The untagged answers to a FETCH."""
        for number, letter in enumerate(self.inbox, 1):
            if letter.uid in _uids(arguments):
                line.send(b"* %d FETCH (UID %d %s)\r\n" % (number, letter.uid, _parts(letter, arguments)))

    def _copy(self, arguments: str) -> None:
        folder = arguments.rsplit(maxsplit=1)[-1].strip('"')
        self.folders[folder] += [each.raw for each in self.inbox if each.uid in _uids(arguments)]

    def _remove(self, line: Line, uids: set[int]) -> None:
        gone = [number for number, each in enumerate(self.inbox, 1) if each.uid in uids]
        for number in reversed(gone):
            line.say(f"* {number} EXPUNGE")
        self.inbox = [each for each in self.inbox if each.uid not in uids]


def _split(text: str) -> tuple[str, str, str]:
    """Tag, verb and arguments."""
    tag, _, rest = text.partition(" ")
    verb, _, arguments = rest.partition(" ")
    if verb.upper() == "UID":
        verb, _, arguments = arguments.partition(" ")
        verb = f"UID {verb}"
    return tag, verb.upper(), arguments


def _uids(arguments: str) -> set[int]:
    return {int(each) for each in arguments.split(maxsplit=1)[0].split(",")}


def _parts(letter: Held, arguments: str) -> bytes:
    date = datetime.fromtimestamp(letter.arrived, UTC).strftime("%d-%b-%Y %H:%M:%S +0000")
    facts = {"RFC822.SIZE": b"%d" % letter.size, "INTERNALDATE": b'"%s"' % date.encode()}
    found = [name.encode() + b" " + value for name, value in facts.items() if name in arguments]
    for section, start, length in re.findall(r"BODY\.PEEK\[(\w*)\]<(\d+)\.(\d+)>", arguments):
        raw = letter.raw if not section else letter.raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        piece = raw[int(start) : int(start) + int(length)]
        found.append(b"BODY[%s]<%s> {%d}\r\n%s" % (section.encode(), start.encode(), len(piece), piece))
    return b" ".join(found)
