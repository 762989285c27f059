"""Any order of Empire that can be written."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from pbem.games.empire.data.names import words
from pbem.games.empire.notation.grammar import ASSAULTS
from pbem.games.empire.rules import orders as od

WORDS = words()
KINDS = [*WORDS["kinds"]]
SITES = [*WORDS["factories"], *WORDS["items"], *WORDS["guns"]]

squares = st.sampled_from(["C3", "D4", "D8a", "J6b", "AB12"])
units = st.sampled_from(["CGO1", "INF12", "BSH3", "SAC1"])
who = st.sampled_from(["anton", "bert", "corinth"])
countries = st.none() | st.just("corinth")
counts = st.integers(1, 99)
kinds, goods = st.sampled_from(KINDS), st.sampled_from([*WORDS["goods"]])
things = st.sampled_from([*WORDS["goods"], *KINDS])
guns = st.sampled_from([*WORDS["guns"]])
factories = st.sampled_from([*WORDS["factories"]])
items = st.sampled_from([*WORDS["items"]])
sites = st.sampled_from(SITES)
manned = st.sampled_from([*WORDS["guns"], "canal", "fort"])
marks = st.sampled_from([*WORDS["marks"]])
directions = st.sampled_from([*WORDS["directions"]])
books = st.sampled_from(["", "first", "last", "spread"])
amounts = st.sampled_from(["0", "5", "72", "19/20", "1/3"])


def maybe(some: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | some


def several(some: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(some, min_size=least, max_size=3).map(tuple)


def chain(least: int = 1) -> st.SearchStrategy[tuple[Any, ...]]:
    return several(squares, least)


def made(of: type, /, **fields: Any) -> st.SearchStrategy[Any]:
    """With the name of a country before it, or without."""
    return st.builds(of, country=countries, **fields)


counted = st.builds(od.Item, things, maybe(counts)) | st.builds(od.Item, units, st.just(1))
parts = (
    st.builds(od.Part, things, maybe(counts), maybe(squares))
    | st.builds(od.Part, units)
    | st.builds(od.Part, st.just("city"), st.none(), maybe(squares))
)
fighters = units | st.builds("naval_gun {}".format, squares)
targets = fighters | kinds
bombed = (
    units
    | kinds
    | sites
    | st.just("empty")
    | st.builds("{} {}".format, st.sampled_from(["fort", "pillbox"]), directions)
    | st.builds("{} {} - {}".format, st.sampled_from(["road", "power_line"]), squares, squares)
)
attacks = st.one_of(
    st.builds(
        od.Attack,
        targets=several(targets),
        every=st.booleans(),
        at=squares,
        units=several(fighters, 1),
        support=several(fighters),
        lose=several(fighters),
        advance=st.booleans(),
    ),
    st.builds(od.Attack, targets=several(targets, 1), units=several(fighters, 1)),
    st.builds(
        od.Bomb,
        target=bombed,
        at=squares,
        units=several(units, 1),
        escort=several(units),
        via=several(squares),
        home=maybe(squares),
    ),
    st.builds(
        od.Strike,
        verb=st.sampled_from([verb for verb in ASSAULTS if verb not in ("attack", "bomb")]),
        target=bombed,
        at=maybe(squares),
        units=several(units, 1),
    ),
)
_moved = {
    "way": chain(),
    "start": maybe(squares),
    "cargo": several(counted),
    "hold": st.booleans(),
    "ending": st.sampled_from(["", "dock", "beach"]),
}

acts: st.SearchStrategy[od.Order] = st.one_of(
    made(od.Capital, squares=chain()),
    made(od.Picks, items=st.tuples(kinds | items, kinds | items)),
    made(od.Move, units=several(units, 1), **_moved),
    made(od.Move, units=several(units, 1), way=chain(), escort=several(units, 1), home=maybe(squares)),
    made(od.Move, kind=kinds, count=maybe(counts), **_moved),
    made(od.Move, kind=kinds, every=st.just(True), **_moved),
    made(
        od.Posture,
        units=several(units, 1),
        posture=st.sampled_from(["dock", "sea", "beach", "dive", "surface"]),
        at=maybe(squares),
    ),
    made(od.Load, carrier=units, items=several(counted, 1), source=maybe(units)),
    made(od.Unload, carrier=units, items=several(counted, 1), at=maybe(squares)),
    made(od.Tow, carrier=units, units=several(units, 1)),
    made(od.Release, carrier=units, units=several(units, 1)),
    made(od.Pipe, count=counts, way=chain(2)),
    made(od.Develop, mark=marks, at=squares, grade=maybe(counts), ship=maybe(units)),
    made(od.Farm, squares=chain()),
    made(od.Stop, what=marks | st.just("farm"), at=squares),
    made(od.Stop, what=st.just("manning"), of=manned, at=squares),
    made(
        od.Make,
        item=things | st.sampled_from([*WORDS["made"]]),
        count=maybe(counts),
        at=squares,
        inputs=several(goods),
        factory=maybe(factories),
        book=books,
    ),
    made(od.Consume, item=counted, at=maybe(squares)),
    made(
        od.Build,
        item=factories | items,
        squares=chain(),
        facing=maybe(directions),
        cmx=maybe(counts),
        workers=maybe(counts),
        ship=maybe(units),
        book=books,
    ),
    made(od.Lay, item=items, squares=chain()),
    made(od.Colony, at=squares),
    made(od.Install, what=guns, at=squares),
    made(od.Deinstall, what=guns, at=squares),
    made(od.Man, what=manned, at=squares),
    made(od.Repair, what=units, at=maybe(squares)),
    made(od.Repair, what=sites, at=squares),
    made(od.Scrap, what=sites, at=squares),
    made(od.Destroy, what=sites, squares=chain(), facing=maybe(directions)),
    made(od.Burn, item=counted, at=squares),
    made(od.Dump, item=counted, at=squares),
    made(od.Births, at=squares, on=st.booleans()),
    made(od.Arm, kind=kinds, count=maybe(counts), at=maybe(squares), aboard=maybe(units), units=several(units)),
    made(od.Disarm, units=several(units, 1)),
    made(od.Overrun, targets=several(targets), at=squares, units=several(fighters, 1), support=several(fighters)),
    made(od.Overrun, targets=several(targets, 1), units=several(fighters, 1)),
    made(od.Battle, attacks=several(attacks, 1)),
    made(od.Patrol, at=squares, units=several(units, 1)),
    made(od.Raid, target=units, unit=units, take=several(counted)),
    made(od.Shoot, target=units, unit=units),
    made(od.Kill, count=maybe(counts), at=squares, unit=units),
    made(od.Capture, item=counted, at=maybe(squares), units=several(units, 1)),
    made(od.Seize, target=units | kinds, at=maybe(squares), by=units | st.just("worker")),
    made(od.Take, items=several(counted, 1), at=squares, by=units | st.just("worker")),
    made(od.Scuttle, unit=units),
    made(od.Crash, unit=units),
    made(od.Die, item=counted, at=maybe(squares)),
    made(od.Attitude, player=who, friendly=st.booleans(), squares=several(squares)),
    made(od.Transfer, unit=units, to=who),
    made(od.Give, item=counted, at=squares, to=who),
    made(od.Accept, offer=st.just("T-4")),
    made(od.Reject, offer=st.just("T-12")),
    made(od.Aid, to=who, amount=st.integers(0, 99)),
    made(od.Found, name=who, at=squares, parts=several(parts)),
    made(od.Governor, at=squares),
    made(od.Ambassador, at=squares),
    made(od.Listing, countries=several(who, 1)),
)


def _standing(what: str, **fields: Any) -> st.SearchStrategy[Any]:
    return made(od.Standing, what=st.just(what), **fields)


_some, _all = several(units, 1), st.sampled_from(["all", "none"])
standing: st.SearchStrategy[od.Standing] = st.one_of(
    _standing("retreat", units=_some, to=squares),
    _standing("retreat", at=maybe(squares), to=squares),
    _standing("scramble", at=maybe(squares), says=st.sampled_from(["all", "none", "always", "2"])),
    _standing("protect", units=_some, to=who, until=maybe(counts)),
    _standing("protect", at=squares, to=who, until=maybe(counts)),
    _standing("fire", at=maybe(squares), says=_all),
    _standing("ackack", at=maybe(squares), says=_all),
    _standing("raid", says=st.sampled_from(["scuttle", "yield"])),
    _standing("lose", at=squares, units=_some),
    _standing("feed", at=squares, says=st.sampled_from(["first", "last"])),
    _standing("accept", to=who),
    _standing("accept", says=_all),
    _standing("births", at=squares, says=st.sampled_from(["on", "off"])),
)


def _given(what: str, **fields: Any) -> st.SearchStrategy[Any]:
    return st.builds(od.Given, what=st.just(what), **fields)


_here = st.tuples(squares)
_amount = st.builds(lambda amount: {"": amount}, amounts)
_number = st.builds(lambda number: {"": str(number)}, counts)
_stock = several(st.tuples(things, amounts) | st.tuples(units, st.just("1")), 1)
_booked = st.dictionaries(st.sampled_from(["cost", "edu", "investment"]), amounts, min_size=1)
_states = maybe(st.sampled_from(["docked", "beached", "sea", "dived", "up", "consumed"]))
_done = maybe(st.just("done"))

given_lines: st.SearchStrategy[od.Given] = st.one_of(
    _given("turn", amounts=_number),
    _given("slot", who=who),
    _given("workers", who=who, squares=_here, amounts=_amount),
    _given("goods", who=who, squares=_here, items=_stock),
    _given("governor", who=who, squares=_here),
    _given("ambassador", who=who, squares=_here, amounts=_number),
    _given("unit", who=who, unit=units, squares=_here, state=_states),
    _given("aboard", unit=units, items=_stock),
    _given("used", unit=units, amounts=_amount),
    _given("used_workers", who=who, squares=_here, amounts=st.fixed_dictionaries({"count": st.just("2"), "": amounts})),
    _given("steps", unit=units, amounts=_number),
    _given("damaged", unit=units),
    _given("damaged", kind=sites, squares=chain(), facing=maybe(directions)),
    _given("capital", who=who, squares=_here),
    _given("site", squares=_here),
    _given("factory", kind=factories, squares=_here),
    _given("work", kind=factories | items, squares=chain(), amounts=_amount),
    st.builds(
        od.Given, what=st.sampled_from([i for i in WORDS["items"] if i not in ("fort", "pillbox")]), squares=chain()
    ),
    st.builds(od.Given, what=st.sampled_from(["fort", "pillbox"]), squares=_here, facing=directions, who=maybe(who)),
    _given("installed", kind=guns, squares=_here, who=maybe(who)),
    _given("developing", who=who, kind=marks, squares=_here, state=_done),
    _given("farming", who=who, squares=_here, state=_done),
    *(_given(w, who=who, amounts=_amount) for w in ("confidence", "fund", "tax", "edu", "investment")),
    _given("debt", who=who, kind=st.sampled_from(["oil", "chemicals", "pay"]), amounts=_amount),
    _given("exchange", who=who, other=who, amounts=_number),
    _given("inflation", who=who),
    _given("friendly", who=who, other=who, squares=several(squares)),
    _given("country", who=who, other=who),
    _given("wind", amounts=_number),
    _given("capture", who=who, amounts=st.just({"": "5.2"})),
    _given("booked", who=who, amounts=_booked),
    _given("births", squares=_here, state=st.sampled_from(["on", "off"])),
    _given("serpent", squares=_here, state=maybe(st.sampled_from(["surfaced", "dived"]))),
    _given("pirate", who=who, squares=_here),
)
