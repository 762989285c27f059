"""The archive: what one more turn costs among few and many games, what a game's end costs, and what pages weigh."""

from __future__ import annotations

import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from letter import Table
from msgspec.structs import replace

from pbem.adapters.site.files import Folder
from pbem.adapters.site.lists import list_of
from pbem.adapters.site.records import Card, Tallies, flat, nested_cards
from pbem.adapters.site.tables import counted
from pbem.games.imperial import GAME

AMONG = (50, 200, 1_000)  # games


class Club(Table):
    """A table of six with an archive."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.root = folder / "archive"
        self.archivist = self.server.archivist(self.root)

    def play(self) -> list[float]:
        """Seconds of the processor that the archive took for each turn of a new game."""
        self.tag = self._begin()
        self.archivist.update()
        times = []
        while (order := self.next_order()) is not None:
            self.write(*order, self.tag)
            self.clock.skip(3_600)
            if self.has_moved():
                began = time.process_time()
                self.archivist.update()
                times.append(time.process_time() - began)
        return times

    def has_moved(self) -> bool:
        with self.server.games.work() as desk:
            return bool(desk.repository.moved())


def crowd(root: Path, games: int) -> None:
    """So many finished games in the archive's lists and tables, each of six people of its own: copies of the first."""
    folder = Folder(root)
    first = (folder.load("data/games/imp-1.json", dict[str, Card], nested_cards) or {})["imp-1"]
    # the list in which the next games will stand is full, too; numbers up to 10 are those of the games that are played
    tags = [*(f"imp-{number}" for number in range(11, 51)), *(f"old-{number}" for number in range(1, games - 39))]
    cards = [_copy(first, tag, place) for place, tag in enumerate(tags[:games], 100)]
    lists: dict[str, dict[str, Card]] = {}
    for card in [first, *cards]:
        lists.setdefault(list_of(card.game), {})[card.game] = card
    for name, own in lists.items():
        folder.store(f"data/games/{name}.json", flat(own))
    folder.store("data/lists.json", sorted(lists, key=lambda name: name.startswith("imp"), reverse=True))
    folder.store("data/league.json", flat(counted(Tallies(), [first, *cards], lambda _: GAME.presenter.pages)))


def _copy(card: Card, tag: str, place: int) -> Card:
    return replace(card, game=tag, people={seat: 6 * place + n for n, seat in enumerate(card.seats)})


def heaviest(root: Path, pattern: str) -> tuple[int, str]:
    """Bytes of the heaviest of these pages with what lies on its board, style and scripts, and which it is."""
    shared = sum(file.stat().st_size for file in (root / "assets").iterdir())
    return max((file.stat().st_size + shared, str(file.relative_to(root))) for file in root.glob(pattern))


def parts(folder: Path) -> str:
    """What a game's bytes are, turn by turn and all together."""
    turns = len(list(folder.glob("turn-*")))
    kinds = {
        "pages": "turn-*/index.html",
        "positions": "turn-*/position.json",
        "reports": "reports.mbox",
        "log": "log.jsonl",
        "words": "search.js",
    }
    sizes = {kind: sum(file.stat().st_size for file in folder.glob(pattern)) for kind, pattern in kinds.items()}
    return ", ".join(f"{kind} {size / 1e3 / turns:.1f}" for kind, size in sizes.items())


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        club = Club(Path(place))
        times = club.play()
        print(f"{len(times)} turns of one game alone: median {statistics.median(times) * 1e3:.1f} ms")
        alone = statistics.median(times)
        for games in AMONG:
            crowd(club.root, games)
            times = club.play()
            median = statistics.median(times)
            size = sum(file.stat().st_size for file in (club.root / club.tag).rglob("*"))
            print(
                f"among {games} games: median {median * 1e3:.1f} ms a turn, {median / alone:.2f} of what it is alone; "
                f"the last turn, with the tables, {times[-1] * 1e3:.0f} ms; the game's folder {size / 1e6:.1f} MB"
            )
        print(f"kB for each turn of the last game: {parts(club.root / club.tag)}")
        shared = sum(file.stat().st_size for file in (club.root / "boards").iterdir())
        print(f"kB of the boards' files that all pages share: {shared / 1e3:.0f}")
        for pattern in (
            "index.html",
            "*/index.html",
            "*/turn-*/index.html",
            "games/*/index.html",
            "players/index.html",
        ):
            weight, page = heaviest(club.root, pattern)
            print(f"heaviest of {re.sub('[*]', '…', pattern)}: {weight / 1e3:.0f} kB with style and scripts ({page})")
        club.store.close()


if __name__ == "__main__":
    main()
