"""What is wrong with a board or an edition as a whole, though every line of its file is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from pbem.files import Way
from pbem.games.imperial.data.schema import BoardSheet, DoubtSheet, EditionSheet, HomeSheet
from pbem.games.imperial.rules.places import Place, Region, Unit


def places(sheet: BoardSheet) -> Iterator[Place]:
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


def board_problems(sheet: BoardSheet) -> Iterator[Problem]:
    regions = [place.id for place in places(sheet)]
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


def edition_problems(sheet: EditionSheet, nations: Collection[str]) -> Iterator[Problem]:
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
