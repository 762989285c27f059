"""The tables of an edition: as the typescript has them, and each mistake in such a file by its place."""

from __future__ import annotations

import re
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.games.empire.data.editions import tables, tables_in

LOADER, DUMPER = (getattr(yaml, f"C{name}", getattr(yaml, name)) for name in ("SafeLoader", "SafeDumper"))
FILE = Path(__file__).parents[2] / "games" / "empire" / "tables.yaml"
LAND = [f"1-{n}" for n in range(6, 0, -1)] + [f"{n}-1" for n in range(2, 7)]


def told(*changes: tuple[str, Any]) -> list[str]:
    """What is told of the tables with other values at these paths, None: nothing there; each without the file's name."""
    raw = yaml.load(FILE.read_text("utf-8"), Loader=LOADER)
    for path, value in changes:
        *way, last = [int(each) if each.isdecimal() else each for each in path.split(".")]
        place = reduce(getitem, way, raw)
        if value is None:
            del place[last]
        else:
            place[last] = value
    with pytest.raises(ValueError, match=r"tables\.yaml") as refused:
        tables_in(yaml.dump(raw, Dumper=DUMPER, sort_keys=False))
    return [line.removeprefix("tables.yaml: ") for line in str(refused.value).splitlines()]


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("recipes.2.from", {"bauxit": 1}, "recipes.3.from: there is no 'bauxit'; near: bauxite"),
        ("recipes.0.in", ["HAV"], "recipes.1.in: there is no 'HAV'; near: "),
        ("recipes.0.item", "catapult", "recipes.1.item: there is no 'catapult'"),
        ("recipes.0.qty", 0, "recipes.1.qty: 0 is not above 0"),
        ("recipes.0.qty", "many", "recipes.1: Expected `int`, got `str` - at `$.qty`"),
        ("goods.iron.size", "1/0", "goods.iron: '1/0' is no amount - at `$.size`"),
        ("construction.dock.from", {"wod": 1}, "construction.dock.from: there is no 'wod'; near: wood"),
        ("arming.sac.from", {"workers": 1}, "arming.sac.from: there is no 'workers'; near: worker"),
        ("kinds.bull.code", "COW", "kinds.bull.code: COW is the code of cow"),
        ("kinds.truck.moves", "lorry", "kinds.truck.moves: there is no 'lorry'"),
        ("kit.wod", 3, "kit: there is no 'wod'; near: wood"),
        ("catalog.tank", 1, "catalog: there is no 'tank'"),
        ("bombing_targets.cruiser", None, "bombing_targets: there is no 'cruiser'"),
        ("land_crt.3", ["AE"] * 10, "land_crt.3: it has 10 columns, not 11"),
        ("land_crt.3", ["XX"] * 11, "land_crt.3: there is no 'XX'"),
        ("naval_crt.6", None, "naval_crt.6: it has 0 columns, not 7"),
        ("burnable", None, "burnable: it is missing"),
    ],
)
def test_each_mistake_is_told_with_its_place(path: str, value: Any, sentence: str) -> None:
    found = told((path, value))
    assert any(line.startswith(sentence) for line in found), found


def test_all_mistakes_are_told_at_once() -> None:
    strangers = told(("recipes.0.item", "catapult"), ("recipes.0.qty", 0), ("burnable.0", "water"))
    assert [line.split(":")[0] for line in strangers] == ["burnable", "recipes.1.item", "recipes.1.qty"]
    assert len(told(("recipes.0.qty", "x"), ("arms", None), ("bta", "x"), ("kinds.cow", 5))) == 4


@pytest.mark.parametrize("text", ["", "- 1", "recipes: [", "a: b"])
def test_what_is_no_file_of_tables_is_told_so(text: str) -> None:
    with pytest.raises(ValueError, match=r"tables\.yaml"):
        tables_in(text)


def test_tables_of_combat_have_their_columns() -> None:
    found = tables()
    assert [*found.land_crt["odds"]] == LAND
    assert (len(found.naval_crt["odds"]), len(found.bombing_results["columns"])) == (7, 9)


# Lines 1012 to 1048 of the typescript: how many of what, from what, Cost and EDU, where, in how many turns.
MADE = """
2 aa_gun: St X; 1-7 HAW          1 air_transport_unit: Rr X; 1-5 LTW   1 aluminum: Bx; 0-0 ARF
1 barge: Δ Fe; 1-6 CSY NSY       1 battleship: St O X; 3-13 NSY 3      1 strategic_bomber: Al Cu Rr O; 1-8 AW
4 bomb: X; 1-4 SAW               2 building_material: 3Δ; 1-8 BMF      1 cargo_plane: Al Cu Rr; 1-8 AW
1 cargo_ship: Fe C X; 1-8 CSY NSY  1 carrier: St O X; 3-13 NSY 3       1 galaxy: 2Al 2Cu 2Rr 2O; 2-19 AW 2
1 cmx: St; 1-6 CMXF              2 cruiser: St O X; 2-11 NSY 2         3 destroyer: St O X; 2-11 NSY 2
4 drop_tank: Al O; 1-5 AW        2 fighter: Al Cu Rr O; 1-8 AW         2 fishing_ship: Fe C X; 1-8 CSY NSY
1 fresh_water: ; 1-1 WAT         1 heavy_arms_unit: St X; 1-7 HAW      1 hmx: St; 1-6 HMXF
6 light_bomb: X; 1-4 SAW         1 locomotive: St X; 1-8 HTW           1 naval_gun: St X; 1-7 HAW
3 oil_tanker: Fe C Cu X; 1-10 CSY NSY   1 pirate_ship: Fe C X SAU; 2-11 CSY NSY   2 rolling_stock: St; 1-6 HTW
2 rolling_stock: 2Fe; 1-6 HTW    1 small_arms_unit: St X; 1-7 SAW      1 steel: Fe C; 0-0 SM
2 submarine: St O Cu; 2-11 NSY 2   3 tac: 2Al 2Cu 2Rr 2O; 2-16 AW 2    1 tank: 2St O X; 1-11 HTW
1 td: St; 1-6 TDW                4 torpedo: X; 1-4 SAW                 1 tracked_transport: Rr X; 1-5 LTW
1 transport_and_supply: 2O Rr food; 1-7 LTW   1 truck: St Rr; 1-8 LTW
"""
# Lines 866 to 918: the defense factor of each target.
FACTORS = """
6 ack_ack airport battleship construction_brigade dock infantry_brigade naval_gun pillbox
5 airborne_regiment carrier recon_unit infantry_regiment
4 air_works cargo_shipyard heavy_arms_works heavy_transport_works light_transport_works naval_shipyard sac small_arms_works
4 cruiser
3 aluminum_refinery building_materials_factory cargo_ship barge construction_machine_factory worker heavy_machine_factory
3 luxury_liner mountain_road pirate_ship power_station soap_factory steel_mill submarine tool_and_die_works warehouse destroyer
7 armored_brigade artillery_brigade fort
2 bridge distillery electronics_factory light_metal_works consumer_goods_factory pipeline plastics_factory power_line
2 road railroad
1 oil_tanker fishing_ship yacht
"""


def test_goods_are_made_as_the_typescript_has_it() -> None:
    ids = {good.symbol: id_ for id_, good in tables().goods.items() if good.symbol}
    made = re.findall(r"(\d) (\w+): ([^;]*); (\d+)-(\d+)((?: [A-Z]+)+)(?: (\d)(?= |$))?", MADE, re.MULTILINE)
    assert len(made) == 38
    for count, item, inputs, cost, edu, where, turns in made:
        parts = [re.fullmatch(r"(\d?)(\D+)", each) for each in inputs.split()]
        needs = {ids.get(part[2], part[2]): int(part[1] or 1) for part in parts if part}
        found = [row for row in tables().recipes if row.item == item and row.inputs == needs]
        printed = (int(count), int(cost), int(edu), tuple(where.split()), int(turns or 1))
        assert [(row.qty, row.cost, row.edu, row.made_in, row.turns) for row in found] == [printed], item


def test_targets_of_bombs_are_as_the_typescript_has_them() -> None:
    rows = [line.split() for line in FACTORS.split("\n") if line]
    printed = {target: int(factor) for factor, *targets in rows for target in targets}
    assert {target: tables().bombing_targets[target][0] for target in printed} == printed


def test_other_numbers_are_as_the_typescript_has_them() -> None:
    found = tables()
    kit = [found.kit[each] for each in ("building_material", "wood", "cmx", "hmx", "td", "food", "colony_piece")]
    assert (kit, found.kit_people["worker"], found.picks) == ([10, 10, 6, 4, 3, 10, 4], 30, 2)  # line 19
    grades = ("fish", "farm", "single", "double", "triple")
    development = [(found.development[each].investment, found.development[each].edu) for each in grades]
    assert development == [(1, 3), (1, 3), (2, 6), (3, 9), (4, 12)]  # lines 319 to 323
    sizes = [found.goods[each].size for each in ("food", "bomb", "light_bomb", "torpedo")]
    assert [*map(str, sizes), str(found.land_unit_size)] == ["1/5", "1/4", "1/6", "1/4", "5/3"]  # lines 180, 203 to 209
    works = [found.factories[each].work for each in ("NSY", "SAW", "HAW")]
    assert works == [3, 2, 3]  # lines 345 to 347
    oil = [str(found.oil_due[each]) for each in ("flight", "battleship", "carrier", "cruiser", "destroyer")]
    assert oil == ["1/50", "1/10", "1/10", "1/20", "1/40"]  # lines 105 to 113
    walks = found.land_movement["worker"]
    assert [walks.open, walks.forest, walks.desert, walks.swamp, walks.road] == [2, 4, 4, 6, 1]  # line 147
    assert found.dice["wind"] == {"1": "N", "2": "E", "3": "Q", "4": "S", "5": "W", "6": "P"}  # line 187
    assert (found.bta, found.supply["range"], found.city["minor_squares"]) == (12, 12, 9)  # lines 141, 261, 279
