"""Positions laid out by `given` lines (docs/reference/play-file.md, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal, Impossible
from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.bidding import can_begin
from pbem.games.imperial.rules.investor import settle_governments, settle_swiss_banks
from pbem.games.imperial.rules.opening import place_card
from pbem.games.imperial.rules.orders import Given, Status
from pbem.games.imperial.rules.places import SPACES, Nation, Region
from pbem.games.imperial.rules.position import clockwise, credit_of, flags_of
from pbem.games.imperial.rules.reducer import shift_armies
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.stacks import at, shifted
from pbem.games.imperial.rules.state import AwaitBid, AwaitTurn, State


def lay_out(resolution: Resolution, lines: Sequence[Given]) -> None:
    """Set what the lines name, then the governments that follow. Raises `Impossible` with the line."""
    bids = [task for task in resolution.agenda[:1] if isinstance(task, AwaitBid)]
    resolution.agenda.clear()
    for number, line in enumerate(lines):
        _guarded(_set, resolution, number, line)
    if bids and not any(resolution.state.bonds.values()):
        resolution.agenda[:] = bids
    else:
        _settle(resolution, lines, bids)
    for number, line in enumerate(lines):
        _guarded(_check, resolution, number, line)
    _guarded(_check_whole, resolution, len(lines) - 1, lines[-1])


def _guarded(step: Callable[[Resolution, Given], None], resolution: Resolution, number: int, line: Given) -> None:
    try:
        step(resolution, line)
    except Illegal as refusal:
        raise Impossible(number, refusal) from None


def _refuse(line: Given, reason: str, **facts: object) -> Illegal:
    return Illegal("given.impossible", what=line.what, reason=reason, **facts)


# -- one line ---


def _set(resolution: Resolution, line: Given) -> None:
    resolution.state = _SETTERS[line.what](resolution, resolution.state, line)


def _treasury(_: Resolution, state: State, line: Given) -> State:
    return replace(state, treasury={**state.treasury, _nation(line): _number(line)})


def _cash(_: Resolution, state: State, line: Given) -> State:
    return replace(state, cash={**state.cash, Seat(line.seat or ""): _number(line)})


def _bond(resolution: Resolution, state: State, line: Given) -> State:
    nation, price = _nation(line), _number(line)
    if price not in resolution.edition.bonds:
        raise _refuse(line, "bond", price=price, bonds=tuple(resolution.edition.bonds))
    held = {**state.bonds[nation], price: Seat(line.seat or "")}
    return _lent(replace(state, bonds={**state.bonds, nation: held}), nation)


def _no_bond(_: Resolution, state: State, line: Given) -> State:
    nation, price = _nation(line), _number(line)
    if state.bonds[nation].get(price) != line.seat:
        raise _refuse(line, "not_held", price=price)
    held = {p: seat for p, seat in state.bonds[nation].items() if p != price}
    return _lent(replace(state, bonds={**state.bonds, nation: held}), nation)


def _lent(state: State, nation: Nation) -> State:
    """Who still lends comes first, in the old order, then who is new."""
    holders = [*state.lenders.get(nation, ()), *state.bonds[nation].values()]
    still = tuple(seat for seat in dict.fromkeys(holders) if credit_of(state, nation, seat))
    return replace(state, lenders={**state.lenders, nation: still})


def _government(_: Resolution, state: State, line: Given) -> State:
    return replace(state, government={**state.government, _nation(line): Seat(line.seat or "")})


def _rondel(_: Resolution, state: State, line: Given) -> State:
    if line.space not in SPACES:
        raise _refuse(line, "space", space=line.space, spaces=SPACES)
    return replace(state, rondel={**state.rondel, _nation(line): line.space})


def _power(resolution: Resolution, state: State, line: Given) -> State:
    if _number(line) >= resolution.edition.power.end:
        raise _refuse(line, "power", most=resolution.edition.power.end - 1)
    return replace(state, power={**state.power, _nation(line): _number(line)})


def _tax(resolution: Resolution, state: State, line: Given) -> State:
    edition = resolution.edition
    if not edition.taxes.lowest <= _number(line) <= edition.taxes.highest:
        raise _refuse(line, "tax", least=edition.taxes.lowest, most=edition.taxes.highest)
    return replace(state, tax={**state.tax, _nation(line): _number(line)})


def _factory(resolution: Resolution, state: State, line: Given) -> State:
    region = _region(line)
    if resolution.board.places[region].kind != "home":
        raise _refuse(line, "not_home", region=region)
    return replace(state, factories=state.factories | {region})


def _no_factory(_: Resolution, state: State, line: Given) -> State:
    if _region(line) not in state.factories:
        raise _refuse(line, "no_factory", region=line.region)
    return replace(state, factories=state.factories - {_region(line)})


def _flag(resolution: Resolution, state: State, line: Given) -> State:
    region, nation = _region(line), _nation(line)
    if region not in resolution.board.free_regions:
        raise _refuse(line, "flag_at_home", region=region)
    return replace(state, flags={**state.flags, region: nation})


def _army(resolution: Resolution, state: State, line: Given) -> State:
    region, nation = _region(line), _nation(line)
    if resolution.board.places[region].kind not in ("home", "land"):
        raise _refuse(line, "army_at_sea", region=region)
    if resolution.board.is_foreign(region, nation) != (line.status is not None):
        raise _refuse(line, "status", region=region)
    there = at(state.friendly if line.status == "friendly" else state.armies, region, nation)
    return shift_armies(state, region, nation, _status(line), _number(line) - there)


def _fleet(resolution: Resolution, state: State, line: Given) -> State:
    region, nation = _region(line), _nation(line)
    place = resolution.board.places[region]
    in_harbour = place.port is not None and place.nation == nation
    if place.kind != "sea" and not in_harbour:
        raise _refuse(line, "fleet_ashore", region=region)
    change = _number(line) - at(state.fleets, region, nation)
    return replace(state, fleets=shifted(state.fleets, region, nation, change))


def _investor(resolution: Resolution, state: State, line: Given) -> State:
    if not resolution.edition.options.investor_card:
        raise _refuse(line, "no_card")
    return replace(state, investor=Seat(line.seat or ""))


def _turn(_: Resolution, state: State, line: Given) -> State:
    return replace(state, nation=_nation(line))


def _round(_: Resolution, state: State, line: Given) -> State:
    if _number(line) < 1:
        raise _refuse(line, "round")
    return replace(state, round=_number(line))


_SETTERS: Mapping[str, Callable[[Resolution, State, Given], State]] = {
    "treasury": _treasury,
    "cash": _cash,
    "bond": _bond,
    "no bond": _no_bond,
    "government": _government,
    "rondel": _rondel,
    "power": _power,
    "tax": _tax,
    "factory": _factory,
    "no factory": _no_factory,
    "flag": _flag,
    "army": _army,
    "fleet": _fleet,
    "investor": _investor,
    "turn": _turn,
    "round": _round,
}


# -- what follows from the lines, and whether it can be ---


def _settle(resolution: Resolution, lines: Sequence[Given], bids: Sequence[AwaitBid]) -> None:
    """Governments as at the end of an Investor turn, Swiss Banks after them, and whose turn it is.

    Bonds that are given while they are bid for end the bidding.
    """
    named = {line.nation for line in lines if line.what == "government"}
    for nation, sitting in resolution.state.government.items():
        gone = sitting is not None and not credit_of(resolution.state, nation, sitting)
        if gone and nation not in named:
            resolution.state = replace(resolution.state, government={**resolution.state.government, nation: None})
    first = bids[0].first if bids else resolution.state.seats[0]
    settle_governments(resolution, clockwise(resolution.state, resolution.state.investor or first))
    settle_swiss_banks(resolution)
    if bids and resolution.state.investor is None:
        place_card(resolution, first)
    _hand_turn(resolution)


def _hand_turn(resolution: Resolution) -> None:
    """The named nation moves, else the first after it that has a government."""
    start = resolution.board.nations.index(resolution.state.nation or resolution.board.nations[0])
    order = resolution.board.nations[start:] + resolution.board.nations[:start]
    governed = [n for n in order if resolution.state.government[n] is not None]
    if governed:
        resolution.state = replace(resolution.state, nation=governed[0])
        resolution.agenda[:] = [AwaitTurn(nation=governed[0])]


def _check(resolution: Resolution, line: Given) -> None:
    state = resolution.state
    match line.what:
        case "government" if state.government[_nation(line)] != line.seat or not credit_of(
            state, _nation(line), Seat(line.seat or "")
        ):
            raise _refuse(line, "outbid", nation=line.nation, seat=line.seat)
        case "investor" | "turn" | "round" if any(isinstance(task, AwaitBid) for task in resolution.agenda):
            raise _refuse(line, "bids")
        case "turn" if state.nation != line.nation:
            raise _refuse(line, "vacant", nation=line.nation)
        case "army" | "fleet":
            unit = line.what
            if resolution.supply(_nation(line), unit) < 0:
                raise _refuse(line, "supply", unit=unit, nation=line.nation)
        case "flag" if flags_of(state, _nation(line)) > resolution.edition.options.flags:
            raise _refuse(line, "flags", nation=line.nation, most=resolution.edition.options.flags)


def _check_whole(resolution: Resolution, line: Given) -> None:
    if not resolution.agenda or not can_begin(resolution):
        raise _refuse(line, "nobody")


def finish(resolution: Resolution) -> list[ev.Event]:
    """The position as one event, with whose turn it is."""
    resolution.state = replace(resolution.state, agenda=tuple(resolution.agenda), asked=resolution.asked)
    return [ev.PositionSet(state=resolution.state)]


def _nation(line: Given) -> Nation:
    assert line.nation is not None, f"given {line.what} names a nation"
    return line.nation


def _region(line: Given) -> Region:
    assert line.region is not None, f"given {line.what} names a region"
    return line.region


def _number(line: Given) -> int:
    assert line.number is not None, f"given {line.what} has a number"
    return line.number


def _status(line: Given) -> Status | None:
    return line.status
