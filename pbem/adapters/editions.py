"""Boards, editions and names from `games/`: checked whole, every mistake told at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, Literal, get_args

from pydantic import Field

from pbem.files import Misfiled, Page, Sheet, Way, fit, read_yaml, resource
from pbem.language.commands import LANGUAGES
from pbem.rules.imperial.board import Board, Nation, Place, Region, Unit
from pbem.rules.imperial.edition import Edition, Options
from pbem.rules.imperial.game import Imperial
from pbem.table.phrases import Names
from pbem.table.seat import Setup

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


class DoubtSheet(Sheet):
    """Something a look at the printed board would settle: one of the first three, and why."""

    border: tuple[Region, Region] | None = None  # that there is
    no_border: tuple[Region, Region] | None = None  # that there is not
    port: Region | None = None
    reason: str = Field(min_length=1)


class BoardSheet(Sheet):
    id: str
    nations: dict[Nation, SupplySheet]
    home_provinces: dict[Region, HomeSheet]
    land_regions: list[Region]
    sea_regions: list[Region]
    impassable: list[Region]
    borders: list[tuple[Region, Region]]
    doubts: tuple[DoubtSheet, ...] = ()


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
    card_fallback: Literal["italy", "russia"]
    challenger_tie: Literal["card_order", "first_buyer"]
    compensation: Literal[0, 1]
    cash: Literal["open", "secret"]
    finality: Literal["at_once"]  # `on_rollout` is not played yet
    lapse: Literal["skip", "free_step"]
    lateness: Literal["ledger"]  # `fee` and `bonus` are not played yet


class EditionSheet(Sheet):
    id: str
    bonds: dict[int, int] = Field(min_length=1)
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
    rules = load_edition(_text("editions", edition), f"{edition}.yaml", dict(options))
    return Imperial(found, rules, words(), setup)


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


def load_edition(text: str, source: str, options: Mapping[str, str] | None = None) -> Edition:
    """A rule book, with a game's own options over those of the book."""
    page = _extended("editions", read_yaml(text, source), (source,))
    sheet = fit(EditionSheet, page)
    _raise_all(page, _edition_problems(sheet))
    chosen = _chosen(options or {})
    money = chosen.pop("starting_money", None)  # the same for each player; the rule books have tables
    values = sheet.options.model_copy(update=chosen)
    return Edition(
        id=sheet.id,
        bonds={p: i for p, i in sorted(sheet.bonds.items()) if p <= values.bonds_up_to},
        large_bond=sheet.flag_card.large,
        small_bond_of=sheet.flag_card.small_bond_of,
        starting_money=sheet.starting_money if money is None else dict.fromkeys(sheet.starting_money, money),
        starting_cards=sheet.starting_cards,
        experienced_money=sheet.experienced_money if money is None else dict.fromkeys(sheet.experienced_money, money),
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
        options=_options(values),
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


# -- the options of a game ---


def option_values() -> Mapping[str, tuple[str, ...]]:
    """The keys of `option` lines and what each may say; no values: any amount of millions."""
    listed = {key: tuple(map(str, _choices(key))) for key in OptionSheet.model_fields}
    return {**listed, "starting_money": ()}


def _choices(key: str) -> tuple[Any, ...]:
    return get_args(OptionSheet.model_fields[key].annotation)


def _chosen(options: Mapping[str, str]) -> dict[str, Any]:
    """The values as the edition's own are; raises `Misfiled` with every option that can't be."""
    problems = tuple(problem for key, value in options.items() if (problem := _option_problem(key, value)))
    if problems:
        raise Misfiled(problems)
    return {key: int(value) if value.isdecimal() else value for key, value in options.items()}


def _option_problem(key: str, value: str) -> str | None:
    known = option_values()
    if key not in known:
        return f"option {key}: there is no such option; there are {', '.join(sorted(known))}"
    if not known[key]:
        is_amount = value.isascii() and value.isdecimal() and 0 < len(value) <= 4
        return None if is_amount else f"option {key}: should be an amount in millions, but is {value!r}"
    if value in known[key]:
        return None
    if len(known[key]) == 1:
        return f"option {key}: only {known[key][0]} is played so far, not {value!r}"
    return f"option {key}: should be {' or '.join(known[key])}, but is {value!r}"


# -- files that say "like that one, but" ---


def _extended(folder: str, page: Page, trail: tuple[str, ...]) -> Page:
    """A file over the one it extends: sections merge by key, lists replace whole."""
    if not isinstance(page.value, dict) or "extends" not in page.value:
        return page
    own = {key: value for key, value in page.value.items() if key != "extends"}
    name, mark = str(page.value["extends"]), _mark(page, ("extends",))
    if name not in _ids(folder) or f"{name}.yaml" in trail:
        why = "is extended by itself" if name in _ids(folder) else f"is none of {', '.join(_ids(folder))}"
        raise Misfiled((f"{':'.join(map(str, mark))}: extends: {name} {why}",))
    file = f"{name}.yaml"
    under = _extended(folder, read_yaml(_text(folder, name), file), (*trail, file))
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
    for number, doubt in enumerate(sheet.doubts):
        yield from _doubt_problems(sheet, number, doubt)


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


def _doubt_problems(sheet: BoardSheet, number: int, doubt: DoubtSheet) -> Iterator[Problem]:
    """A doubt that no longer fits the board is a mistake: whoever changes a border settles its doubt."""
    way, borders = ("doubts", number), {frozenset(border) for border in sheet.borders}
    known = {*sheet.home_provinces, *sheet.land_regions, *sheet.sea_regions}
    if [doubt.border, doubt.no_border, doubt.port].count(None) != 2:
        yield way, "a doubt is about one thing: a border, a no_border or a port"
    for region in (*(doubt.border or ()), *(doubt.no_border or ())):
        if region not in known:
            yield way, f"{region} is no region of this board that can be entered"
    if doubt.border is not None and frozenset(doubt.border) not in borders:
        yield way, f"{doubt.border[0]} and {doubt.border[1]} have no border here"
    if doubt.no_border is not None and frozenset(doubt.no_border) in borders:
        yield way, f"{doubt.no_border[0]} and {doubt.no_border[1]} have a border here"
    if doubt.port is not None and doubt.port not in {r for r, home in sheet.home_provinces.items() if home.port}:
        yield way, f"{doubt.port} has no port here"


# -- an edition as a whole ---


def _edition_problems(sheet: EditionSheet) -> Iterator[Problem]:
    nations = words()["nations"]
    small_bonds = sheet.flag_card.small_bond_of
    for nation, lent_to in small_bonds.items():
        if nation not in nations or lent_to not in nations or nation == lent_to:
            yield ("flag_card", "small_bond_of", nation), "should name a nation and another one"
    if missing := sorted({*nations} - {*small_bonds}):
        yield ("flag_card", "small_bond_of"), f"{', '.join(missing)} has no small bond"
    for players, bundles in sheet.starting_cards.items():
        for nation in (*bundles, *(n for more in bundles.values() for n in more)):
            if nation not in nations:
                yield ("starting_cards", str(players)), f"{nation} is no nation"
    yield from _bond_problems(sheet)
    yield from _money_problems(sheet)
    if sheet.taxes.marker[0] >= sheet.taxes.marker[1]:
        yield ("taxes", "marker"), "the lowest space comes first, then the highest"


def _bond_problems(sheet: EditionSheet) -> Iterator[Problem]:
    named = {
        ("flag_card", "large"): sheet.flag_card.large,
        ("options", "small_bond"): sheet.options.small_bond,
        ("options", "bonds_up_to"): sheet.options.bonds_up_to,
    }
    for way, price in named.items():
        if price not in sheet.bonds:
            yield way, f"there is no bond of {price}"
    for price, interest in sheet.bonds.items():
        if price < 1 or interest < 1:
            yield ("bonds", str(price)), "price and interest should be at least 1"


def _money_problems(sheet: EditionSheet) -> Iterator[Problem]:
    card = sheet.flag_card.large + sheet.options.small_bond
    for table, amounts in (("starting_money", sheet.starting_money), ("experienced_money", sheet.experienced_money)):
        if sorted(amounts) != [2, 3, 4, 5, 6]:
            yield (table,), "should tell the money of 2, 3, 4, 5 and 6 players"
    for players, amount in sheet.starting_money.items():
        bundles = sheet.starting_cards.get(players, {})
        needs = card * (1 + max((len(more) for more in bundles.values()), default=0))
        if amount < needs:
            yield ("starting_money", str(players)), f"should pay for the flag cards, {needs}, but is {amount}"


# -- mistakes ---


def _raise_all(page: Page, problems: Iterator[Problem]) -> None:
    told = tuple(f"{':'.join(map(str, _mark(page, way)))}: {'.'.join(map(str, way))}: {why}" for way, why in problems)
    if told:
        raise Misfiled(told)


def _mark(page: Page, way: Way) -> tuple[str, int, int]:
    """Where a value stands, or the nearest thing around it that is there."""
    texts = tuple(map(str, way))
    known = next(w for end in range(len(way), -1, -1) for w in (way[:end], texts[:end]) if w in page.places)
    return page.places[known].value
