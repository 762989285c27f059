"""Several workers on one PostgreSQL: letters that wait, each of them orders in a game of its own.

Everything is real: PostgreSQL, Dovecot, processes of their own, and Postfix's `smtp-sink` that takes the mail; only the
instant is said to the workers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from books import played_first
from crew import staged


def throughput(letters: int, games: int, crews: Sequence[int]) -> None:
    alone, first = 0.0, played_first(games)
    for workers in crews:
        with staged(first, games, played=letters, workers=workers) as (books, office, crew):
            now = books.clock.now() + 60
            asked = {number: seat for number, _, seat, _ in reversed(books.asked(0))}
            found = [books.written(number, seat) for number, seat in sorted(asked.items())]
            written = [(now, each) for each in found if each]
            office.add(written)
            done = crew.work(now)
            mails, took = done["letter handed over"], done["clock"]
            alone = alone or len(written) / took
            print(
                f"{workers} workers among {games} games: {len(written)} letters and {mails} mails in {took:.1f} s: "
                f"{len(written) / took:.2f} letters and {mails / took:.1f} mails a second, "
                f"{len(written) / took / alone:.2f} times one; processor: workers "
                f"{done['processor'] / len(written) * 1e3:.0f} ms and database "
                f"{done['database'] / len(written) * 1e3:.0f} ms a letter; {done['before commit']} transactions, "
                f"{done['conflict']} refused",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--letters", type=int, default=200)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    said = parser.parse_args()
    throughput(said.letters, said.games, said.workers)


if __name__ == "__main__":
    main()
