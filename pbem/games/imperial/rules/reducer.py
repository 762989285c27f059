"""`apply`: how each event changes the position. No rules here, only bookkeeping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, assert_never, get_args

from msgspec.structs import replace

from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Nation, Region
from pbem.games.imperial.rules.orders import Status
from pbem.games.imperial.rules.state import State, shifted

K = TypeVar("K")


def apply(state: State, event: ev.Event) -> State:
    return _BY_TYPE[type(event)](state, event)


def _news(state: State, _: ev.News) -> State:
    return state


def _course(state: State, event: ev.Resolution) -> State:
    match event:
        case ev.Planned():
            return replace(state, agenda=event.agenda, asked=event.asked)
        case ev.TurnBegan():
            return replace(state, nation=event.nation, round=event.round, late=0, fee=0)
        case ev.TurnDelayed():
            return replace(state, late=state.late + event.late)
        case ev.BiddingBegan():
            return replace(state, nation=event.nation)
        case ev.Seated():
            return replace(state, seats=event.seats, cash=dict.fromkeys(event.seats, event.money))
        case ev.PositionSet():
            return event.state
        case ev.MarkerMoved():
            return replace(
                state,
                rondel={**state.rondel, event.nation: event.space},
                cash=_moved(state.cash, event.seat, -event.paid),
            )
        case ev.GameEnded():
            return replace(state, scores=event.scores, winners=event.winners)
        case ev.GovernmentChanged():
            return replace(state, government={**state.government, event.nation: event.seat})
        case ev.SwissBankHanded():
            return replace(state, swiss=state.swiss | {event.seat})
        case ev.SwissBankReturned():
            return replace(state, swiss=state.swiss - {event.seat})
        case ev.CardMoved():
            return replace(state, investor=event.seat)
        case _:
            assert_never(event)


def _economy(state: State, event: ev.Economy) -> State:
    match event:
        case ev.FactoryBuilt():
            return replace(
                state,
                factories=state.factories | {event.region},
                treasury=_moved(state.treasury, event.nation, -event.paid),
            )
        case ev.UnitProduced():
            return _placed(state, event.unit, event.region, event.nation, 1)
        case ev.UnitsImported():
            state = replace(state, treasury=_moved(state.treasury, event.nation, -event.paid))
            return _placed(state, event.unit, event.region, event.nation, event.count)
        case ev.Taxed():
            return replace(
                state,
                tax={**state.tax, event.nation: event.marker},
                cash=_moved(state.cash, event.seat, event.bonus),
            )
        case ev.LateFeePaid():
            cash = _moved(state.cash, event.seat, -event.amount)
            return replace(state, cash=cash, fee=state.fee + event.amount)
        case ev.PowerGained():
            return replace(state, power={**state.power, event.nation: event.power})
        case ev.TaxCollected():
            return replace(state, treasury=_moved(state.treasury, event.nation, event.amount))
        case ev.GiftGiven():
            return replace(
                state,
                cash=_moved(state.cash, event.seat, -event.amount),
                treasury=_moved(state.treasury, event.nation, event.amount),
            )
        case ev.InterestPaid():
            return _interest(state, event)
        case ev.CardBonusPaid():
            return replace(state, cash=_moved(state.cash, event.seat, event.amount))
        case ev.BondBought():
            return _bond(state, event)
        case ev.CompensationPaid():
            cash = _moved(state.cash, event.seat, -event.amount)
            return replace(state, cash=_moved(cash, event.to, event.amount))
        case _:
            assert_never(event)


def _military(state: State, event: ev.Military) -> State:
    match event:
        case ev.FleetsMoved():
            fleets = shifted(state.fleets, event.origin, event.nation, -event.count)
            return replace(state, fleets=shifted(fleets, event.target, event.nation, event.count))
        case ev.ArmiesMoved():
            state = shift_armies(state, event.origin, event.nation, event.left, -event.count)
            return shift_armies(state, event.target, event.nation, event.status, event.count)
        case ev.StatusChanged():
            other: Status = "friendly" if event.status == "hostile" else "hostile"
            state = shift_armies(state, event.region, event.nation, other, -event.count)
            return shift_armies(state, event.region, event.nation, event.status, event.count)
        case ev.BattleFought():
            return _battle(state, event)
        case ev.FactoryDestroyed():
            state = shift_armies(state, event.region, event.nation, "hostile", -event.armies)
            return replace(state, factories=state.factories - {event.region})
        case ev.FlagPlaced():
            waiting = _no_longer(state.waiting, event.region)
            return replace(state, flags={**state.flags, event.region: event.nation}, waiting=waiting)
        case ev.FlagRemoved():
            return replace(state, flags={r: n for r, n in state.flags.items() if r != event.region})
        case ev.FlagAwaited():
            waiting = _no_longer(state.waiting, event.region)
            mine = (*waiting.get(event.nation, ()), (state.maneuvers, event.region))
            return replace(state, waiting={**waiting, event.nation: mine})
        case ev.ManeuverEnded():
            return replace(state, maneuvers=state.maneuvers + 1)
        case _:
            assert_never(event)


def shift_armies(state: State, region: Region, nation: Nation, status: Status | None, by: int) -> State:
    """So many armies more or fewer; armies without a status stand upright."""
    if status == "friendly":
        return replace(state, friendly=shifted(state.friendly, region, nation, by))
    return replace(state, armies=shifted(state.armies, region, nation, by))


def _moved(purses: Mapping[K, int], key: K, by: int) -> Mapping[K, int]:
    if not by:
        return purses
    purse = purses[key] + by
    assert purse >= 0, f"{key} would be left with {purse}"
    return {**purses, key: purse}


def _placed(state: State, unit: str, region: Region, nation: Nation, count: int) -> State:
    if unit == "fleet":
        return replace(state, fleets=shifted(state.fleets, region, nation, count))
    return replace(state, armies=shifted(state.armies, region, nation, count))


def _interest(state: State, event: ev.InterestPaid) -> State:
    """The government's own share of what is due to others leaves its purse, the rest the treasury."""
    cash = _moved(state.cash, event.seat, event.paid)
    government = state.government[event.nation]
    if event.by_government:
        assert government is not None, "interest needs a government"
        cash = _moved(cash, government, -event.by_government)
    from_treasury = event.paid - event.by_government
    return replace(state, cash=cash, treasury=_moved(state.treasury, event.nation, -from_treasury))


def _bond(state: State, event: ev.BondBought) -> State:
    bonds = {price: holder for price, holder in state.bonds[event.nation].items() if price != event.back}
    bonds[event.price] = event.seat
    lenders = state.lenders.get(event.nation, ())
    if event.seat not in lenders:
        lenders = (*lenders, event.seat)
    return replace(
        state,
        lenders={**state.lenders, event.nation: lenders},
        bonds={**state.bonds, event.nation: bonds},
        cash=_moved(state.cash, event.seat, -event.paid),
        treasury=_moved(state.treasury, event.nation, event.paid),
    )


def _battle(state: State, event: ev.BattleFought) -> State:
    if event.unit == "fleet":
        state = replace(state, fleets=shifted(state.fleets, event.region, event.nation, -event.pairs))
    else:
        state = shift_armies(state, event.region, event.nation, event.status, -event.pairs)
    if event.foe_unit == "fleet":
        return replace(state, fleets=shifted(state.fleets, event.region, event.foe, -event.pairs))
    state = shift_armies(state, event.region, event.foe, "friendly", -event.foe_friendly)
    return shift_armies(state, event.region, event.foe, None, event.foe_friendly - event.pairs)


def _no_longer(
    waiting: Mapping[Nation, tuple[tuple[int, Region], ...]], region: Region
) -> Mapping[Nation, tuple[tuple[int, Region], ...]]:
    """Nobody waits for a flag in this region any more."""
    return {nation: tuple(w for w in regions if w[1] != region) for nation, regions in waiting.items()}


# A chain of cases over all events would cost more than the rest of `apply`.
_BY_TYPE: Mapping[type, Callable[[State, Any], State]] = {
    **dict.fromkeys(get_args(ev.Resolution), _course),
    **dict.fromkeys(get_args(ev.Economy), _economy),
    **dict.fromkeys(get_args(ev.Military), _military),
    **dict.fromkeys(get_args(ev.News), _news),
}
