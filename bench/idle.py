"""A server on which nothing happens: what goes to the disk in ten minutes, and its share of a processor."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from mail import crowd, wired

AMONG = (100, 10_000)  # games
SPAN, POLL = 600, 60  # seconds that are looked at, and from one round to the next where no letter comes
SETTLED = 15  # rounds, after which nothing is left to be done of the games' beginning


def written() -> int:
    """Bytes that this process has had written to disks."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


def idle(games: int) -> tuple[int, float]:
    """Bytes, and seconds of the processor."""
    with wired() as wire, tempfile.TemporaryDirectory() as archive:
        crowd(wire.table, games)
        wire.daemon = wire.served(wire.table.server.archivist(Path(archive)))

        def rounds(number: int) -> None:
            for _ in range(number):
                wire.table.clock.skip(POLL)
                wire.daemon.tick()

        rounds(SETTLED)
        before, began = written(), time.thread_time()
        rounds(SPAN // POLL)
        return written() - before, time.thread_time() - began


def main() -> None:
    for games in AMONG:
        size, took = idle(games)
        share = f"{took / SPAN:.3%} of a processor"
        print(
            f"{games} games, nothing happens for {SPAN // 60} minutes: {size / 1_000:.0f} kB written, {share}",
            flush=True,
        )


if __name__ == "__main__":
    main()
