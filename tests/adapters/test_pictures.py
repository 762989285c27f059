"""Pictures: the drawn board is the board of the rules, nothing on it touches, and the same position looks the same."""

from __future__ import annotations

import copy
import random
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, reduce
from io import BytesIO
from itertools import combinations, pairwise
from math import dist
from operator import xor
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
import resvg_py
from PIL import Image, ImageChops, ImageStat
from shapely import Polygon, coverage_is_valid, unary_union

from pbem.core.chance import Lots, NoLots
from pbem.core.decision import Answer
from pbem.core.languages import LANGUAGES
from pbem.core.seat import Seat, Setup, Sight
from pbem.files import resource
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import display_names, imperial
from pbem.games.imperial.presentation.pictures import (
    board_alt,
    board_on_page,
    board_svg,
    chart_png,
    chart_svg,
    map_png,
    series,
)
from pbem.games.imperial.presentation.pictures.arrows import _edge, _points
from pbem.games.imperial.presentation.pictures.board import FINE, Scene, draw_words, map_svg, names
from pbem.games.imperial.presentation.pictures.changes import Changes, changes
from pbem.games.imperial.presentation.pictures.drawing import drawing
from pbem.games.imperial.presentation.pictures.packing import GAP, SHRINK, packed
from pbem.games.imperial.presentation.pictures.panel import CHANGED, SIGNS
from pbem.games.imperial.presentation.pictures.pieces import NATIONS
from pbem.games.imperial.presentation.pictures.speech import speech
from pbem.games.imperial.presentation.pictures.table import PHONE, Laid, Named, laid
from pbem.render.canvas import Box
from pbem.render.charts import APART, BOTTOM, HIGH, TOP, Field, Line, Style, _spread
from pbem.render.lettering import width
from pbem.render.raster import APART as NEAR
from pbem.render.raster import CRISP, LIMIT, Layer, png

SETUP = Setup(seats=tuple(Seat(name) for name in ("anton", "bert", "claudia", "daniel", "emma", "fritz")))
RULES = imperial(SETUP)
BOARD = RULES.board
NUMBER = re.compile(r"-?(?:\d+\.\d+|\d+|\.\d+)")
in_each_language = pytest.mark.parametrize("language", LANGUAGES)


# -- the drawn board ---


@cache
def shapes() -> dict[str, Any]:
    """Each region as it is drawn in the file."""
    root = ElementTree.fromstring((resource("games") / "imperial/boards/europe.svg").read_text("utf-8"))
    paths = {path.get("id"): path.get("d", "") for path in root.iter("{http://www.w3.org/2000/svg}path")}
    return {id_: reduce(xor, map(_ring, filter(None, d.split("z")))) for id_, d in paths.items() if id_}


def boxes_of(names: Sequence[Named]) -> list[Box]:
    return [box for name in names for box in (*(b for _, b in name.lines), *([name.mark] if name.mark else []))]


def _ring(data: str) -> Polygon:
    """A subpath that begins with an absolute point and goes on in steps."""
    numbers = [round(float(number) * 10) for number in NUMBER.findall(data)]
    x, y = numbers[:2]
    points = [(x, y)]
    for dx, dy in zip(numbers[2::2], numbers[3::2], strict=True):
        x, y = x + dx, y + dy
        points.append((x, y))
    return Polygon(points)


def overlap(one: Box, other: Box) -> bool:
    if one.x + one.w < other.x or other.x + other.w < one.x:  # as most pairs lie
        return False
    across = min(one.x + one.w, other.x + other.w) - max(one.x, other.x)
    down = min(one.y + one.h, other.y + other.h) - max(one.y, other.y)
    return min(across, down) > 1e-6


def touching(least: float) -> set[tuple[str, str]]:
    """Regions that are drawn side by side for at least so many pixels."""
    pairs = combinations(sorted(shapes()), 2)
    return {(a, b) for a, b in pairs if shapes()[a].intersection(shapes()[b]).length >= least * 10}


def test_every_region_is_drawn():
    assert set(shapes()) == {*BOARD.places}
    assert all(shape.is_valid and not shape.is_empty for shape in shapes().values())


@pytest.mark.parametrize("least", [2, 8])
def test_drawn_neighbours_are_the_borders_of_the_board(least):
    """Whether one looks closely or from afar: no border is so short that it could be doubted."""
    drawn = {pair for pair in touching(least) if "switzerland" not in pair}
    assert drawn == {tuple(sorted(border)) for border in BOARD.borders}
    assert len(drawn) == 137


def test_switzerland_lies_between_its_five_neighbours():
    neighbours = {one for pair in touching(2) if "switzerland" in pair for one in pair} - {"switzerland"}
    assert neighbours == {"dijon", "genoa", "marseille", "munich", "vienna"}


def test_regions_cover_the_picture_without_gap_or_overlap():
    wide, high = drawing("europe").size
    assert coverage_is_valid(list(shapes().values()))
    assert unary_union(list(shapes().values())).area == pytest.approx(wide * high * 100, rel=1e-3)


# -- positions ---


def start() -> dict[str, Any]:
    state = RULES.blank(SETUP)
    for event in RULES.open(state, Lots("1", "pictures"), {}):
        state = RULES.apply(state, event)
    return copy.deepcopy(dict(RULES.view(state, Sight.ALL)))


def crowded() -> dict[str, Any]:
    """Everything everywhere: every nation with standing and lying armies, fleets, a flag or a factory in all regions."""
    view = start()
    for nation, row in view["nations"].items():
        abroad = [r for r, place in BOARD.places.items() if place.nation not in (None, nation)]
        land = [region for region, place in BOARD.places.items() if place.kind in ("home", "land")]
        row["armies"] = {**dict.fromkeys(land, 10), **dict.fromkeys(abroad, 20)}
        row["friendly_armies"] = dict.fromkeys(abroad, 10)
        row["fleets"] = {r: 10 for r, p in BOARD.places.items() if p.kind == "sea" or (p.nation == nation and p.port)}
        row["factories"] = sorted(BOARD.homes[nation])
    for number, region in enumerate(BOARD.free_regions):
        [*view["nations"].values()][number % 6]["flags"].append(region)
    return view


def six_fleets_in_one_sea() -> dict[str, Any]:
    view = start()
    for row in view["nations"].values():
        row["fleets"] = {"english_channel": 1}
    return view


def ten_armies_in_one_province() -> dict[str, Any]:
    view = start()
    for nation, row in view["nations"].items():
        row["armies"] = {"dijon": 10} if nation == "france" else {"dijon": 4}
        row["friendly_armies"] = {} if nation == "france" else {"dijon": 2}
    return view


BATTLES = [
    {"type": kind, "region": region}
    for region in BOARD.homes["france"]
    for kind in ("BattleFought", "FactoryDestroyed")
]
POSITIONS = {
    "start": (start(), []),
    "six in one sea": (six_fleets_in_one_sea(), []),
    "ten in one province": (ten_armies_in_one_province(), []),
    "everything everywhere": (crowded(), []),
    "everything everywhere, and battles": (crowded(), BATTLES),
}
in_each_position = pytest.mark.parametrize("position", POSITIONS)


def pieces_of(position: str, language: str) -> list[Laid]:
    view, events = POSITIONS[position]
    return laid(view, drawing("europe"), changes(events), speech(language).letters)


# -- nothing touches ---


@in_each_language
@in_each_position
def test_names_and_pieces_never_collide(position, language):
    on_board = boxes_of(names("europe", language)) + [p.box for p in pieces_of(position, language)]
    assert not [(a, b) for a, b in combinations(on_board, 2) if overlap(a, b)]


@in_each_language
@in_each_position
def test_nothing_lies_outside_the_map(position, language):
    wide, high = drawing("europe").size
    for box in boxes_of(names("europe", language)) + [p.box for p in pieces_of(position, language)]:
        assert min(box.x, box.y, wide - box.x - box.w, high - box.y - box.h) >= 0, box


@in_each_position
def test_pieces_stand_in_their_own_region(position):
    for one in pieces_of(position, "en"):
        if one.region not in drawing("europe").harbours or one.piece.kind != "fleet":
            corners = [(one.box.x + dx, one.box.y + dy) for dx in (0, one.box.w) for dy in (0, one.box.h)]
            box = Polygon([(x * 10, y * 10) for x, y in (corners[0], corners[1], corners[3], corners[2])])
            assert shapes()[one.region].intersection(box).area >= 0.97 * box.area, one


def test_fleet_in_harbour_lies_at_the_coast_of_its_port():
    for region, box in drawing("europe").harbours.items():
        home, sea, ship = shapes()[region], shapes()[str(BOARD.places[region].port)], Polygon(_corners(box))
        assert (home | sea).intersection(ship).area > 0.97 * ship.area, region
        assert sea.intersection(ship).area > 0.15 * ship.area, region
        assert home.distance(ship) < 60, region
    assert set(drawing("europe").harbours) == {place.id for place in BOARD.places.values() if place.port}


def _corners(box: Box) -> list[tuple[float, float]]:
    x, y, right, low = (10 * v for v in (box.x, box.y, box.x + box.w, box.y + box.h))
    return [(x, y), (right, y), (right, low), (x, low)]


def test_six_fleets_in_one_sea_are_drawn_in_full_size():
    assert all(p.box.h >= 15 for p in pieces_of("six in one sea", "en") if p.region == "english_channel")


def test_few_pieces_are_drawn_large_everywhere():
    fields = drawing("europe").fields
    for region, place in BOARD.places.items():
        if place.kind == "impassable":
            continue
        assert packed([(20, 15)] * 2, fields[region])[0].h > 9.5, place


def test_pieces_shrink_only_as_far_as_they_must():
    field = Box(0, 0, 100, 20)
    assert [box.w for box in packed([(40, 15)] * 2, [field])] == [48, 48]
    assert [box.w for box in packed([(45, 15)] * 2, [field])] == [45, 45]
    across = packed([(60, 15)] * 2, [field])[0].w
    assert 2 * across + GAP <= 100 < 2 * across / SHRINK + GAP


@in_each_language
@in_each_position
def test_in_large_print_every_land_has_its_name_and_nothing_collides(position, language):
    view, events = POSITIONS[position]
    lettered = names("europe", language, PHONE)
    assert not [name.region for name in lettered if not name.lines and not BOARD.is_sea(name.region)]
    pieces = laid(view, drawing("europe", PHONE.places), changes(events), speech(language).letters, PHONE)
    boxes = boxes_of(lettered) + [one.box for one in pieces]
    assert not [(a, b) for a, b in combinations(boxes, 2) if overlap(a, b)]
    wide, high = drawing("europe").size
    assert min(min(box.x, box.y, wide - box.x - box.w, high - box.y - box.h) for box in boxes) >= 0


@in_each_language
def test_names_in_the_mail_can_be_read_on_a_phone(language):
    assert PHONE.name * 375 / drawing("europe").size[0] >= 9  # px, on one that is 390 px across


# -- what is shown ---


def test_every_piece_is_drawn_with_its_number():
    view = ten_armies_in_one_province()
    found = {(p.piece.nation, p.piece.kind): p.piece.count for p in pieces_of("ten in one province", "en")}
    for nation, row in view["nations"].items():
        lying = row["friendly_armies"].get("dijon", 0)
        assert found[nation, "army"] == row["armies"]["dijon"] - lying
        assert found.get((nation, "lying"), 0) == lying


def test_what_happened_is_marked():
    events = [
        {"type": "FactoryBuilt", "nation": "italy", "region": "venice", "paid": 5},
        {"type": "UnitProduced", "nation": "italy", "region": "rome", "unit": "army"},
        {"type": "FlagPlaced", "nation": "italy", "region": "tunis", "replaced": None},
        {"type": "BattleFought", "region": "greece"},
        {
            "type": "ArmiesMoved",
            "nation": "italy",
            "count": 1,
            "origin": "rome",
            "target": "tunis",
            "seas": ["ionian_sea"],
        },
    ]
    view = start()
    view["nations"]["italy"]["armies"] = {"rome": 1, "tunis": 1}
    happened = changes(events)
    assert happened.works == {"venice"}
    assert happened.flags == {"tunis"}
    assert happened.battles == {"greece"}
    assert [way.over for way in happened.ways] == [("rome", "ionian_sea", "tunis")]
    new = {p.region for p in laid(view, drawing("europe"), happened, speech("en").letters) if p.piece.new}
    assert new == {"rome"}
    assert board_svg(view, events=events) != board_svg(view)


def test_a_changed_status_is_marked_on_the_army_that_changed():
    view = start()
    view["nations"]["italy"].update(armies={"munich": 3}, friendly_armies={"munich": 2})
    told = {"type": "StatusChanged", "nation": "italy", "region": "munich", "count": 1, "status": "friendly"}
    pieces = laid(view, drawing("europe"), changes([told]), speech("en").letters)
    assert {one.piece.kind: one.piece.new for one in pieces if one.region == "munich"} == {"army": False, "lying": True}


def test_a_fleet_leaves_from_its_harbour_and_an_army_from_its_place():
    def begin(kind: str) -> tuple[float, float]:
        told = {"type": kind, "nation": "italy", "count": 1, "origin": "naples", "target": "ionian_sea"}
        return _points(drawing("europe"), [], changes([told]).ways[0])[0]

    assert begin("FleetsMoved") == drawing("europe").harbours["naples"].middle
    assert begin("ArmiesMoved") == drawing("europe").fields["naples"][0].middle


def test_an_arrow_ends_before_the_piece_it_is_about():
    box = Box(100, 100, 20, 15)
    for begin in ((0, 100), (110, 0), (300, 300), (110, 200)):
        x, y = _edge(begin, box)
        assert not overlap(box, Box(x, y, 0.01, 0.01))
        assert dist((x, y), box.middle) < 25


def test_a_new_government_is_seen():
    view = start()
    view["nations"]["italy"]["government"] = "claudia"
    assert board_svg(view, before=start()).count(CHANGED) == 1
    assert CHANGED not in board_svg(view, before=view)


def test_markers_that_moved_are_rimmed():
    view = start()
    view["nations"]["italy"].update(power=3, tax=8)
    assert board_svg(view, before=start()).count("disc.italy.5.new") == 3  # kept once, on both tracks


def test_differences_are_told_beside_the_amounts():
    view = start()
    view["nations"]["france"]["treasury"] += 7
    assert len(board_svg(view, before=start())) > len(board_svg(view, before=view))


def test_hidden_cash_is_no_matter():
    view = start()
    open_ = board_svg(view)
    for row in view["players"].values():
        row["cash"] = None
    assert board_svg(view) == open_


@in_each_language
def test_each_nation_has_a_letter_of_its_own(language):
    letters = speech(language).letters
    assert set(letters) == set(BOARD.nations)
    assert len(set(letters.values())) == 6


# -- the picture ---


@in_each_language
def test_picture_needs_no_font_and_loads_nothing(language):
    svg = board_svg(crowded(), language=language)
    tags = {element.tag.partition("}")[2] for element in ElementTree.fromstring(svg).iter()}
    assert tags <= {"svg", "title", "desc", "defs", "g", "path", "rect", "circle", "use"}
    assert set(re.findall(r'href="(.)', svg)) == {"#"}


@in_each_position
def test_picture_is_small(position):
    view, events = POSITIONS[position]
    assert len(board_svg(view, events=events, language="de").encode()) < 300_000
    assert len(board_svg(start(), language="de").encode()) < 160_000


def test_mail_picture_is_small_whatever_is_on_it():
    crammed = map_png(crowded(), events=BATTLES, language="de")
    assert len(crammed) <= LIMIT
    assert Image.open(BytesIO(crammed)).width == FINE


def test_mail_picture_keeps_the_colours_that_tell_pieces_apart():
    made = Image.open(BytesIO(map_png(crowded(), events=BATTLES))).convert("RGB")
    found = [colour for _, colour in made.getcolors(256)]
    for wanted in (colours.fill for colours in NATIONS.values()):
        parts = bytes.fromhex(wanted[1:])
        assert min(sum(abs(a - b) for a, b in zip(parts, colour, strict=True)) for colour in found) <= NEAR


def test_mail_picture_in_layers_is_the_whole_picture():
    """What is kept and what is drawn anew lie upon one another as in the one drawing."""
    view, events = max(played(1)[::5], key=lambda one: len(changes(one[1]).ways))
    scene = Scene(view, None, events, "en", PHONE)
    canvas = scene.canvas()
    canvas.draw(drawing("europe").map)
    scene.draw_ways(canvas)
    draw_words(canvas, "europe", "en", PHONE)
    scene.draw_pieces(canvas)
    whole = resvg_py.svg_to_bytes(
        svg_string=canvas.svg("", ""),
        width=FINE,
        style_sheet="#shallows {display: none}",
        skip_system_fonts=True,
        shape_rendering="crisp_edges",
    )
    one = Image.open(BytesIO(whole)).convert("RGB")
    other = Image.open(BytesIO(map_png(view, events=events))).convert("RGB").resize(one.size)
    assert max(ImageStat.Stat(ImageChops.difference(one, other)).mean) < 2.5


@pytest.mark.slow
def test_what_is_kept_for_many_pictures_looks_as_on_a_whole_sheet():
    """Hardly ever a pixel differs, where a line lies as good as on its middle."""
    for view, events in played(1)[::25]:
        scene = Scene(view, None, events, "it", PHONE)
        pieces = scene.canvas()
        scene.draw_pieces(pieces)
        blank = Layer(scene.canvas().svg("", ""))
        one = Image.open(BytesIO(png((blank, Layer(pieces.svg("", ""), shades=CRISP)), FINE))).convert("RGB")
        other = Image.open(BytesIO(png((blank, *pieces.apart()), FINE))).convert("RGB")
        differing = ImageChops.difference(one, other).convert("L").histogram()
        assert sum(differing[1:]) <= 2


def test_plain_pictures_are_packed_smaller_and_show_the_same():
    layers = (Layer(map_svg("europe"), shades=CRISP),)
    plain, other = png(layers, FINE, is_plain=True), png(layers, FINE)
    assert Image.open(BytesIO(plain)).convert("RGB") == Image.open(BytesIO(other)).convert("RGB")
    assert len(plain) < len(other)


def test_a_page_has_the_picture_over_files_that_all_pages_share():
    view, events = max(played(1), key=lambda one: len(changes(one[1]).ways))
    svg = board_on_page(
        view, before=view, events=events, language="de", alt='The "board"', ground="g.svg", names="n.svg"
    )
    root = ElementTree.fromstring(svg)
    classes = Counter(group.get("class") for group in root.iter("g"))
    ways = len({*changes(events).ways})
    assert ways > 2
    assert classes["way"] == classes["mover"] == ways
    assert {group.get("visibility") for group in root.iter("g") if group.get("class") in ("mover", "was")} == {"hidden"}
    assert [image.get("href") for image in root.iter("image")] == ["g.svg", "n.svg"]
    assert root.get("aria-label") == 'The "board"'
    assert len(svg) < 50_000
    assert "class=" not in board_svg(view, events=events)


def test_what_changes_on_a_page_was_there_or_is_there():
    """At rest, and before anything has moved, every piece is there once."""
    course = played(2)
    for number in range(5, len(course), 9):
        (before, _), (view, events) = course[number - 1], course[number]
        svg = board_on_page(view, before=before, events=events, language="en", alt="", ground="g", names="n")
        root = ElementTree.fromstring(svg)
        for hidden, shown in (("was", view), ("is", before)):
            units = 0
            for parent in root.iter():
                if parent.get("class") in (hidden, "mover") or parent.tag == "defs":
                    continue
                units += sum(_units(child) for child in parent if child.tag == "use")
            assert units == sum(
                sum(row[kind].values()) for row in shown["nations"].values() for kind in ("armies", "fleets")
            )


def _units(use: ElementTree.Element) -> int:
    kind, _, rest = use.get("href", "")[1:].partition(".")
    return int(rest.split(".")[1]) if kind in ("army", "lying", "fleet") else 0


def test_mail_picture_is_fine_and_always_the_same():
    made = map_png(start())
    assert len(made) <= LIMIT
    assert Image.open(BytesIO(made)).width == FINE
    assert made == map_png(start())


@in_each_language
def test_twin_in_text_names_all_nations(language):
    told = board_alt(start(), language)
    assert all(name in told for name in display_names(language)["nations"].values())
    assert len(told) < 1200
    assert "{" not in told


def test_seat_with_signs_of_html_stays_text():
    view = start()
    view["nations"]["italy"]["government"] = view["investor"] = '<b>"&'
    ElementTree.fromstring(board_svg(view))


def test_letters_without_an_outline_are_drawn_as_others():
    view = start()
    view["nations"]["italy"]["government"] = "日本 Ǻsa Ωμέγα"
    ElementTree.fromstring(board_svg(view))


def test_a_long_name_is_cut_short():
    view, long_ = start(), start()
    view["nations"]["italy"]["government"] = "w" * 40
    long_["nations"]["italy"]["government"] = "w" * 400
    assert board_svg(view).partition("<defs>")[2] == board_svg(long_).partition("<defs>")[2]


def test_no_change_no_mark():
    assert changes([]) == Changes()


# -- whole games ---


@cache
def played(seed: int) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Every position of a random game, with the events that led to it as reports have them."""
    state, dice, found = RULES.blank(SETUP), random.Random(seed), []
    for event in RULES.open(state, Lots(str(seed), "pictures"), {}):
        state = RULES.apply(state, event)
    while not RULES.finished(state):
        decision = RULES.pending(state)[0]
        order = BOTS["random"](RULES, state, decision, dice.randrange)
        resolved = RULES.resolve(state, [Answer(seat=decision.seat, order=order, decision=decision)], NoLots())
        state = resolved.state
        told = [{**msgspec.structs.asdict(event), "type": event.__struct_config__.tag} for event in resolved.events]
        found.append((dict(RULES.view(state, None)), told))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_every_position_of_a_game_can_be_drawn(seed):
    """Nothing touches in any of them, and each piece of the state document lies on the board."""
    called = boxes_of(names("europe", "it"))
    for view, events in played(seed)[::14]:
        pieces = laid(view, drawing("europe"), changes(events), speech("it").letters)
        boxes = called + [one.box for one in pieces]
        assert not [(a, b) for a, b in combinations(boxes, 2) if overlap(a, b)]
        units = sum(one.piece.count for one in pieces if one.piece.nation)
        assert units == sum(
            sum(row[kind].values()) for row in view["nations"].values() for kind in ("armies", "fleets")
        )
        ElementTree.fromstring(board_svg(view, before=played(seed)[0][0], events=events, language="it"))


@pytest.mark.slow
def test_positions_of_a_game_stay_small():
    view, events = max(played(1), key=lambda one: len(board_svg(one[0], events=one[1])))
    assert len(board_svg(view, events=events).encode()) < 165_000
    assert Image.open(BytesIO(map_png(view, events=events))).width == FINE


# -- colours ---

EYES = {  # Machado, Oliveira and Fernandes 2009: how red, green and blue are seen
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "no green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "no blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def seen(colour: str, eyes: str) -> list[float]:
    plain = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return [sum(share * part for share, part in zip(row, plain, strict=True)) for row in EYES[eyes]]


@pytest.mark.parametrize("eyes", EYES)
def test_nations_are_told_apart_by_colour_blind_eyes(eyes):
    fills = [seen(colours.fill, eyes) for colours in NATIONS.values()]
    assert min(dist(a, b) for a, b in combinations(fills, 2)) > 0.2


def test_letters_stand_out_from_their_pieces():
    for colours in NATIONS.values():
        light, dark = sorted((_lightness(colours.fill), _lightness(colours.ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4  # WCAG 2.2 asks 3 of large or bold letters


def _lightness(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@in_each_language
def test_explanations_of_the_signs_fit_in(language):
    words = [speech(language).say(f"signs.{key}") for key in SIGNS]
    assert sum(width(word, 8.5) + 13 + 18 for word in words) <= 580


# -- charts ---


def test_series_has_the_last_value_of_each_round():
    views = [view for view, _ in played(0)]
    over = series("power", views)
    assert list(over.rounds) == list(range(1, views[-1]["round"] + 1))
    assert {name: line[-1] for name, line in over.lines.items()} == {
        name: row["power"] for name, row in views[-1]["nations"].items()
    }
    assert {seat: line[-1] for seat, line in series("score", views).lines.items()} == views[-1]["scores"]


@in_each_language
@pytest.mark.parametrize("kind", ["power", "treasury", "score"])
def test_chart_names_every_line(kind, language):
    over = series(kind, [view for view, _ in played(0)])
    svg = chart_svg(kind, over, language)
    told = ElementTree.fromstring(svg).findtext("{http://www.w3.org/2000/svg}desc") or ""
    assert all(display_names(language)["nations"].get(name, name) in told for name in over.lines)
    assert len(svg) < 40_000
    assert svg == chart_svg(kind, over, language)


def test_names_at_the_ends_of_lines_never_touch():
    for wished in ([100.0] * 6, [34.0] * 6, [206.0] * 6, [40.0, 41, 120, 205, 206, 206]):
        found = _spread(wished)
        assert all(b - a >= APART - 1e-6 for a, b in pairwise(found))
        assert min(found) >= 8
        assert max(found) <= HIGH - BOTTOM + 1e-6


def test_chart_of_nothing_yet_is_a_chart():
    ElementTree.fromstring(chart_svg("power", series("power", [])))
    ElementTree.fromstring(chart_svg("score", series("score", [start()])))


def test_chart_below_zero_keeps_its_lines_inside():
    field = Field.around(2, [Line(name="anton", values=[-7, 12], style=Style(colour="red"))])
    assert field.y(-7) <= HIGH - BOTTOM
    assert field.y(12) >= TOP


def test_chart_for_the_mail_is_small_and_always_the_same():
    over = series("treasury", [view for view, _ in played(0)])
    assert chart_png("treasury", over) == chart_png("treasury", over)
    assert len(chart_png("treasury", over)) < 40_000
