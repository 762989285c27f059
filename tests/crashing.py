"""Daemons that die when told to, for tests: one process that knows everything forks one for each life.

It reads lives as lines of JSON from stdin and writes a line for each: was it killed? In a life two rounds are gone;
at the step it is told, the process kills itself as the kernel would (SIGKILL). A life without such a step is lived by the
first process itself, which learns by it what its children then need not learn. Steps are before and after each thing
that the daemon does to the world: every transaction, every letter, every mail, every line of IMAP and SMTP.
"""

from __future__ import annotations

import imaplib
import json
import os
import signal
import smtplib
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from pbem.adapters.clock import FastClock
from pbem.adapters.composing import FromAddress
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp import SmtpSettings, SmtpTransport
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server
from pbem.daemon import Daemon
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Mail, MailFolder, RawLetter, Repository
from tests.service.bureau import HOST, IDENTITY, OPERATOR

PASSWORD = "open sesame"
LEASE = 77  # seconds for which a mail is a daemon's


class Steps:
    """Counts what is done, and dies at the step that it is told."""

    def __init__(self, last: int | None) -> None:
        self.taken: list[str] = []
        self._last = last
        self._lock = Lock()  # several mails may be under way

    def take(self, name: str) -> None:
        with self._lock:
            self.taken.append(name)
            if len(self.taken) == self._last:
                os.kill(os.getpid(), signal.SIGKILL)

    def around(self, name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def stepping(*what: Any, **more: Any) -> Any:
            self.take(f"before {name}")
            done = act(*what, **more)
            self.take(f"after {name}")
            return done

        return stepping


class SteppingMailbox:
    def __init__(self, mailbox: ImapMailbox, steps: Steps) -> None:
        self._mailbox = mailbox
        self._steps = steps
        self.shelve = steps.around("shelving", mailbox.shelve)

    def unread(self) -> Iterator[RawLetter]:
        for letter in self._steps.around("looking", self._mailbox.unread)():
            self._steps.take("letter in hand")
            yield letter

    def heads(self) -> Iterable[RawLetter]:
        return self._mailbox.heads()

    def fetch(self, heads: Sequence[RawLetter]) -> Iterator[RawLetter]:
        for letter in self._steps.around("fetching", self._mailbox.fetch)(heads):
            self._steps.take("letter in hand")
            yield letter

    def shelve(self, letters: Sequence[tuple[RawLetter, MailFolder]]) -> None:
        raise NotImplementedError

    def wait(self, seconds: float) -> None:
        raise NotImplementedError

    def expire(self, shelf: MailFolder, before: int, known: Callable[[str], bool]) -> int:
        return self._mailbox.expire(shelf, before, known)

    @property
    def stuck(self) -> str | None:
        return self._mailbox.stuck


class SteppingPostman:
    def __init__(self, postman: SmtpTransport, steps: Steps) -> None:
        self._send = steps.around("mail", postman.send)

    def send(self, mail: Mail) -> None:
        self._send(mail)


class SteppingStore:
    def __init__(self, store: SqlStore, steps: Steps) -> None:
        self._store = store
        self._steps = steps
        self.locks = store.locks

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[Repository]:
        with self._store.transaction(durable=durable) as repository:
            yield repository
            self._steps.take("before commit")
        self._steps.take("after commit")

    def secure(self) -> None:
        self._steps.around("securing", self._store.secure)()

    def close(self) -> None:
        self._store.close()


def live(life: dict[str, Any]) -> None:
    """Two rounds of a daemon, or what it has of them until its last step."""
    steps = Steps(life["last"])
    with stepping_lines(steps):
        _live(life, steps)
    Path(life["steps"]).write_text(json.dumps(steps.taken))


@contextmanager
def stepping_lines(steps: Steps) -> Iterator[None]:
    """Each line that is sent to a mail server is a step."""
    imap, smtp = imaplib.IMAP4.send, smtplib.SMTP.send
    imaplib.IMAP4.send = steps.around("line of IMAP", imap)  # type: ignore[method-assign]
    smtplib.SMTP.send = steps.around("line of SMTP", smtp)  # type: ignore[method-assign]
    yield
    imaplib.IMAP4.send, smtplib.SMTP.send = imap, smtp  # type: ignore[method-assign]


def _live(life: dict[str, Any], steps: Steps) -> None:
    clock = FastClock(life["now"], speed=0)
    store = SteppingStore(SqlStore(f"sqlite:///{life['database']}"), steps)
    imap = ImapSettings(
        host=life["host"], port=life["imap"], user=HOST, password=PASSWORD, security="none", longest=100_000
    )
    smtp = SmtpSettings(host=life["host"], port=life["smtp"], sender=FromAddress(address=HOST), security="none")
    server = Server(store, clock, HostIdentity(domain="pbem.test", operator=OPERATOR), IDENTITY, lease=LEASE)
    with closing(ImapMailbox(imap)) as mailbox, ExitStack() as lines:
        transports = [lines.enter_context(closing(SmtpTransport(smtp, clock))) for _ in range(life["lines"])]
        first, *more = [SteppingPostman(each, steps) for each in transports]
        daemon = Daemon(server, SteppingMailbox(mailbox, steps), first, 60.0, more=more)
        for _ in range(2):
            assert daemon.tick()
    store.close()


def main() -> None:
    for line in sys.stdin:
        if json.loads(line)["last"] is None:
            live(json.loads(line))
            print(json.dumps({"killed": False, "code": 0}), flush=True)
            continue
        child = os.fork()
        if child == 0:
            code = 1
            try:
                live(json.loads(line))
                code = 0
            except BaseException:  # noqa: BLE001 - nothing may go on in the child
                traceback.print_exc()
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status)
        print(json.dumps({"killed": killed, "code": None if killed else os.WEXITSTATUS(status)}), flush=True)


if __name__ == "__main__":
    main()
