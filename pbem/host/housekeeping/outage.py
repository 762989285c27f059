"""What can be out of reach, and for how long that worries nobody."""

from __future__ import annotations

from enum import StrEnum

WORRYING = 3_600  # seconds; what mends itself before is nobody's business


class Outage(StrEnum):
    """What can be out of reach; a sentence of `Trouble` and one of `Relief` have its name."""

    mailbox = "mailbox"
    shelves = "shelves"
    post = "post"
    database = "books"
    slow = "slow_post"
    rounds = "rounds"  # see `watchdog`
    clock = "clock"  # see `clock_monitor`
