"""The board of Europe: its shape, every geographic statement of the rule books, and what is doubted.

Statements cite the lines of the four rule books as `board_doubts` has them: 000 English new edition, 001 German third
edition, 002 Italian first edition, 004 reference manual; Q is the publisher's sample game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import yaml

from pbem.core.seat import Seat, Setup
from pbem.files import ConfigError
from pbem.games.imperial.data.editions import imperial, load_board
from pbem.games.imperial.rules.board import Board
from pbem.games.imperial.rules.places import Region

FILE = Path(__file__).parents[2] / "games" / "imperial" / "boards" / "europe.yaml"
TEXT = FILE.read_text(encoding="utf-8")
BOARD: Board = imperial(Setup(seats=(Seat("anton"), Seat("bert")))).board

SEAS_BESIDE = {  # all the seas a sea borders on, or a place is on
    "english_channel": "north_atlantic bay_of_biscay north_sea",  # 000 l.274
    "dublin": "north_atlantic",  # 000 l.276
    "trieste": "ionian_sea",  # 000, convoy example
    "tunis": "ionian_sea western_mediterranean_sea",
    "algeria": "western_mediterranean_sea",  # not the Ionian Sea: two fleets are needed from Trieste
    "denmark": "north_sea baltic_sea",
    "norway": "north_sea baltic_sea",  # 000, railway example
    "sweden": "baltic_sea",
    "holland": "english_channel north_sea",  # "the adjacent sea regions"
    "hamburg": "north_sea baltic_sea",
    "morocco": "bay_of_biscay",  # 004: not the Western Mediterranean
}
ANCHORS = {
    "london": "english_channel",  # 000 l.276
    "dublin": "north_atlantic",  # 000 l.276
    "hamburg": "north_sea",  # 002 p.12
    "naples": "western_mediterranean_sea",  # Q
    "st_petersburg": "baltic_sea",  # Q
    "odessa": "black_sea",  # Q
    "trieste": "ionian_sea",  # Q
    "bordeaux": "bay_of_biscay",  # Q
}
BORDERS = [  # by land, or from a coast to a sea
    "bulgaria - turkey",  # 000 l.500
    "vienna - venice",  # 000, destruction example
    "budapest - vienna",  # the same, by rail
    "holland - hamburg",  # 000, railway example
    "hamburg - denmark",
    "danzig - berlin",  # FAQ, l.1055 of 001
    "sweden - norway",
    "baltic_sea - st_petersburg",  # Q, and those below
    "odessa - black_sea",
    "black_sea - turkey",
    "north_sea - norway",
    "rome - western_mediterranean_sea",
    "western_mediterranean_sea - spain",
    "bordeaux - bay_of_biscay",
    "bay_of_biscay - morocco",
    "ionian_sea - tunis",
    "tunis - algeria",
    "lemberg - romania",
    "romania - odessa",
    "budapest - west_balkan",
    "west_balkan - bulgaria",
    "ionian_sea - western_mediterranean_sea",
    "kiev - lemberg",
    "warsaw - lemberg",
]
BY_RAIL = [
    "paris - bordeaux",
    "vienna - trieste",
    "berlin - hamburg",
    "cologne - hamburg",
    "budapest - vienna",
]  # Q, 000
NEVER = [  # said to be none, or left out for a reason
    "denmark - sweden",  # 000 l.500, 004
    "morocco - spain",  # 000 l.500, 004
    "dublin - edinburgh",  # 004; 000 l.538
    "morocco - western_mediterranean_sea",  # 004
    "algeria - bay_of_biscay",  # 004
    "algeria - ionian_sea",  # 000, convoy example
    "danzig - hamburg",  # FAQ: Berlin cuts Danzig off
    "danzig - cologne",
    "danzig - munich",
    "marseille - munich",  # Switzerland lies between them
    "marseille - vienna",
    "genoa - munich",
    "genoa - dijon",
    "dijon - vienna",
]


def pair(text: str) -> tuple[Region, Region]:
    a, b = text.split(" - ")
    return Region(a), Region(b)


def homes(nation: str) -> list[Region]:
    return [region for region, place in BOARD.places.items() if place.nation == nation]


# -- the shape ---


def test_the_number_of_places() -> None:
    kinds = Counter(place.kind for place in BOARD.places.values())
    assert kinds == {"home": 30, "land": 15, "sea": 9, "impassable": 1}  # 000 l.100, 002
    assert Counter(place.makes for place in BOARD.places.values() if place.makes) == {"army": 15, "fleet": 15}
    assert all(len(homes(nation)) == 5 for nation in BOARD.nations)
    assert Counter(place.nation for place in BOARD.places.values() if place.works) == dict.fromkeys(BOARD.nations, 2)


def test_the_number_of_borders() -> None:
    assert len(BOARD.borders) == 137
    assert len({frozenset(border) for border in BOARD.borders}) == 137


def test_borders_are_symmetric() -> None:
    for region, near in BOARD.beside.items():
        assert all(region in BOARD.beside[other] for other in near)
        assert len(set(near)) == len(near)
        assert region not in near


@pytest.mark.parametrize("region", sorted(BOARD.places))
def test_what_a_place_borders_on(region: Region) -> None:
    """A harbour's anchor is beside it; every place but Switzerland can be reached; no sea is beside a sea only."""
    place = BOARD.places[region]
    assert (place.port is not None) == (place.makes == "fleet")
    assert place.port is None or (BOARD.is_sea(place.port) and place.port in BOARD.beside[region])
    assert bool(BOARD.beside[region]) == (place.kind != "impassable")
    assert place.kind != "sea" or BOARD.land_beside[region]


def test_the_whole_board_hangs_together() -> None:
    reached = joined(BOARD.free_regions[0], BOARD.beside)
    assert reached == {region for region, place in BOARD.places.items() if place.kind != "impassable"}


def joined(start: Region, beside: Mapping[Region, Sequence[Region]]) -> set[Region]:
    reached = {start}
    while more := {near for here in reached for near in beside[here]} - reached:
        reached |= more
    return reached


# -- what the rule books say ---


@pytest.mark.parametrize("way", BY_RAIL)
def test_railways_that_the_rule_books_use(way: str) -> None:
    a, b = pair(way)
    assert b in joined(a, BOARD.rails)


@pytest.mark.parametrize("region", SEAS_BESIDE)
def test_seas_beside(region: Region) -> None:
    assert {*BOARD.seas_beside[region]} == {*SEAS_BESIDE[region].split()}


@pytest.mark.parametrize("region", ANCHORS)
def test_anchors(region: Region) -> None:
    assert BOARD.places[region].port == ANCHORS[region]


@pytest.mark.parametrize("border", BORDERS)
def test_borders_that_the_rule_books_use(border: str) -> None:
    a, b = pair(border)
    assert b in BOARD.beside[a]


@pytest.mark.parametrize("border", NEVER)
def test_borders_that_there_are_not(border: str) -> None:
    a, b = pair(border)
    assert b not in BOARD.beside[a]


def test_dublin_is_the_only_island_an_army_may_enter() -> None:
    """000 l.498 and l.538, 004: no land beside it, and no railway."""
    alone = [
        region
        for region, place in BOARD.places.items()
        if place.kind in ("home", "land") and not BOARD.land_beside[region]
    ]
    assert alone == ["dublin"]
    assert BOARD.rails[Region("dublin")] == ()


def test_berlin_cuts_danzig_off() -> None:
    """000 and 001, FAQ: it is the only German province beside Danzig."""
    assert BOARD.rails[Region("danzig")] == ("berlin",)


@pytest.mark.parametrize(
    ("region", "makes"),
    [
        ("cologne", "army"),
        ("munich", "army"),
        ("danzig", "fleet"),
        ("venice", "fleet"),
        ("berlin", "army"),
        ("hamburg", "fleet"),
    ],
)
def test_what_a_city_makes(region: Region, makes: str) -> None:
    """000, examples of Factory, Production and Destruction."""
    assert BOARD.places[region].makes == makes


def test_berlin_and_hamburg_are_built_at_the_start() -> None:
    assert [region for region in homes("germany") if BOARD.places[region].works] == ["berlin", "hamburg"]


def test_only_switzerland_may_not_be_entered() -> None:
    """000, Armies: "except for Switzerland"."""
    assert [region for region, place in BOARD.places.items() if place.kind == "impassable"] == ["switzerland"]


def test_supplies_by_colour() -> None:
    """000, 001, 002, Game materials: ten yellow and six red armies, six yellow and ten red fleets, else eight."""
    supply = {nation: (pieces["army"], pieces["fleet"]) for nation, pieces in BOARD.supply.items()}
    assert supply == {**dict.fromkeys(BOARD.nations, (8, 8)), "austria_hungary": (10, 6), "great_britain": (6, 10)}


# -- what is doubted ---


DOUBTS = yaml.safe_load(TEXT)["doubts"]


def test_what_should_be_looked_at_on_a_printed_board() -> None:
    doubted = {" - ".join(doubt["border"]) for doubt in DOUBTS if "border" in doubt}
    assert doubted >= {"belgium - munich", "edinburgh - liverpool", "black_sea - eastern_mediterranean_sea"}
    assert {doubt["port"] for doubt in DOUBTS if "port" in doubt} == {"brest", "edinburgh"}
    left_out = {frozenset(doubt["no_border"]) for doubt in DOUBTS if "no_border" in doubt}
    excluded = [
        "kiev - st_petersburg",
        "morocco - western_mediterranean_sea",
        "cologne - dijon",
        "english_channel - sheffield",
    ]
    assert left_out >= {frozenset(pair(border)) for border in excluded}


@pytest.mark.parametrize(
    ("doubt", "told"),
    [
        ("{border: [kiev, st_petersburg], reason: x}", "kiev and st_petersburg have no border here"),
        ("{no_border: [algeria, morocco], reason: x}", "algeria and morocco have a border here"),
        ("{border: [kiev, atlantis], reason: x}", "atlantis is no region"),
        ("{port: vienna, reason: x}", "vienna has no port here"),
        ("{port: brest, border: [algeria, morocco], reason: x}", "a doubt is about one thing"),
        ("{reason: x}", "a doubt is about one thing"),
        ("{port: brest}", "reason"),
        ("{port: brest, reason: x, colour: red}", "colour"),
    ],
)
def test_a_doubt_fits_the_board(doubt: str, told: str) -> None:
    line = len(TEXT.splitlines()) + 1
    with pytest.raises(ConfigError) as caught:
        load_board(f"{TEXT}  - {doubt}\n", "europe.yaml")
    (problem,) = [p for p in caught.value.problems if told in p]
    assert re.match(rf"europe\.yaml:{line}:\d+: doubts\.\d+", problem)


def test_a_border_that_is_changed_asks_for_its_doubt() -> None:
    with pytest.raises(ConfigError, match="belgium and munich have no border here"):
        load_board(TEXT.replace("  - [belgium, munich]\n", ""), "europe.yaml")
