"""Investor: interest, the card, purchases, governments, Swiss Banks (new edition, pp. 11-12; R3, R5, R6)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.refusal import Illegal, Refusal
from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.lateness import fee_paid
from pbem.games.imperial.rules.orders import Purchase
from pbem.games.imperial.rules.places import Nation
from pbem.games.imperial.rules.position import clockwise, credits_of, governed_by, left_of
from pbem.games.imperial.rules.resolution import Resolution
from pbem.games.imperial.rules.state import AwaitInvest, InvestorSteps, Settle, State

# -- step 1: interest ---


def interest_due(resolution: Resolution, nation: Nation, seat: Seat) -> int:
    """What the nation owes a seat on its bonds, in millions."""
    return _dues(resolution, nation).get(seat, 0)


def _dues(resolution: Resolution, nation: Nation) -> Mapping[Seat, int]:
    """What it owes each seat that has lent it anything."""
    dues: dict[Seat, int] = {}
    interest = resolution.edition.bonds
    for price, holder in resolution.state.bonds[nation].items():
        dues[holder] = dues.get(holder, 0) + interest[price]
    return dues


def total_interest(resolution: Resolution, nation: Nation) -> int:
    interest = resolution.edition.bonds
    return sum([interest[price] for price in resolution.state.bonds[nation]])


def is_covered(resolution: Resolution, nation: Nation, government: Seat, cash: int) -> bool:
    """Do the treasury and the government's cash pay the interest due to others, where they must (R3)?"""
    if resolution.edition.options.uncovered_investor != "refuse":
        return True
    return _due_to_others(resolution, nation, government) <= resolution.state.treasury[nation] + cash


def check_covered(resolution: Resolution, nation: Nation, government: Seat, cash: int) -> None:
    """Raises investor.uncovered."""
    if is_covered(resolution, nation, government, cash):
        return
    needs, has = _due_to_others(resolution, nation, government), resolution.state.treasury[nation] + cash
    raise Illegal("investor.uncovered", nation=nation, needs=needs, has=has, **fee_paid(resolution))


def _due_to_others(resolution: Resolution, nation: Nation, government: Seat) -> int:
    owed, interest = 0, resolution.edition.bonds
    for price, holder in resolution.state.bonds[nation].items():
        if holder != government:
            owed += interest[price]
    return owed


def pay_interest(resolution: Resolution, nation: Nation) -> None:
    """Others first, out of the treasury, then out of the government's cash; its own from what remains."""
    government = resolution.state.government[nation]
    assert government is not None, "a vacant nation pays no interest"
    dues = _dues(resolution, nation)
    for seat in clockwise(resolution.state, government)[1:]:
        if seat in dues:
            _pay(resolution, nation, seat, dues[seat], resolution.state.cash[government])
    if government in dues:
        _pay(resolution, nation, government, dues[government], 0)


def _pay(resolution: Resolution, nation: Nation, seat: Seat, due: int, cash: int) -> None:
    from_treasury = min(due, resolution.state.treasury[nation])
    by_government = min(due - from_treasury, cash)
    paid = from_treasury + by_government
    resolution.emit(ev.InterestPaid(nation=nation, seat=seat, due=due, paid=paid, by_government=by_government))


# -- steps 2 and 3: the card, the Swiss Banks ---


def begin_steps(resolution: Resolution, task: InvestorSteps) -> None:
    holder = resolution.state.investor
    if holder is None:
        return
    resolution.emit(ev.CardBonusPaid(seat=holder, amount=resolution.edition.card_bonus))
    governing = {*resolution.state.government.values()}
    banks = tuple([seat for seat in clockwise(resolution.state, holder)[1:] if seat not in governing])
    resolution.first(AwaitInvest(nation=task.nation, seats=(holder, *banks)), Settle())


def market(resolution: Resolution, seat: Seat, only: Nation | None) -> tuple[Nation, ...]:
    """Where a seat may invest: a round without the investor card binds those who govern (R23)."""
    if only is None or seat not in resolution.state.government.values():
        return resolution.board.nations
    return (only,)


def purchases(resolution: Resolution, seat: Seat, only: Nation | None = None) -> list[Purchase]:
    """Every bond this seat could buy now, new or in exchange, by nation and price."""
    found: list[Purchase] = []
    for nation in market(resolution, seat, only):
        found += purchases_in(resolution, seat, nation)
    return found


def purchases_in(resolution: Resolution, seat: Seat, nation: Nation) -> list[Purchase]:
    """Those of one nation."""
    cash, bonds = resolution.state.cash[seat], resolution.state.bonds[nation]
    held = _held(bonds, seat) if seat in bonds.values() else ()
    most = cash + held[-1] if held else cash
    found: list[Purchase] = []
    for price in resolution.edition.bonds if cash else ():
        if price > most:
            break
        if price in bonds:
            continue
        if price <= cash:
            found.append(Purchase(nation=nation, price=price))
        for back in held:
            if back < price <= back + cash:
                found.append(Purchase(nation=nation, price=price, back=back))
    return found


def _held(bonds: Mapping[int, Seat], seat: Seat) -> list[int]:
    """The bonds of a nation that a seat holds, the lowest first."""
    held: list[int] = []
    for price, holder in bonds.items():
        if holder == seat:
            held.append(price)
    held.sort()
    return held


def can_buy(resolution: Resolution, seat: Seat, only: Nation | None = None) -> bool:
    """Is there any bond for it, new or in exchange? Nearly always there is a new one: that is seen at once."""
    cash, prices = resolution.state.cash[seat], resolution.edition.bonds
    if cash < resolution.edition.least:
        return False
    nations = market(resolution, seat, only)
    for nation in nations:
        bonds = resolution.state.bonds[nation]
        for price in prices:
            if price > cash:
                break
            if price not in bonds:
                return True
    return any(purchases_in(resolution, seat, nation) for nation in nations)


def refusal(resolution: Resolution, seat: Seat, purchase: Purchase, only: Nation | None = None) -> Refusal | None:
    """Why the bond can't be bought; None when it can.

    bond.unknown, bond.elsewhere, bond.not_yours, bond.not_higher, bond.taken or cash.short.
    """
    nation, price, back = purchase.nation, purchase.price, purchase.back
    held, cash = resolution.state.bonds[nation], resolution.state.cash[seat]
    if _is_possible(resolution, seat, purchase, only):
        return None
    facts = {"nation": nation, "price": price, "back": back, "bonds": tuple(resolution.edition.bonds)}
    if price not in resolution.edition.bonds or (back is not None and back not in resolution.edition.bonds):
        return Illegal("bond.unknown", **facts)
    if nation not in market(resolution, seat, only):
        return Illegal("bond.elsewhere", **facts, only=only)
    if back is not None and held.get(back) != seat:
        return Illegal("bond.not_yours", **facts, holder=held.get(back))
    if back is not None and price <= back:
        return Illegal("bond.not_higher", **facts)
    if price in held:
        free = (one for one in resolution.edition.bonds if one not in held and one - (back or 0) <= cash)
        return Illegal("bond.taken", **facts, holder=held[price], free=tuple(one for one in free if one > (back or 0)))
    return Illegal("cash.short", needs=purchase.cost, has=cash, seat=seat)


def _is_possible(resolution: Resolution, seat: Seat, purchase: Purchase, only: Nation | None) -> bool:
    price, back, bonds = purchase.price, purchase.back, resolution.state.bonds[purchase.nation]
    if price in bonds or price not in resolution.edition.bonds or purchase.cost > resolution.state.cash[seat]:
        return False
    if back is not None and (bonds.get(back) != seat or back >= price):
        return False
    return purchase.nation in market(resolution, seat, only)


def buy(resolution: Resolution, seat: Seat, purchase: Purchase) -> None:
    resolution.emit(
        ev.BondBought(
            seat=seat,
            nation=purchase.nation,
            price=purchase.price,
            back=purchase.back,
            paid=purchase.cost,
        )
    )


# -- the end of the turn: governments, Swiss Banks, the card ---


def settle(resolution: Resolution, _: Settle) -> None:
    holder = resolution.state.investor
    assert holder is not None, "only a holder of the card invests"
    settle_all(resolution, holder)
    resolution.emit(ev.CardMoved(seat=left_of(resolution.state, holder)))


def settle_all(resolution: Resolution, first: Seat) -> None:
    """Governments, counted clockwise from this seat, then Swiss Banks."""
    _compensate(resolution, settle_governments(resolution, clockwise(resolution.state, first)))
    settle_swiss_banks(resolution)


def settle_governments(resolution: Resolution, order: tuple[Seat, ...]) -> list[tuple[Nation, Seat, Seat]]:
    """A strictly higher sum displaces a government; of equal challengers the first in this order (R6).

    Returns the nations that had a government before, each with its old and its new one.
    """
    lost: list[tuple[Nation, Seat, Seat]] = []
    state, board = resolution.state, resolution.board
    bonds, governments = state.bonds, state.government
    known = board.settled
    if bonds is known[0] and governments is known[1]:
        return lost
    are_settled = True
    for nation in board.nations:
        before = governments[nation]
        if bonds[nation] is known[0].get(nation) and before == known[1].get(nation):
            continue
        if _stays(state, nation, before):
            continue
        are_settled = False
        after = _strongest(credits_of(state, nation), _challengers(resolution, nation, order), before)
        if after is not None and after != before:
            resolution.emit(ev.GovernmentChanged(nation=nation, seat=after, before=before))
            lost += [(nation, before, after)] if before is not None else []
    if are_settled:
        board.settled = bonds, governments
    return lost


def _stays(state: State, nation: Nation, sitting: Seat | None) -> bool:
    """Has nobody lent more than the government? Nearly always it has lent half of all: that is seen at once."""
    own = others = 0
    for price, holder in state.bonds[nation].items():
        if holder == sitting:
            own += price
        else:
            others += price
    if own >= others:
        return True
    return sitting is not None and own == max(credits_of(state, nation).values())


def _strongest(credits: Mapping[Seat, int], challengers: tuple[Seat, ...], sitting: Seat | None) -> Seat | None:
    best, highest = sitting, credits.get(sitting, 0) if sitting else 0
    for seat in challengers:
        if credits.get(seat, 0) > highest:
            best, highest = seat, credits[seat]
    return best


def _challengers(resolution: Resolution, nation: Nation, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats in the order in which an equal sum counts."""
    if resolution.edition.options.challenger_tie == "first_buyer":
        return resolution.state.lenders.get(nation, ())
    return order


def _compensate(resolution: Resolution, lost: list[tuple[Nation, Seat, Seat]]) -> None:
    """Who loses their last government before it has any power gets a million from the new one (an option)."""
    amount = resolution.edition.options.compensation
    for nation, loser, winner in lost:
        paid = min(amount, resolution.state.cash[winner])
        if paid and not governed_by(resolution.state, loser) and not resolution.state.power[nation]:
            resolution.emit(ev.CompensationPaid(seat=winner, to=loser, nation=nation, amount=paid))


def settle_swiss_banks(resolution: Resolution) -> None:
    """Who governs nothing has one, who governs again gives it back; without the card it marks them all the same."""
    if resolution.edition.options.investor_card and not resolution.edition.options.swiss_bank:
        return
    governing, swiss = {*resolution.state.government.values()}, resolution.state.swiss
    for seat in resolution.state.seats:
        if (seat in governing) != (seat in swiss):
            continue
        if seat in swiss:
            resolution.emit(ev.SwissBankReturned(seat=seat))
        else:
            resolution.emit(ev.SwissBankHanded(seat=seat))
