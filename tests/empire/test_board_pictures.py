"""The hex board as a picture and as text."""

from __future__ import annotations

import copy
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from PIL import Image

from pbem.games.empire.geography.board import board
from pbem.games.empire.geography.generator import generate
from pbem.games.empire.geography.map_file import read
from pbem.games.empire.presentation.focus import around_of
from pbem.games.empire.presentation.pictures import PHONE, hex_board, hex_png
from pbem.games.empire.presentation.pictures.colours import GROUND, PIRATE, PLAYERS
from pbem.games.empire.presentation.pictures.moves import ways
from pbem.games.empire.presentation.text_map import text_map

TRAINING = Path(__file__).resolve().parents[2] / "games" / "empire" / "maps" / "training.map"
MAP = board(read(TRAINING.read_text("utf-8")))
LIMIT = 60_000  # bytes of a picture in a letter


def unit(owner: str, at: str, **more: Any) -> dict[str, Any]:
    return {"owner": owner, "kind": "any", "at": at, "state": "ground", "aboard": None, **more}


VIEW: dict[str, Any] = {
    "turn": 5,
    "slot": "5.1",
    "countries": {
        "anton": {"player": "anton", "capital": "C3"},
        "arcadia": {"player": "anton", "capital": None},
        "bert": {"player": "bert", "capital": "J3"},
    },
    "squares": {
        "C3": {
            "control": "anton",
            "workers": {"anton": 12},
            "officials": {"anton": ["governor"]},
            "city": True,
            "factories": {"SM": [{"state": "working"}], "PS": [{}, {}]},
            "items": ["dock", "airport", "warehouse"],
            "installed": {"AA": 1},
        },
        "C4": {
            "control": "anton",
            "farm": "anton",
            "forts": {
                "S": {"kind": "fort", "manned": True, "damaged": False},
                "Q": {"kind": "pillbox", "manned": False, "damaged": True},
            },
        },
        "B2": {
            "control": "anton",
            "workers": {"anton": 1},
            "tasks": {"anton": {"iron": 1}},
            "marks": {"iron": {"grade": 1, "by": "anton", "opened": 1}},
        },
        "J6a": {"control": "bert", "items": ["bridge"]},
        "J3": {"control": "bert", "city": True},
        "K4": {"site": True},
        "F4": {"items": ["canal"]},
    },
    "borders": {"C3-C4": ["road", "power_line"], "C3-D3": ["railroad", "pipeline"], "E4-F4": ["canal"], "D6-E6": ["mountain_road"]},
    "serpents": {"SER1": {"at": "F9", "state": "dived"}},
    "units": {
        "INF1": unit("anton", "C4"),
        "INF12": unit("arcadia", "C4"),
        "ARM2": unit("bert", "J6a"),
        "CGO1": unit("anton", "E4"),
        "CGO2": unit("bert", "F4x"),
        **{f"DES{number}": unit("bert", "G6") for number in range(1, 6)},
        "FTR1": unit("anton", "C3"),
        "TRK1": unit("anton", "D4"),
        "INF9": unit("anton", "E4", aboard="CGO1"),
    },
}  # fmt: skip


@pytest.mark.parametrize("wide", [200, 400, 740, 1400])
@pytest.mark.parametrize("around", [None, ["C3"], ["A1", "L10"], ["J6a", "G6"]])
def test_the_picture_is_whole(wide: int, around: list[str] | None) -> None:
    drawn = hex_board(MAP, VIEW, around=around, wide=wide, before=VIEW, title="5.1", alt="A & B")
    root = etree.fromstring(drawn.encode())
    assert root.get("width") == str(wide)
    ids = {each.get("id") for each in root.iter() if each.get("id")}
    used = {each.get("href")[1:] for each in root.iter("{*}use")}
    assert used <= ids
    assert hex_board(MAP, VIEW, around=around, wide=wide, before=VIEW, title="5.1", alt="A & B") == drawn


def test_a_map_without_a_game_is_drawn_too() -> None:
    assert etree.fromstring(hex_board(MAP, {}).encode()).get("width") == str(PHONE)
    made = board(read(generate("x", (30, 40), 4, "a")))
    etree.fromstring(hex_board(made, {}, wide=1000).encode())


def test_a_letter_has_room_for_the_picture() -> None:
    for around in (None, around_of(MAP, VIEW, "anton")):
        made = hex_png(MAP, VIEW, around=around, before=VIEW)
        assert len(made) <= LIMIT
        assert Image.open(BytesIO(made)).size[0] == PHONE


def test_what_moved_has_an_arrow() -> None:
    before = copy.deepcopy(VIEW)
    before["units"]["INF1"]["at"] = "C3"
    before["units"]["CGO1"]["at"] = "F3"
    before["units"]["INF9"]["at"] = "F3"
    del before["units"]["TRK1"]
    assert ways(before, VIEW) == [("anton", "C3", "C4"), ("anton", "F3", "E4")]
    assert ways(None, VIEW) == []
    assert hex_board(MAP, VIEW, before=before) != hex_board(MAP, VIEW, before=VIEW)


def test_a_letter_shows_what_is_its_readers() -> None:
    assert set(around_of(MAP, VIEW, "bert")) == {"J6a", "J3", "F4x", "G6"}
    assert around_of(MAP, VIEW, "clara") == []
    far = copy.deepcopy(VIEW)
    far["units"]["CRU1"] = unit("anton", "L10")
    assert "L10" not in around_of(MAP, far, "anton")
    assert "C3" in around_of(MAP, far, "anton")


def lightness(colour: str) -> float:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2


def contrast(one: str, other: str) -> float:
    low, high = sorted((lightness(one), lightness(other)))
    return (high + 0.05) / (low + 0.05)


def test_letters_can_be_read_on_every_colour() -> None:
    assert all(contrast(each.fill, each.ink) >= 3.8 for each in (*PLAYERS, PIRATE))
    assert all(contrast(each.edge, ground) >= 1.7 for each in PLAYERS for ground in GROUND.values())
    assert all(contrast("#2b2620", ground) >= 4 for ground in GROUND.values())


EYES = {  # how red, green and blue light is seen: Machado, Oliveira and Fernandes (2009)
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    """Lightness and two hues of a colour (CIE Lab) for such eyes."""
    light = [(int(colour[place : place + 2], 16) / 255) ** 2.2 for place in (1, 3, 5)]
    red, green, blue = (max(0.0, sum(a * b for a, b in zip(row, light, strict=True))) for row in EYES[eyes])
    x, y, z = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    fx, fy, fz = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("eyes", EYES)
def test_players_are_apart_for_colour_blind_eyes(eyes: str) -> None:
    colours = [seen(each.fill, eyes) for each in (*PLAYERS, PIRATE)]
    apart = [sum((a - b) ** 2 for a, b in zip(*pair, strict=True)) ** 0.5 for pair in combinations(colours, 2)]
    assert min(apart) > 15


def test_the_text_map_has_a_line_for_each_row() -> None:
    lines = text_map(MAP, VIEW).splitlines()
    assert lines[0].split() == [*"ABCDEFGHIJKL"]
    assert lines[3].split()[3] == "oA"
    assert lines[4].split()[3] == "oA2"
    assert lines[6].split()[7] == ".B5"
    assert lines[9].split()[6] == ".1"
    assert lines[6].split()[10] == "fB1"
    assert "A anton, R arcadia, B bert." in lines
    assert "Cities: C3, J3." in lines


def test_an_excerpt_of_the_text_map() -> None:
    lines = text_map(MAP, VIEW, around=["J6a"]).splitlines()
    assert lines[0].split() == [*"GHIJKL"]
    assert [line.split()[0] for line in lines[1:8]] == [*"3456789"]
    assert "coal I6 (grade 3), I8; " in lines[-1]
    assert "Cities: J3." in lines
