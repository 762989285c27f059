"""Pages told to say what the files beside them say: their digests, and the figures of their standings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html.parser import HTMLParser

from pbem.adapters.site.files import Folder
from pbem.adapters.site.rating_proof import sheet_of
from pbem.adapters.site.season_files import UNGROUPED
from pbem.league.proof.evidence import Fault


class _Table(HTMLParser):
    """The rows of the first table of a page, cell by cell."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._tables = 0
        self._is_open = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._tables += tag == "table"
        if self._tables == 1 and tag == "tr":
            self.rows.append([])
        if self._tables == 1 and tag in ("td", "th"):
            self._is_open = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._is_open = False

    def handle_data(self, data: str) -> None:
        if self._is_open:
            self.rows[-1][-1] += data.replace("−", "-")


def rows_on(raw: bytes) -> list[list[str]]:
    """The rows of the first table on a page, without its head."""
    reader = _Table()
    reader.feed(raw.decode("utf-8", "replace"))
    return [[cell.strip() for cell in row] for row in reader.rows[1:]]


def page_faults(folder: Folder, place: str, digests: Mapping[str, str]) -> Iterator[Fault]:
    """Of the pages of a season."""
    here = {file.relative_to(folder.root / place).as_posix() for file in (folder.root / place).rglob("index.html")}
    for name in sorted({*digests, *here}):
        raw = folder.read(f"{place}{name}")
        if raw is None or sha256(raw).hexdigest() != digests.get(name):
            yield Fault("V10", name, "the page is not the one whose digest season.json has")
    groups: dict[str, list[Sequence[str]]] = {}
    for row in sheet_of(folder, f"{place}standings.csv"):
        groups.setdefault(row["group"] or UNGROUPED, []).append((row["place"], row["played"], row["points"]))
    for group, wanted in sorted(groups.items()):
        found = [
            (row[0], row[3], row[4]) for row in rows_on(folder.read(f"{place}{group}/index.html") or b"") if row[4:]
        ]
        if found != wanted:
            yield Fault("V10", f"{group}/index.html", "the page tells other figures than standings.csv")


def rating_page_faults(folder: Folder, kind: str) -> Iterator[Fault]:
    """Of the pages of ratings, a hundred players on each."""
    place, page, found = f"ratings/{kind}/", 1, list[Sequence[str]]()
    while raw := folder.read(f"{place}{f'page-{page}/' if page > 1 else ''}index.html"):
        found += [(row[0].strip("–"), row[2].strip("()"), row[3]) for row in rows_on(raw) if row[3:]]
        page += 1
    wanted = [(row["rank"], row["rating"], row["games"]) for row in sheet_of(folder, f"{place}ratings.csv")]
    if found != wanted:
        yield Fault("V10", place, "its pages tell other figures than ratings.csv")
