"""Orders back into text, as a player would type them: `read(write(order)) == order`."""

from __future__ import annotations

from typing import assert_never

from pbem.games.imperial.rules import orders as od

# What a nation has done on a space: the word for it after "if".
DID = {
    "factory": "built",
    "production": "produced",
    "maneuver": "maneuvered",
    "investor": "invested",
    "import": "imported",
    "taxation": "taxed",
}


def write(order: od.Order) -> str:
    """The order in the order language. Raises `ValueError` for what nobody can write (a skipped turn)."""
    match order:
        case od.Turn():
            return _turn(order)
        case od.Plan():
            return _plan(order)
        case od.Invest():
            choices = [_purchase(p) for p in order.choices]
            return "invest " + " else ".join(choices if choices and not order.else_none else [*choices, "none"])
        case od.Fight():
            own = f" with {order.nation}" if order.nation else ""
            return _words("fight", _pairs(order.pairs), order.unit) + own
        case od.Peace():
            return "peace"
        case od.Force():
            return "force"
        case od.LetPass():
            return "let pass"
        case od.Give():
            return f"give {order.nation} {order.amount}"
        case od.Bid():
            return _words("bid", order.nation, order.price) if order.price else "bid none"
        case od.StandingFight():
            fight = _words("fight", _pairs(order.pairs), order.unit, order.nation)
            return fight + _at(order.region)
        case od.StandingPeace():
            return _words("peace", order.nation) + _at(order.region)
        case od.StandingForce():
            return _words("force", order.nation)
        case od.Given():
            return _given(order)
        case od.Skip():
            raise ValueError("a skipped turn is never written")
        case _:
            assert_never(order)


def write_line(line: od.Line | od.Destroy) -> str:
    if isinstance(line, od.Destroy):
        return f"destroy {line.region}"
    return _words(
        str(line.count) if line.count > 1 else None,
        _letter(line.unit),
        line.region,
        line.leaving,
        f"- {line.target}" if line.target else None,
        "via " + " + ".join(line.via) if line.via else None,
        line.status,
        _words("attack", line.attack, line.attack_unit) if line.attack else None,
        "ask " + " + ".join(line.ask) if line.ask else None,
    )


def _turn(turn: od.Turn) -> str:
    return f"{turn.nation}: {_action(turn)}" if turn.nation else _action(turn)


def _plan(plan: od.Plan) -> str:
    """Behind a condition or the lines of a maneuver `else` begins a line of its own."""
    said = f"if {_condition(plan.condition)} then " if plan.condition else ""
    actions = [*map(_action, plan.turns)]
    said += ("\nelse " if said or "\n" in "".join(actions) else " else ").join(actions)
    return f"{plan.nation}: {said}" if plan.nation else said


def _condition(condition: od.Condition) -> str:
    match condition:
        case od.Did(space=space):
            fact = DID.get(space, space)
        case od.Has(amount=amount):
            fact = f"has {amount}"
        case od.Stands(region=region):
            fact = f"at {region}"
        case _:
            assert_never(condition)
    return _words(condition.nation, "not" if condition.negated else None, fact)


def _action(turn: od.Turn) -> str:
    head = turn.space
    match turn.work:
        case None:
            return head
        case od.Build(region=region):
            return f"{head} {region or 'none'}"
        case od.Produce(works=works):
            return f"{head} at {', '.join(works)}"
        case od.Buy(units=units):
            return f"{head} {', '.join(_units(u) for u in units) or 'none'}"
        case od.Move(lines=lines):
            return f"{head} none" if not lines else "\n  ".join([head, *(write_line(line) for line in lines)])
        case _:
            assert_never(turn.work)


def _units(units: od.Units) -> str:
    count = f"{units.count} " if units.count > 1 else ""
    return f"{count}{_letter(units.unit)} {units.region}"


def _purchase(purchase: od.Purchase) -> str:
    return f"{purchase.nation} {write_bond(purchase)}"


def write_bond(purchase: od.Purchase) -> str:
    """Which of a nation's bonds: the new one, or the one that is given back and the higher one."""
    return f"{purchase.price}" if purchase.back is None else f"{purchase.back} - {purchase.price}"


def _given(order: od.Given) -> str:
    parts = (order.what, order.seat, order.nation, order.region, order.space, order.number, order.status)
    return _words("given", *parts)


def _letter(unit: str) -> str:
    return "F" if unit == "fleet" else "A"


def _pairs(pairs: int | None) -> str | None:
    return "all" if pairs is None else str(pairs) if pairs != 1 else None


def _at(region: str | None) -> str:
    return f" at {region}" if region else ""


def _words(*words: object) -> str:
    return " ".join(str(word) for word in words if word is not None)
