"""Whatever the guides to leagues say one may write is read: by letter, and as powers of whoever leads one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host.organising.commands import ORGANISER_COMMANDS
from tests.service.season import SeasonBureau

PLAY = Path(__file__).parents[2] / "docs" / "play"
SPAN = re.compile(r"`([^`]+)`")
PLAYERS = ("leagues.md", "ligen.md", "leghe.md")
LED = "## To lead one"
NO_LETTERS = re.compile(  # files, keys, commands of the command line, and what is told of letters
    r"pbem |[\w./-]+\.(?:csv|json|yaml|jsonl)|\w+\.\w+|\w+=|[A-Z]-\d+|\[|imp-|V\d|player \d|\w+/|SET |organisers?|reject |first:|\w+\.\*"
)
PARTS = ("divisions", "series", "rounds", "cup", "pool", "euro", "verify", "table", "name", "place", "points", "game")
PARTS += ("round", "all", "digest 18:00", "drawing.json", "results.csv")


def spans(name: str) -> list[str]:
    """What stands as if to be written, outside of what only leads a league."""
    text = (PLAY / name).read_text("utf-8")
    before, _, behind = text.partition(LED)
    return SPAN.findall(before + behind.partition("## To leave")[2].partition("## To see")[0])


def lines(name: str) -> Iterator[str]:
    for span in dict.fromkeys(spans(name)):
        if not NO_LETTERS.match(span) and span not in PARTS and "NAME" not in span:
            yield span.replace("…", "so").replace("NOME", "euro")


@pytest.fixture(scope="module")
def bureaus() -> list[SeasonBureau]:
    """A season whose entries are open, one that asks who plays, and one that is played."""
    entries, muster, playing = SeasonBureau(), SeasonBureau(), SeasonBureau()
    entries.to("entries")
    muster.to("entries")
    muster.enter()
    muster.to("muster")
    playing.begun()
    playing.write("playerb", "petition clarify: may we?", subject="Re: [euro-1]")
    return [entries, muster, playing]


def is_read(bureau: SeasonBureau, words: str) -> bool:
    bureau.write("playera", words, subject="Re: [euro-1]")
    return bureau.replies("playera")[-1].problem not in ("league.unclear", "letter.misread")


@pytest.mark.parametrize("name", PLAYERS)
def test_what_players_may_write_is_read(name: str, bureaus: list[SeasonBureau]) -> None:
    unread = []
    for words in lines(name):
        if not any(is_read(bureau, words) for bureau in bureaus):
            unread.append(words)
    assert unread == []
    assert len([*lines(name)]) > 20


def powers() -> Iterator[str]:
    """Of the table of those who lead a league, in each language; what is short for others is left out."""
    text = (PLAY / "leagues.md").read_text("utf-8").partition(LED)[2].partition("## To leave")[0]
    for row in text.splitlines():
        for cell in row.split("|")[1:4] if row.startswith("| `") else ():
            yield from (span for span in SPAN.findall(cell) if ("…" not in span or ": …" in span) and " " in span)


def test_what_whoever_leads_one_may_write_is_read() -> None:
    found = [*dict.fromkeys(powers())]
    assert len(found) > 40
    unread = []
    for line in found:
        read, prose = ORGANISER_COMMANDS.read([line])
        if prose or len(read) != 1 or read[0].refusal:
            unread.append(line)
    assert unread == []
