"""What holds at every step of games by lot: goods, debts, the record, people."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

import pytest

from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.held import EMPTY
from pbem.games.empire.rules.world import World
from tests.empire.bookkeeping import PEOPLE, VIOLENT, accounted, difference, holdings, noted, stock
from tests.empire.random_play import Step, games, seeds

ONE = Fraction(1)


def has_goods_in_order(step: Step) -> None:
    """Nothing below 0, nothing of nothing; no thing has used more than 12 BTA (E2.2, property 5)."""
    w = step.now
    for _, place, held in holdings(w):
        assert held != EMPTY, place
        for good, lots in held.goods.items():
            assert lots
            assert [used for used, _ in lots] == sorted({used for used, _ in lots}), (place, good)
            assert all(amount > 0 and 0 <= used <= 12 for used, amount in lots), (place, good)
        assert all(crew.count > 0 and 0 <= crew.used <= 12 for crew in held.crews), place
    assert all(0 <= unit.used <= 12 for unit in w.units.values())


def keeps_the_books(step: Step) -> None:
    """What has come or gone is in the log, in goods and people; in fights more may be gone (properties 1 and 4)."""
    said, machines = accounted(step)
    left = difference(difference(stock(step.now), stock(step.was)), said)
    used = {good: -left.pop(good) for good in ("cmx", "hmx", "td") if machines and left.get(good, 0) < 0}
    assert sum(used.values()) == machines or noted(step, *VIOLENT)
    if noted(step, *VIOLENT):
        assert all(much < 0 for much in left.values()), left
    else:
        assert not left, left


def leaves_others_alone(step: Step) -> None:
    """What passes from one country to another is told."""
    passing = ("transferred", "seized", "captured", "goods_taken", "raided", "founded", "rolled_out", "landing_failed")
    if noted(step, *VIOLENT, *passing):
        return
    for country, found in step.before.countries.items():
        if found.player != step.answer.seat and country in step.after.countries:
            assert stock(step.was, country) == stock(step.now, country), country


def pays_debts(step: Step) -> None:
    """An order's debts are covered, whole units never stay while a unit exists (E7.19)."""
    w = step.now
    for id_, country in step.after.countries.items():
        old = step.before.countries.get(id_)
        for what in ("oil", "chemicals"):
            debt = country.debts[what]
            assert debt >= 0
            is_touched = old is None or old.debts[what] != debt
            if is_touched and debt >= 1:
                assert not any(held.amount(what) >= 1 for c, _, held in holdings(w) if c == id_), (id_, what)
            if (
                is_touched
                and not isinstance(step.order, od.Rollout)
                and old
                and debt > old.debts[what]
                and not noted(step, *VIOLENT)
            ):
                assert w.owned(id_, what) >= ceil(debt), (id_, what)


def owes_by_the_rates(step: Step) -> None:
    """What is settled and what is open is what moves and ships at sea have used (E7.17)."""
    for id_, country in step.after.countries.items():
        if id_ not in step.before.countries or noted(step, "mission", "patrols", "flew", "captured", "lost", "stays"):
            continue
        due = sum(
            (
                Fraction(note.facts["bta"]) / 30
                for note in noted(step, "moved")
                if note.country == id_ and _is_regular(step, note.facts["unit"])
            ),
            Fraction(0),
        )
        if (
            isinstance(step.order, od.Rollout)
            and noted(step, "recorded")
            and step.before.countries[id_].player == step.answer.seat
        ):
            rates = {
                "battleship": (1, 10),
                "carrier": (1, 10),
                "cruiser": (1, 20),
                "destroyer": (1, 40),
                "submarine": (1, 40),
            }
            if any(note.country == id_ for note in noted(step, "recorded")):
                at_sea = [
                    u
                    for u in step.before.units.values()
                    if u.owner == id_ and u.kind in rates and (u.sailed or u.state in ("sea", "dived"))
                ]
                due += sum((Fraction(*rates[u.kind]) for u in at_sea), Fraction(0))
        paid = sum(1 for note in noted(step, "debt_paid") if note.country == id_ and note.facts["good"] == "oil")
        assert country.debts["oil"] == step.before.countries[id_].debts["oil"] + due - paid, id_


def _is_regular(step: Step, unit: str) -> bool:
    return unit in step.before.units and step.was.kind(step.before.units[unit]).regular


def writes_the_record(step: Step) -> None:
    """Each row follows from the one before (E7.11, E4.4); rows that stand never change."""
    for id_, country in step.after.countries.items():
        old = step.before.countries.get(id_)
        if old is None or country.founded != old.founded:
            continue
        assert country.rows[: len(old.rows)] == old.rows
        new = country.rows[len(old.rows) :]
        assert len(new) == sum(note.country == id_ for note in noted(step, "recorded"))
        for row in new:
            roll, _, late = row.roll.partition("→")
            read = int(late or roll)
            assert row.fund == old.fund - old.tax + row.cost
            assert row.tax == floor(Fraction(row.fund, 4))
            assert row.confidence == old.confidence + floor(Fraction(row.edu - old.edu, 2)) + floor(
                (read - 7) * Fraction(21, 20)
            )
            assert (country.fund, country.tax, country.confidence, country.edu) == (
                row.fund,
                row.tax,
                row.confidence,
                row.edu,
            )
            if step.answer.seat == old.player:
                order = step.order
                assert isinstance(order, od.Rollout)
                counted = max(1, step.answer.late) if order.forced else step.answer.late
                assert (bool(late), read) == (counted > 0, max(2, int(roll) - counted) if counted else int(roll))
                assert row.edu >= old.booked_edu
                assert row.cost >= old.booked_cost


def finds_inflation(step: Step) -> None:
    """2 x (confidence + exchange) < fund + Investment, for those that are not tied to others (E7.13)."""
    w = step.now
    for note in noted(step, "recorded"):
        id_ = note.country or ""
        country = step.after.countries[id_]
        if (
            country.tied
            or any(c.tied and c.parent == id_ for c in step.after.countries.values())
            or len(noted(step, "recorded")) > 1
        ):
            continue
        if any(c.player is None for c in step.after.countries.values()) or id_ == step.after.pirate:
            continue
        assert country.inflation == (
            2 * (country.confidence + _exchange(w, id_)) < country.fund + country.investment
        ), id_


def _exchange(w: World, id_: str) -> int:
    given = sum(points for _, points in w.countries[id_].exchange)
    return sum(points for other in w.countries.values() for to, points in other.exchange if to == id_) - given


def keeps_governors(step: Step) -> None:
    """One for each country that lives, but for a while after their death (E5.11, E5.12)."""
    w = step.now
    for id_, country in step.after.countries.items():
        governors = sum(held.people("governor") for c, _, held in holdings(w) if c == id_)
        assert governors <= 1, id_
        if country.player is not None:
            assert governors or country.abroad or country.capture is not None, id_
        if id_ in step.before.countries and country.player is not None and noted(step, "slot_began"):
            assert PEOPLE in stock(w, id_) or country.abroad or country.capture is not None, id_


CHECKS: tuple[Callable[[Step], None], ...] = (
    has_goods_in_order, keeps_the_books, leaves_others_alone, pays_debts, owes_by_the_rates, writes_the_record,
    finds_inflation, keeps_governors,
)  # fmt: skip


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_at_every_step(check: Callable[[Step], None]) -> None:
    for seed in seeds():
        for step in games(seed):
            if step.refusal is None and not isinstance(step.order, od.Undo):
                try:
                    check(step)
                except AssertionError as failed:
                    raise AssertionError(f"game {seed}, order {step.number}: {step.order}\n{failed}") from failed
