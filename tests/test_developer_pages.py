"""The pages for developers: what they name is there, and what they show works."""

from __future__ import annotations

import re
import textwrap
import tomllib
from pathlib import Path

from pbem.games import GAMES
from pbem.games.imperial.data.editions import load_edition
from pbem.host.archive.replay import Replay

CHECKOUT = Path(__file__).parent.parent
PAGES = {page.name: page.read_text("utf-8") for page in (CHECKOUT / "docs" / "develop").glob("*.md")}
TO_COME = {"games/imperial/editions/quick.yaml"}  # what a reader is told to write


def blocks(page: str, kind: str) -> list[str]:
    found = re.findall(rf"^( *)```{kind}\n(.*?)^ *```", PAGES[page], re.DOTALL | re.MULTILINE)
    return [textwrap.dedent(text) for _, text in found]


def test_every_file_that_is_named_is_there() -> None:
    for page, text in PAGES.items():
        named = set(re.findall(r"`((?:pbem|tests|games|templates|docs|bench)/[\w/.-]+)`", text))
        there = {path for path in named if "NAME" in path or (CHECKOUT / path).exists()}
        assert named - there <= TO_COME, page


def test_code_that_is_shown_stands_in_the_program() -> None:
    program = [file.read_text("utf-8") for file in (CHECKOUT / "pbem").rglob("*.py")]
    for page in PAGES:
        for code in blocks(page, "python"):
            assert any(code in text for text in program), code


def test_the_architecture_names_all_layers_in_their_order() -> None:
    contracts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    drawn = re.findall(
        r"font-weight=\"600\"[^>]*>([^<]+)<", (CHECKOUT / "docs" / "develop" / "architecture.svg").read_text()
    )
    for contract in contracts:
        if contract["type"] == "layers" and "pbem" in contract["containers"][0]:
            layers = [
                set(re.split(r" [|:] ", layer)) - {"__main__", "firstrun", "demo"} for layer in contract["layers"]
            ]
            boxes = [set(re.split(r" +: +", box)) for box in drawn]
            places = [boxes.index(layer) for layer in layers if layer]
            assert places == sorted(places)
            for name in (name for layer in layers for name in layer):
                assert re.search(rf"`(pbem/)?{name}(\.py)?`", PAGES["architecture.md"]), name


def test_the_edition_that_is_shown_is_one() -> None:
    (text,) = blocks("add-an-edition.md", "yaml")
    edition = load_edition(text, "quick.yaml")
    assert (edition.power.end, edition.options.investor_card) == (20, False)


def test_the_play_that_is_shown_is_played() -> None:
    (text,) = blocks("add-a-rule.md", "play")
    Replay(text, GAMES, lambda refusal: refusal.code).run()
