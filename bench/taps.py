"""A game of four played with taps alone, with pictures: letters and kB to each player, what a tap may hold."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pbem.adapters.composing import FromAddress, compose
from pbem.host.ports import Mail
from tests.service.bureau import HOST, address
from tests.taps import PLAYERS, Table, links, page_of


def size(mail: Mail) -> int:
    """Bytes as they are handed over."""
    return len(bytes(compose(mail, FromAddress(address=HOST), 0)))


def p99(found: list[int]) -> int:
    return statistics.quantiles(found, n=100)[98]


def main() -> None:
    table = Table(int(sys.argv[1]) if sys.argv[1:] else 3, pictures=True)
    table.join()
    table.rounds()
    letters = [mail for name in PLAYERS for mail in table.bureau.postman.to(address(name))]
    sizes = [size(mail) for mail in letters]
    told = sum(len(mail.text.encode()) for mail in letters)
    reports = [size(mail) for mail in letters if not mail.answers and mail.attachments]
    fragments = [len(urlsplit(page).fragment) for mail in letters if (page := page_of(mail))]
    bodies = [len(link.partition("body=")[2]) for mail in letters for link in links(mail) if "body=" in link]
    print(f"{len(letters) / len(PLAYERS):.0f} letters to each player, {len(table.tapped) / len(PLAYERS):.0f} from each")
    print(
        f"{sum(sizes) / len(PLAYERS) / 1e6:.2f} MB to each player (at most 8), {sum(sizes) / told:.1f} times their text"
    )
    print(f"a report with a picture: median {statistics.median(reports) / 1e3:.1f} kB (at most 90)")
    print(f"fragment of the page to order from: p99 {p99(fragments)} bytes (at most 1300)")
    print(f"text in a link: longest {max(bodies)} characters (at most 1600)")


if __name__ == "__main__":
    main()
