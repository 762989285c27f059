"""`apply`: how each event changes the position. No rules here, only bookkeeping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, get_args

from msgspec.structs import replace

from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.orders import Status
from pbem.games.imperial.rules.places import Nation, Region
from pbem.games.imperial.rules.stacks import moved, shifted
from pbem.games.imperial.rules.state import State

K = TypeVar("K")


def apply(state: State, event: ev.Event) -> State:
    return REDUCERS[type(event)](state, event)


# -- the course of the game ---


def _news(state: State, _: ev.News) -> State:
    return state


def _planned(state: State, event: ev.Planned) -> State:
    return replace(state, agenda=event.agenda, asked=event.asked)


def _turn_began(state: State, event: ev.TurnBegan) -> State:
    return replace(state, nation=event.nation, round=event.round, late=0, fee=0)


def _turn_delayed(state: State, event: ev.TurnDelayed) -> State:
    return replace(state, late=state.late + event.late)


def _bidding_began(state: State, event: ev.BiddingBegan) -> State:
    return replace(state, nation=event.nation)


def _seated(state: State, event: ev.Seated) -> State:
    return replace(state, seats=event.seats, cash=dict.fromkeys(event.seats, event.money))


def _position_set(_: State, event: ev.PositionSet) -> State:
    return event.state


def _marker_moved(state: State, event: ev.MarkerMoved) -> State:
    rondel = {**state.rondel, event.nation: event.space}
    return replace(state, rondel=rondel, cash=_paid(state.cash, event.seat, event.paid))


def _game_ended(state: State, event: ev.GameEnded) -> State:
    return replace(state, scores=event.scores, winners=event.winners)


def _government_changed(state: State, event: ev.GovernmentChanged) -> State:
    return replace(state, government={**state.government, event.nation: event.seat})


def _swiss_bank_handed(state: State, event: ev.SwissBankHanded) -> State:
    return replace(state, swiss=state.swiss | {event.seat})


def _swiss_bank_returned(state: State, event: ev.SwissBankReturned) -> State:
    return replace(state, swiss=state.swiss - {event.seat})


def _card_moved(state: State, event: ev.CardMoved) -> State:
    return replace(state, investor=event.seat)


# -- economy ---


def _factory_built(state: State, event: ev.FactoryBuilt) -> State:
    treasury = _paid(state.treasury, event.nation, event.paid)
    return replace(state, factories=state.factories | {event.region}, treasury=treasury)


def _unit_produced(state: State, event: ev.UnitProduced) -> State:
    if event.unit == "fleet":
        return replace(state, fleets=shifted(state.fleets, event.region, event.nation, 1))
    return replace(state, armies=shifted(state.armies, event.region, event.nation, 1))


def _units_imported(state: State, event: ev.UnitsImported) -> State:
    treasury = _paid(state.treasury, event.nation, event.paid)
    if event.unit == "fleet":
        fleets = shifted(state.fleets, event.region, event.nation, event.count)
        return replace(state, treasury=treasury, fleets=fleets)
    return replace(state, treasury=treasury, armies=shifted(state.armies, event.region, event.nation, event.count))


def _taxed(state: State, event: ev.Taxed) -> State:
    tax = {**state.tax, event.nation: event.marker}
    return replace(state, tax=tax, cash=_paid(state.cash, event.seat, -event.bonus))


def _late_fee_paid(state: State, event: ev.LateFeePaid) -> State:
    return replace(state, cash=_paid(state.cash, event.seat, event.amount), fee=state.fee + event.amount)


def _power_gained(state: State, event: ev.PowerGained) -> State:
    return replace(state, power={**state.power, event.nation: event.power})


def _tax_collected(state: State, event: ev.TaxCollected) -> State:
    return replace(state, treasury=_paid(state.treasury, event.nation, -event.amount))


def _gift_given(state: State, event: ev.GiftGiven) -> State:
    cash, treasury = state.cash, state.treasury
    return replace(
        state,
        cash=_paid(cash, event.seat, event.amount),
        treasury=_paid(treasury, event.nation, -event.amount),
    )


def _card_bonus_paid(state: State, event: ev.CardBonusPaid) -> State:
    return replace(state, cash=_paid(state.cash, event.seat, -event.amount))


def _compensation_paid(state: State, event: ev.CompensationPaid) -> State:
    cash = _paid(state.cash, event.seat, event.amount)
    return replace(state, cash=_paid(cash, event.to, -event.amount))


def _interest_paid(state: State, event: ev.InterestPaid) -> State:
    """The government's own share of what is due to others leaves its purse, the rest the treasury."""
    cash = _paid(state.cash, event.seat, -event.paid)
    government = state.government[event.nation]
    if event.by_government:
        assert government is not None, "interest needs a government"
        cash = _paid(cash, government, event.by_government)
    from_treasury = event.paid - event.by_government
    return replace(state, cash=cash, treasury=_paid(state.treasury, event.nation, from_treasury))


def _bond_bought(state: State, event: ev.BondBought) -> State:
    seat, nation = event.seat, event.nation
    bonds = {**state.bonds[nation], event.price: seat}
    if event.back is not None:
        bonds.pop(event.back, None)
    lenders = state.lenders.get(nation, ())
    return replace(
        state,
        lenders=state.lenders if seat in lenders else {**state.lenders, nation: (*lenders, seat)},
        bonds={**state.bonds, nation: bonds},
        cash=_paid(state.cash, seat, event.paid),
        treasury=_paid(state.treasury, nation, -event.paid),
    )


# -- military ---


def _fleets_moved(state: State, event: ev.FleetsMoved) -> State:
    return replace(state, fleets=moved(state.fleets, event.nation, event.count, event.origin, event.target))


def _armies_moved(state: State, event: ev.ArmiesMoved) -> State:
    nation, count, origin, target = event.nation, event.count, event.origin, event.target
    if event.left != "friendly" and event.status != "friendly":
        return replace(state, armies=moved(state.armies, nation, count, origin, target))
    state = shift_armies(state, origin, nation, event.left, -count)
    return shift_armies(state, target, nation, event.status, count)


def _status_changed(state: State, event: ev.StatusChanged) -> State:
    other: Status = "friendly" if event.status == "hostile" else "hostile"
    state = shift_armies(state, event.region, event.nation, other, -event.count)
    return shift_armies(state, event.region, event.nation, event.status, event.count)


def _battle_fought(state: State, event: ev.BattleFought) -> State:
    if event.unit == "fleet":
        state = replace(state, fleets=shifted(state.fleets, event.region, event.nation, -event.pairs))
    else:
        state = shift_armies(state, event.region, event.nation, event.status, -event.pairs)
    if event.foe_unit == "fleet":
        return replace(state, fleets=shifted(state.fleets, event.region, event.foe, -event.pairs))
    state = shift_armies(state, event.region, event.foe, "friendly", -event.foe_friendly)
    return shift_armies(state, event.region, event.foe, None, event.foe_friendly - event.pairs)


def _factory_destroyed(state: State, event: ev.FactoryDestroyed) -> State:
    state = shift_armies(state, event.region, event.nation, "hostile", -event.armies)
    return replace(state, factories=state.factories - {event.region})


def _flag_placed(state: State, event: ev.FlagPlaced) -> State:
    waiting = _no_longer(state.waiting, event.region)
    return replace(state, flags={**state.flags, event.region: event.nation}, waiting=waiting)


def _flag_removed(state: State, event: ev.FlagRemoved) -> State:
    return replace(state, flags={r: n for r, n in state.flags.items() if r != event.region})


def _flag_awaited(state: State, event: ev.FlagAwaited) -> State:
    waiting = _no_longer(state.waiting, event.region)
    mine = (*waiting.get(event.nation, ()), (state.maneuvers, event.region))
    return replace(state, waiting={**waiting, event.nation: mine})


def _maneuver_ended(state: State, _: ev.ManeuverEnded) -> State:
    return replace(state, maneuvers=state.maneuvers + 1)


# -- purses, pieces, places that wait ---


def _paid(purses: Mapping[K, int], key: K, amount: int) -> Mapping[K, int]:
    """The purses when this one has paid so much; with an amount below nothing it has received it."""
    if not amount:
        return purses
    purse = purses[key] - amount
    assert purse >= 0, f"{key} would be left with {purse}"
    changed = {**purses}
    changed[key] = purse
    return changed


def shift_armies(state: State, region: Region, nation: Nation, status: Status | None, by: int) -> State:
    """So many armies more or fewer; armies without a status stand upright."""
    if not by:
        return state
    if status == "friendly":
        return replace(state, friendly=shifted(state.friendly, region, nation, by))
    return replace(state, armies=shifted(state.armies, region, nation, by))


def _no_longer(
    waiting: Mapping[Nation, tuple[tuple[int, Region], ...]], region: Region
) -> Mapping[Nation, tuple[tuple[int, Region], ...]]:
    """Nobody waits for a flag in this region any more."""
    if not waiting:
        return waiting
    return {nation: tuple([w for w in regions if w[1] != region]) for nation, regions in waiting.items()}


# A chain of cases over all events would cost more than the rest of `apply`.
REDUCERS: Final[Mapping[type, Callable[[State, Any], State]]] = {
    ev.Planned: _planned,
    ev.TurnBegan: _turn_began,
    ev.TurnDelayed: _turn_delayed,
    ev.BiddingBegan: _bidding_began,
    ev.Seated: _seated,
    ev.PositionSet: _position_set,
    ev.MarkerMoved: _marker_moved,
    ev.GameEnded: _game_ended,
    ev.GovernmentChanged: _government_changed,
    ev.SwissBankHanded: _swiss_bank_handed,
    ev.SwissBankReturned: _swiss_bank_returned,
    ev.CardMoved: _card_moved,
    ev.FactoryBuilt: _factory_built,
    ev.UnitProduced: _unit_produced,
    ev.UnitsImported: _units_imported,
    ev.Taxed: _taxed,
    ev.LateFeePaid: _late_fee_paid,
    ev.PowerGained: _power_gained,
    ev.TaxCollected: _tax_collected,
    ev.GiftGiven: _gift_given,
    ev.CardBonusPaid: _card_bonus_paid,
    ev.CompensationPaid: _compensation_paid,
    ev.InterestPaid: _interest_paid,
    ev.BondBought: _bond_bought,
    ev.FleetsMoved: _fleets_moved,
    ev.ArmiesMoved: _armies_moved,
    ev.StatusChanged: _status_changed,
    ev.BattleFought: _battle_fought,
    ev.FactoryDestroyed: _factory_destroyed,
    ev.FlagPlaced: _flag_placed,
    ev.FlagRemoved: _flag_removed,
    ev.FlagAwaited: _flag_awaited,
    ev.ManeuverEnded: _maneuver_ended,
    **dict.fromkeys(get_args(ev.News), _news),
}
