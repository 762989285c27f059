"""The pages for developers: what they name is there, and what they show works."""

from __future__ import annotations

import re
import textwrap
import tomllib
from pathlib import Path

import yaml

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
    """Each layer of the contracts is a row of boxes in the picture, below those that may import it."""
    contracts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    picture = (CHECKOUT / "docs" / "develop" / "architecture.svg").read_text("utf-8")
    drawn = re.findall(r'y="(\d+)" font-weight="600"[^>]*>([^<]+)<', picture)
    rows = {name: int(y) for y, names in drawn for name in names.split(" : ")}
    for contract in contracts:
        if contract["type"] == "layers":
            layers = [re.split(r" [|:] ", layer) for layer in contract["layers"]]
            known = [[name for name in layer if name not in ("__main__", "firstrun", "demo")] for layer in layers]
            heights = [{rows[name] for name in layer} for layer in known if layer]
            assert [len(each) for each in heights] == [1] * len(heights)
            assert [*map(min, heights)] == sorted(map(min, heights))
            for name in (name for layer in known for name in layer):
                assert re.search(rf"`(pbem/)?{name}(\.py)?`", PAGES["architecture.md"]), name


def test_a_game_is_told_all_that_it_has_to_say() -> None:
    page, folder = PAGES["add-a-game.md"], CHECKOUT / "tests" / "conformance" / "claims" / "sentences"
    here = yaml.safe_load((folder / "en.yaml").read_text("utf-8"))["here"]
    templates = "".join(file.read_text("utf-8") for file in (CHECKOUT / "templates").rglob("*.j2"))
    macros = set(re.findall(r"\b(?:position|prospects|own|style)\.(\w+)\(", templates))
    assert len(macros) > 8
    assert [key for key in here if f"`{key}`" not in page] == []
    assert [macro for macro in macros if f"`{macro}(" not in page] == []


def test_the_edition_that_is_shown_is_one() -> None:
    (text,) = blocks("add-an-edition.md", "yaml")
    edition = load_edition(text, "quick.yaml")
    assert (edition.power.end, edition.options.investor_card) == (20, False)


def test_the_play_that_is_shown_is_played() -> None:
    (text,) = blocks("add-a-rule.md", "play")
    Replay(text, GAMES, lambda refusal: refusal.code).run()
