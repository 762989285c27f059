"""Boards, editions and names from `games/`: checked whole, every mistake told at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, Literal

from pydantic import Field

from pbem.files import Misfiled, Page, Sheet, Way, fit, read_yaml, resource
from pbem.rules.imperial.board import Board, Nation, Place, Region, Unit
from pbem.rules.imperial.edition import Edition, Options
from pbem.rules.imperial.game import Imperial
from pbem.table.phrases import Names
from pbem.table.seat import Setup

LANGUAGES = ("en", "de", "it")
YesNo = Literal["yes", "no"]
City = Literal["armaments", "shipyard"]


# -- what the files may say ---


class SupplySheet(Sheet):
    armies: int = Field(ge=1)
    fleets: int = Field(ge=1)


class HomeSheet(Sheet):
    nation: Nation
    city: City
    port: Region | None = None
    works: bool = False


class BoardSheet(Sheet):
    id: str
    nations: dict[Nation, SupplySheet]
    home_provinces: dict[Region, HomeSheet]
    land_regions: list[Region]
    sea_regions: list[Region]
    impassable: list[Region]
    borders: list[tuple[Region, Region]]


class FlagCardSheet(Sheet):
    large: int
    small_bond_of: dict[Nation, Nation]


class RondelSheet(Sheet):
    free: int = Field(ge=1)
    price: int = Field(ge=0)
    reach: int = Field(ge=1, le=7)


class ImportSheet(Sheet):
    price: int = Field(ge=0)
    units: int = Field(ge=1)


class TaxSheet(Sheet):
    factory: int
    flag: int
    pay: int
    marker: tuple[int, int]


class PowerSheet(Sheet):
    end: int = Field(ge=1)
    step: int = Field(ge=1)


class OptionSheet(Sheet):
    bonds_up_to: Literal[25, 30]
    small_bond: Literal[2, 4]
    flags: Literal[10, 15]
    investor_card: YesNo
    swiss_bank: YesNo
    force_stop: YesNo
    taxation: Literal["points_first", "money_first"]
    status_change: YesNo
    uncovered_investor: Literal["refuse", "allow"]
    card_fallback: Nation
    challenger_tie: Literal["card_order", "first_buyer"]
    compensation: Literal[0, 1]
    cash: Literal["open", "secret"]
    finality: Literal["at_once", "on_rollout"]
    lapse: Literal["skip", "free_step"]
    lateness: Literal["ledger", "fee", "bonus"]


class EditionSheet(Sheet):
    id: str
    bonds: dict[int, int]
    flag_card: FlagCardSheet
    starting_money: dict[int, int]
    starting_cards: dict[int, dict[Nation, tuple[Nation, ...]]]
    experienced_money: dict[int, int]
    rondel: RondelSheet
    factory_cost: int = Field(ge=0)
    import_: ImportSheet = Field(alias="import")
    destroyers: int = Field(ge=1)
    card_bonus: int = Field(ge=0)
    taxes: TaxSheet
    power: PowerSheet
    options: OptionSheet


class NameSheet(Sheet):
    language: str
    nations: dict[Nation, tuple[str, ...]]
    regions: dict[Region, tuple[str, ...]]
    spaces: dict[str, tuple[str, ...]]
    units: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]


# -- loading ---


def imperial(setup: Setup) -> Imperial:
    """The table for this set-up. Raises `Misfiled`, also for options that the edition does not know."""
    return _imperial(setup.board, setup.edition, tuple(sorted(setup.options.items())), setup.setup)


def editions() -> tuple[str, ...]:
    """The ids of the rule books there are."""
    return _ids("editions")


def display_names(language: str) -> Mapping[str, Mapping[str, str]]:
    """What each thing is called in a language, by kind and id."""
    tables: dict[str, dict[str, tuple[str, ...]]] = _names(language).model_dump(exclude={"language"})
    return {kind: {id_: ways[0] for id_, ways in table.items()} for kind, table in tables.items()}


@cache
def _imperial(board: str, edition: str, options: tuple[tuple[str, str], ...], setup: str) -> Imperial:
    found = load_board(_text("boards", board), f"{board}.yaml")
    return Imperial(found, load_edition(edition, dict(options)), words(), setup)


def load_board(text: str, source: str) -> Board:
    page = read_yaml(text, source)
    sheet = fit(BoardSheet, page)
    _raise_all(page, _board_problems(sheet))
    return Board(
        id=sheet.id,
        supply={n: {"army": s.armies, "fleet": s.fleets} for n, s in sheet.nations.items()},
        places={place.id: place for place in _places(sheet)},
        borders=tuple(sheet.borders),
    )


def load_edition(edition: str, options: Mapping[str, str]) -> Edition:
    page = _with_options(_extended("editions", edition), options)
    sheet = fit(EditionSheet, page)
    return Edition(
        id=sheet.id,
        bonds={p: i for p, i in sorted(sheet.bonds.items()) if p <= sheet.options.bonds_up_to},
        large_bond=sheet.flag_card.large,
        small_bond_of=sheet.flag_card.small_bond_of,
        starting_money=sheet.starting_money,
        starting_cards=sheet.starting_cards,
        experienced_money=sheet.experienced_money,
        free_spaces=sheet.rondel.free,
        space_price=sheet.rondel.price,
        reach=sheet.rondel.reach,
        factory_cost=sheet.factory_cost,
        import_price=sheet.import_.price,
        import_units=sheet.import_.units,
        destroyers=sheet.destroyers,
        card_bonus=sheet.card_bonus,
        tax_per_factory=sheet.taxes.factory,
        tax_per_flag=sheet.taxes.flag,
        pay_per_unit=sheet.taxes.pay,
        lowest_tax=sheet.taxes.marker[0],
        highest_tax=sheet.taxes.marker[1],
        power_end=sheet.power.end,
        power_step=sheet.power.step,
        options=_options(sheet.options),
    )


@cache
def words() -> Mapping[str, Names]:
    """All names of all languages, by kind and id: a player may write in any of them."""
    sheets = [_names(language) for language in LANGUAGES]
    tables = [s.model_dump(exclude={"language"}) for s in sheets]
    return {kind: _joined([table[kind] for table in tables]) for kind in tables[0]}


def _joined(tables: list[Mapping[str, tuple[str, ...]]]) -> Names:
    ids = dict.fromkeys(id_ for table in tables for id_ in table)
    return {id_: tuple(dict.fromkeys(way for t in tables for way in t.get(id_, ()))) for id_ in ids}


@cache
def _names(language: str) -> NameSheet:
    return fit(NameSheet, read_yaml(_text("names", language), f"{language}.yaml"))


def _options(sheet: OptionSheet) -> Options:
    flags = {"investor_card", "swiss_bank", "force_stop", "status_change"}
    values = sheet.model_dump()
    return Options(**{key: value == "yes" if key in flags else value for key, value in values.items()})


def _with_options(page: Page, options: Mapping[str, str]) -> Page:
    """The edition with a game's own options; an unknown key or value is a mistake like any other."""
    known = page.value.get("options", {})
    chosen = {key: _like(known.get(key), value) for key, value in options.items()}
    return Page(value={**page.value, "options": {**known, **chosen}}, places=page.places)


def _like(default: object, value: str) -> object:
    return int(value) if isinstance(default, int) and value.isdigit() else value


# -- files that say "like that one, but" ---


def _extended(folder: str, name: str) -> Page:
    """A file over the one it extends: sections merge by key, lists replace whole."""
    page = read_yaml(_text(folder, name), f"{name}.yaml")
    if not isinstance(page.value, dict) or "extends" not in page.value:
        return page
    own = {key: value for key, value in page.value.items() if key != "extends"}
    under = _extended(folder, str(page.value["extends"]))
    return Page(value=_over(under.value, own), places={**under.places, **page.places})


def _over(under: Mapping[Any, Any], own: Mapping[Any, Any]) -> dict[Any, Any]:
    both = {k: _over(under[k], own[k]) for k in own if isinstance(own[k], dict) and isinstance(under.get(k), dict)}
    return {**under, **own, **both}


def _text(folder: str, name: str) -> str:
    file = _folder(folder) / f"{name}.yaml"
    if not name.replace("_", "").isalnum() or not file.is_file():
        raise Misfiled((f"{folder}: there is no {name!r}; there are {', '.join(_ids(folder))}",))
    return file.read_text(encoding="utf-8")


def _ids(folder: str) -> tuple[str, ...]:
    found = (file.name for file in _folder(folder).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in found if name.endswith(".yaml")))


def _folder(folder: str) -> Traversable:
    return resource("games") / "imperial" / folder


# -- the board as a whole ---


def _places(sheet: BoardSheet) -> Iterator[Place]:
    for region, home in sheet.home_provinces.items():
        makes: Unit = "army" if home.city == "armaments" else "fleet"
        yield Place(id=region, kind="home", nation=home.nation, makes=makes, port=home.port, works=home.works)
    for region in sheet.land_regions:
        yield Place(id=region, kind="land")
    for region in sheet.sea_regions:
        yield Place(id=region, kind="sea")
    for region in sheet.impassable:
        yield Place(id=region, kind="impassable")


Problem = tuple[Way, str]


def _board_problems(sheet: BoardSheet) -> Iterator[Problem]:
    regions = [place.id for place in _places(sheet)]
    for region, count in Counter(regions).items():
        if count > 1:
            yield ("home_provinces",), f"{region} is named {count} times"
    for region, home in sheet.home_provinces.items():
        yield from _home_problems(sheet, region, home)
    yield from _border_problems(sheet, {*regions} - {*sheet.impassable})


def _home_problems(sheet: BoardSheet, region: Region, home: HomeSheet) -> Iterator[Problem]:
    way = ("home_provinces", region)
    if home.nation not in sheet.nations:
        yield (*way, "nation"), f"{home.nation} is no nation of this board"
    if (home.city == "shipyard") != (home.port is not None):
        yield way, "a shipyard has a port, an armaments works has none"
    borders = {*sheet.borders, *((b, a) for a, b in sheet.borders)}
    if home.port is not None and (home.port not in sheet.sea_regions or (region, home.port) not in borders):
        yield (*way, "port"), f"{home.port} is no sea beside {region}"


def _border_problems(sheet: BoardSheet, known: set[Region]) -> Iterator[Problem]:
    seen: set[frozenset[Region]] = set()
    for number, border in enumerate(sheet.borders):
        way = ("borders", number)
        for region in border:
            if region not in known:
                yield way, f"{region} is no region of this board that can be entered"
        if border[0] == border[1] or frozenset(border) in seen:
            yield way, f"{border[0]} and {border[1]}: every border stands once, between two regions"
        seen.add(frozenset(border))


def _raise_all(page: Page, problems: Iterator[Problem]) -> None:
    told = tuple(f"{':'.join(map(str, _mark(page, way)))}: {'.'.join(map(str, way))}: {why}" for way, why in problems)
    if told:
        raise Misfiled(told)


def _mark(page: Page, way: Way) -> tuple[str, int, int]:
    return page.places[tuple(map(str, way)) if tuple(map(str, way)) in page.places else way].value
