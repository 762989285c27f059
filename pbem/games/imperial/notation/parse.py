"""Trees of the grammar, built into orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.games.imperial.rules import orders as od


def build(tree: Any) -> od.Order:
    """The order that a tree of the grammar says."""
    order: od.Order = _BUILDERS[str(tree.data)](*tree.children)
    return order


def _turn(nation: Any, _colon: Any, action: Any) -> od.Turn:
    space, work = _ACTIONS[str(action.data)](*action.children)
    return od.Turn(nation=_value(nation), space=str(space.value), work=work)


def _plan(nation: Any, _colon: Any, *parts: Any) -> od.Plan:
    trees = [part for part in parts if _is_tree(part)]
    conditions = [_condition(*tree.children) for tree in trees if tree.data == "condition"]
    actions = [_ACTIONS[str(tree.data)](*tree.children) for tree in trees if tree.data != "condition"]
    turns = tuple(od.Turn(nation=_value(nation), space=str(space.value), work=work) for space, work in actions)
    return od.Plan(nation=_value(nation), condition=conditions[0] if conditions else None, turns=turns)


def _condition(nation: Any, *words: Any) -> od.Condition:
    """The kinds of the names tell what it is about."""
    said = {word.type: word.value for word in words if word is not None}
    negated = "K_NOT" in said
    if "DONE" in said:
        return od.Did(nation=nation.value, space=said["DONE"], negated=negated)
    if "NUMBER" in said:
        return od.Has(nation=nation.value, amount=int(said["NUMBER"]), negated=negated)
    return od.Stands(nation=nation.value, region=said["REGION"], negated=negated)


def _factory(space: Any, _colon: Any, _at: Any, what: Any = None) -> tuple[Any, od.Build | None]:
    if what is None:
        return space, None
    return space, od.Build(region=None if what.type == "K_NONE" else what.value)


def _production(space: Any, _colon: Any, at: Any, *regions: Any) -> tuple[Any, od.Produce | None]:
    if at is None:
        return space, None
    return space, od.Produce(works=tuple(r.value for r in regions if r and r.type == "REGION"))


def _importing(space: Any, _colon: Any, *items: Any) -> tuple[Any, od.Buy | None]:
    trees = [item for item in items if _is_tree(item)]
    if not trees and not any(items):
        return space, None
    return space, od.Buy(units=tuple(_units(*tree.children) for tree in trees))


def _units(count: Any, unit: Any, _at: Any, region: Any) -> od.Units:
    return od.Units(count=_number(count), unit=unit.value, region=region.value)


def _maneuver(space: Any, _colon: Any, *items: Any) -> tuple[Any, od.Move | None]:
    trees = [item for item in items if _is_tree(item)]
    if not trees and not any(items):
        return space, None
    moved = (tree for tree in trees if tree.data != "stay")  # who stays needs no line
    return space, od.Move(lines=tuple(_line(*t.children) if t.data == "line" else _destroy(t) for t in moved))


def _destroy(tree: Any) -> od.Destroy:
    return od.Destroy(region=tree.children[-1].value)


def _line(count: Any, unit: Any, _from: Any, region: Any, move: Any, *rest: Any) -> od.Line:
    fields: dict[str, Any] = {}
    if move is not None:
        leaving, _, target = move.children
        fields |= {"leaving": _value(leaving), "target": target.value}
    for word in rest:
        if word is not None:
            fields |= _WORDS[str(word.data)](*word.children)
    return od.Line(count=_number(count), unit=unit.value, region=region.value, **fields)


def _via(_via: Any, *regions: Any) -> dict[str, Any]:
    return {"via": tuple(r.value for r in regions if r.type == "REGION")}


def _attack(_attack: Any, nation: Any, unit: Any, _off: Any) -> dict[str, Any]:
    return {"attack": nation.value, "attack_unit": _value(unit)}


def _ask(_ask: Any, *nations: Any) -> dict[str, Any]:
    return {"ask": tuple(n.value for n in nations if n.type == "NATION")}


def _invest(*choices: Any) -> od.Invest:
    trees = [choice for choice in choices if _is_tree(choice)]
    real = [tree for tree in trees if tree.data == "purchase"]
    else_none = bool(real) and trees[-1].data == "no_purchase"
    return od.Invest(choices=tuple(_purchase(*tree.children) for tree in real), else_none=else_none)


def _purchase(*parts: Any) -> od.Purchase:
    """The amounts in their order; the nation before them or behind."""
    nation, *amounts = sorted(filter(None, parts), key=lambda part: part.type != "NATION")
    first, *second = (int(amount) for amount in amounts if amount.type == "NUMBER")
    return od.Purchase(nation=nation.value, price=second[0] if second else first, back=first if second else None)


def _fight(_fight: Any, count: Any, unit: Any, _with: Any, nation: Any) -> od.Fight:
    return od.Fight(pairs=_pairs(count), unit=_value(unit), nation=_value(nation))


def _give(*parts: Any) -> od.Give:
    said = {part.type: part.value for part in parts if part is not None}
    return od.Give(nation=said["NATION"], amount=int(said["NUMBER"]))


def _bid(_bid: Any, *bond: Any) -> od.Bid:
    said = {part.type: part.value for part in bond}
    return od.Bid(nation=said["NATION"], price=int(said["NUMBER"])) if "NATION" in said else od.Bid()


def _standing_fight(_fight: Any, count: Any, unit: Any, nation: Any, _at: Any, region: Any) -> od.StandingFight:
    return od.StandingFight(pairs=_pairs(count), unit=_value(unit), nation=_value(nation), region=_value(region))


def _given(*tokens: Any) -> od.Given:
    """The kinds of the names tell which field they fill."""
    fields: dict[str, Any] = {}
    for token in tokens:
        if token is not None:
            fields |= _given_field(token)
    return od.Given(**fields)


def _given_field(token: Any) -> dict[str, Any]:
    if token.type.startswith("G_"):
        return {"what": token.type[2:].lower()}
    if token.type.startswith("S_"):
        return {"space": token.value}
    if token.type == "NUMBER":
        return {"number": int(token)}
    return {"what" if token.type == "UNIT" else token.type.lower(): token.value}


def _given_no(_no: Any, what: Any, *rest: Any) -> od.Given:
    fields: dict[str, Any] = {}
    for token in rest:
        fields |= _given_field(token)
    return od.Given(what=f"no {what.type[2:].lower()}", **fields)


_ACTIONS: Mapping[str, Callable[..., tuple[Any, od.Work | None]]] = {
    "factory": _factory,
    "production": _production,
    "importing": _importing,
    "maneuver": _maneuver,
    "plain": lambda space: (space, None),
}
_WORDS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "via": _via,
    "status": lambda status: {"status": status.value},
    "attack": _attack,
    "ask": _ask,
}
_BUILDERS: Mapping[str, Callable[..., od.Order]] = {
    "turn": _turn,
    "plan": _plan,
    "invest": _invest,
    "fight": _fight,
    "peace": lambda *_: od.Peace(),
    "force": lambda *_: od.Force(),
    "let_pass": lambda *_: od.LetPass(),
    "give": _give,
    "bid": _bid,
    "standing_fight": _standing_fight,
    "standing_peace": lambda _, nation, _at, region: od.StandingPeace(nation=_value(nation), region=_value(region)),
    "standing_force": lambda _, nation: od.StandingForce(nation=_value(nation)),
    "given": _given,
    "given_no": _given_no,
}


def _value(token: Any) -> Any:
    return None if token is None else token.value


def _number(token: Any) -> int:
    return 1 if token is None else int(token)


def _pairs(token: Any) -> int | None:
    return None if token is not None and token.type == "K_ALL" else _number(token)


def _is_tree(child: Any) -> bool:
    return hasattr(child, "data")
