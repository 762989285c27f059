"""One of several daemons, in a process of its own, that works while it is told to; tests and benches start it.

Lines of JSON on its input: `{"now": 1700000000}` sets its clock and lets it work, `{}` lets it finish its round and say
what it has done so far; at the end of its input it ends.
"""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from pbem.adapters.composing import FromAddress
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp import SmtpSettings, SmtpTransport
from pbem.adapters.store.sql import SqlBooks, SqlStore
from pbem.bootstrap import Server
from pbem.daemon import Daemon
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Conflict, Mail, Taken
from pbem.host.session.identity import Identity
from pbem.mail import sorting
from pbem.mail.delivery import LEASE
from tests.fakes import FakeClock

CHECKOUT = Path(__file__).resolve().parent.parent  # where it runs, as `python -m tests.worker`
PASSWORD = "open sesame"
REST = 0.1  # seconds


class Steps(Counter[str]):
    """Counts what is done, and kills the process at one of them."""

    def __init__(self, dies_at: tuple[str, int] | None) -> None:
        super().__init__()
        self._dies_at = dies_at

    def take(self, what: str) -> None:
        self[what] += 1
        if self._dies_at is not None and (what, self[what]) == tuple(self._dies_at):
            os.kill(os.getpid(), signal.SIGKILL)


class Counting(SqlStore):
    """Counts transactions, and those that were refused because others were at work."""

    def __init__(self, url: str, steps: Steps) -> None:
        self._steps = steps
        super().__init__(url)

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[SqlBooks]:
        try:
            with super().transaction(durable=durable) as books:
                yield books
                self._steps.take("before commit")
        except (Conflict, Taken):
            self._steps.take("conflict")
            raise


class Handling(logging.Handler):
    """Counts letters that were dealt with and handed over, and tells what else there is to tell."""

    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self._steps = steps

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            print(self.format(record), file=sys.stderr, flush=True)
        self._steps.take(record.msg.partition(";")[0])


class Postman(SmtpTransport):
    def __init__(self, settings: SmtpSettings, clock: FakeClock, steps: Steps) -> None:
        super().__init__(settings, clock)
        self._steps = steps

    def send(self, mail: Mail) -> None:
        self._steps.take("before mail")
        super().send(mail)
        self._steps.take("after mail")


def work(life: dict[str, Any]) -> None:
    sorting.IN_HAND = life.get("in_hand", sorting.IN_HAND)
    clock, steps = FakeClock(life["now"]), Steps(life.get("dies_at"))
    store = Counting(life["database"], steps)
    imap = ImapSettings(host=life["host"], port=life["imap"], user=life["us"], password=PASSWORD, security="none")
    sender = FromAddress(address=life["us"])
    smtp = SmtpSettings(host=life["host"], port=life["smtp"], sender=sender, security="none")
    host = HostIdentity(domain=life["us"].partition("@")[2], operator=life["operator"])
    identity = Identity(key=life["key"].encode(), address=life["us"])
    server = Server(store, clock, host, identity, lease=life.get("lease", LEASE))
    log = logging.getLogger("pbem")
    log.setLevel(logging.INFO)
    log.addHandler(Handling(steps))
    with closing(store), closing(ImapMailbox(imap)) as mailbox, closing(Postman(smtp, clock, steps)) as postman:
        archivist = server.archivist(Path(life["archive"])) if "archive" in life else None
        daemon = Daemon(server, mailbox, postman, 1.0, archivist)
        is_at_work = False
        while True:
            if not is_at_work or select.select([sys.stdin], [], [], 0)[0]:
                line = sys.stdin.readline()
                if not line:
                    return
                said = json.loads(line)
                is_at_work = "now" in said
                clock.set(said.get("now", clock.now()))
                print(json.dumps({**steps, "processor": time.process_time()}), flush=True)
            elif not _did_any(daemon, steps):
                mailbox.wait(REST)


def _did_any(daemon: Daemon, steps: Steps) -> bool:
    """A round; was there anything to do?"""
    before = steps["letter dealt with"] + steps["letter handed over"]
    daemon.tick()
    return steps["letter dealt with"] + steps["letter handed over"] > before


if __name__ == "__main__":
    work(json.loads(sys.argv[1]))
