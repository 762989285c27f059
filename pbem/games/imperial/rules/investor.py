"""Investor: interest, the card, purchases, governments, Swiss Banks (new edition, pp. 11-12; R3, R5, R6)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.refusal import Illegal, Refusal
from pbem.core.seat import Seat
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.board import Nation
from pbem.games.imperial.rules.lateness import fee_paid
from pbem.games.imperial.rules.orders import Purchase
from pbem.games.imperial.rules.resolution import Course
from pbem.games.imperial.rules.state import AwaitInvest, InvestorSteps, Settle

# -- step 1: interest ---


def interest_due(course: Course, nation: Nation, seat: Seat) -> int:
    """What the nation owes a seat on its bonds, in millions."""
    bonds = course.state.bonds[nation]
    return sum(course.edition.bonds[price] for price, holder in bonds.items() if holder == seat)


def total_interest(course: Course, nation: Nation) -> int:
    return sum(course.edition.bonds[price] for price in course.state.bonds[nation])


def check_covered(course: Course, nation: Nation, government: Seat, cash: int) -> None:
    """Interest due to others must be covered by the treasury and the government's cash (R3)."""
    others = total_interest(course, nation) - interest_due(course, nation, government)
    covered = course.state.treasury[nation] + cash
    if others > covered and course.edition.options.uncovered_investor == "refuse":
        raise Illegal("investor.uncovered", nation=nation, needs=others, has=covered, **fee_paid(course))


def pay_interest(course: Course, nation: Nation) -> None:
    """Others first, out of the treasury, then out of the government's cash; its own from what remains."""
    government = course.state.government[nation]
    assert government is not None, "a vacant nation pays no interest"
    _, *others = course.state.clockwise(government)
    for seat in others:
        _pay(course, nation, seat, course.state.cash[government])
    _pay(course, nation, government, 0)


def _pay(course: Course, nation: Nation, seat: Seat, cash: int) -> None:
    due = interest_due(course, nation, seat)
    from_treasury = min(due, course.state.treasury[nation])
    by_government = min(due - from_treasury, cash)
    if due:
        paid = from_treasury + by_government
        course.happen(ev.InterestPaid(nation=nation, seat=seat, due=due, paid=paid, by_government=by_government))


# -- steps 2 and 3: the card, the Swiss Banks ---


def begin_steps(course: Course, task: InvestorSteps) -> None:
    holder = course.state.investor
    if holder is None:
        return
    course.happen(ev.CardBonusPaid(seat=holder, amount=course.edition.card_bonus))
    banks = tuple(seat for seat in course.state.clockwise(holder)[1:] if not course.state.governed_by(seat))
    course.first(AwaitInvest(nation=task.nation, seats=(holder, *banks)), Settle())


def market(course: Course, seat: Seat, only: Nation | None) -> tuple[Nation, ...]:
    """Where a seat may invest: a round without the investor card binds those who govern (R23)."""
    if only is None or seat not in course.state.government.values():
        return course.board.nations
    return (only,)


def purchases(course: Course, seat: Seat, only: Nation | None = None) -> Iterator[Purchase]:
    """Every bond this seat could buy now, new or in exchange, by nation and price."""
    for nation in market(course, seat, only):
        yield from purchases_in(course, seat, nation)


def purchases_in(course: Course, seat: Seat, nation: Nation) -> Iterator[Purchase]:
    """Those of one nation."""
    cash, bonds = course.state.cash[seat], course.state.bonds[nation]
    if not cash:
        return
    held = sorted(price for price, holder in bonds.items() if holder == seat)
    for price in course.edition.bonds:
        if price not in bonds:
            backs = (None, *(back for back in held if back < price))
            affordable = (back for back in backs if price - (back or 0) <= cash)
            yield from (Purchase(nation=nation, price=price, back=back) for back in affordable)


def can_buy(course: Course, seat: Seat, only: Nation | None = None) -> bool:
    return next(purchases(course, seat, only), None) is not None


def refusal(course: Course, seat: Seat, purchase: Purchase, only: Nation | None = None) -> Refusal | None:
    """Why the bond can't be bought; None when it can.

    bond.unknown, bond.elsewhere, bond.not_yours, bond.not_higher, bond.taken or cash.short.
    """
    nation, price, back = purchase.nation, purchase.price, purchase.back
    held = course.state.bonds[nation]
    facts = {"nation": nation, "price": price, "back": back, "bonds": tuple(course.edition.bonds)}
    if price not in course.edition.bonds or (back is not None and back not in course.edition.bonds):
        return Illegal("bond.unknown", **facts)
    if nation not in market(course, seat, only):
        return Illegal("bond.elsewhere", **facts, only=only)
    if back is not None and held.get(back) != seat:
        return Illegal("bond.not_yours", **facts, holder=held.get(back))
    if back is not None and price <= back:
        return Illegal("bond.not_higher", **facts)
    if price in held:
        return Illegal("bond.taken", **facts, holder=held[price])
    cost, cash = purchase.cost, course.state.cash[seat]
    if cost > cash:
        return Illegal("cash.short", needs=cost, has=cash, seat=seat)
    return None


def buy(course: Course, seat: Seat, purchase: Purchase) -> None:
    course.happen(
        ev.BondBought(
            seat=seat,
            nation=purchase.nation,
            price=purchase.price,
            back=purchase.back,
            paid=purchase.cost,
        )
    )


# -- the end of the turn: governments, Swiss Banks, the card ---


def settle(course: Course) -> None:
    holder = course.state.investor
    assert holder is not None, "only a holder of the card invests"
    settle_all(course, holder)
    course.happen(ev.CardMoved(seat=course.state.left_of(holder)))


def settle_all(course: Course, first: Seat) -> None:
    """Governments, counted clockwise from this seat, then Swiss Banks."""
    _compensate(course, settle_governments(course, course.state.clockwise(first)))
    settle_swiss_banks(course)


def settle_governments(course: Course, order: tuple[Seat, ...]) -> list[tuple[Nation, Seat, Seat]]:
    """A strictly higher sum displaces a government; of equal challengers the first in this order (R6).

    Returns the nations that had a government before, each with its old and its new one.
    """
    lost: list[tuple[Nation, Seat, Seat]] = []
    for nation in course.board.nations:
        before = course.state.government[nation]
        after = _strongest(course, nation, order, before)
        if after is not None and after != before:
            course.happen(ev.GovernmentChanged(nation=nation, seat=after, before=before))
            lost += [(nation, before, after)] if before is not None else []
    return lost


def _strongest(course: Course, nation: Nation, order: tuple[Seat, ...], sitting: Seat | None) -> Seat | None:
    credits = course.state.credits(nation)
    best, highest = sitting, credits.get(sitting, 0) if sitting else 0
    for seat in _challengers(course, nation, order):
        if credits.get(seat, 0) > highest:
            best, highest = seat, credits[seat]
    return best


def _challengers(course: Course, nation: Nation, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats in the order in which an equal sum counts."""
    if course.edition.options.challenger_tie == "first_buyer":
        return course.state.lenders.get(nation, ())
    return order


def _compensate(course: Course, lost: list[tuple[Nation, Seat, Seat]]) -> None:
    """Who loses his last government before it has any power gets a million from the new one (an option)."""
    amount = course.edition.options.compensation
    for nation, loser, winner in lost:
        paid = min(amount, course.state.cash[winner])
        if paid and not course.state.governed_by(loser) and not course.state.power[nation]:
            course.happen(ev.CompensationPaid(seat=winner, to=loser, nation=nation, amount=paid))


def settle_swiss_banks(course: Course) -> None:
    """Who governs nothing has one, who governs again gives it back; without the card it marks him all the same."""
    if course.edition.options.investor_card and not course.edition.options.swiss_bank:
        return
    for seat in course.state.seats:
        governs = bool(course.state.governed_by(seat))
        if governs and seat in course.state.swiss:
            course.happen(ev.SwissBankReturned(seat=seat))
        elif not governs and seat not in course.state.swiss:
            course.happen(ev.SwissBankHanded(seat=seat))
