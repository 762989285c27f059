"""How Imperial's orders are written: the grammar, and trees built into orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.rules.imperial import orders as od
from pbem.rules.imperial.writing import write
from pbem.table.phrases import Names, Phrases

GRAMMAR = """
?order: turn | invest | fight | peace | force | let_pass | give | bid

turn: [NATION [COLON]] _action
_action: factory | production | importing | maneuver | plain
factory: S_FACTORY [COLON] [[K_AT] (REGION | K_NONE)]
production: S_PRODUCTION [COLON] [K_AT REGION (COMMA REGION)*]
importing: S_IMPORT [COLON] [K_NONE | _import_items]
maneuver: S_MANEUVER [COLON] [K_NONE | _lines]
plain: S_PLAIN

_import_items: [COMMA] _units_list [COMMA]
_units_list: units | _units_list COMMA units
units: [NUMBER] UNIT [K_AT] REGION

_lines: [COMMA] _line_list [COMMA]
_line_list: _line | _line_list COMMA _line
_line: line | destroy
destroy: K_DESTROY REGION
line: [NUMBER] UNIT REGION [move] word* [ask]
move: [STATUS] TO REGION
word: K_VIA REGION (PLUS REGION)* -> via
    | STATUS -> status
    | K_ATTACK NATION [UNIT] -> attack
ask: K_ASK NATION (PLUS NATION)*

invest: K_INVEST _choice (K_ELSE _choice)*
_choice: purchase | no_purchase
purchase: NATION NUMBER [TO NUMBER]
no_purchase: K_NONE
fight: K_FIGHT [NUMBER | K_ALL] [UNIT] [K_WITH NATION]
peace: K_PEACE
force: K_FORCE
let_pass: K_LET [K_PASS]
give: K_GIVE NATION NUMBER
bid: K_BID (NATION NUMBER | K_NONE)

?standing: standing_fight | standing_peace | standing_force | invest
standing_fight: K_FIGHT [NUMBER | K_ALL] [UNIT] [NATION] [K_AT REGION]
standing_peace: K_PEACE [NATION] [K_AT REGION]
standing_force: K_FORCE [NATION]

given: G_TREASURY NATION NUMBER -> given
     | G_CASH SEAT NUMBER -> given
     | G_BOND SEAT NATION NUMBER -> given
     | G_NO G_BOND SEAT NATION NUMBER -> given_no
     | G_GOVERNMENT NATION SEAT -> given
     | G_RONDEL NATION _given_space -> given
     | G_POWER NATION NUMBER -> given
     | G_TAX NATION NUMBER -> given
     | G_FACTORY REGION -> given
     | G_NO G_FACTORY REGION -> given_no
     | G_FLAG REGION NATION -> given
     | UNIT NATION REGION NUMBER [STATUS] -> given
     | G_INVESTOR SEAT -> given
     | G_TURN NATION -> given
     | G_ROUND NUMBER -> given
_given_space: S_FACTORY | S_PRODUCTION | S_IMPORT | S_MANEUVER | S_PLAIN
"""

GIVEN_WORDS = {
    f"G_{word.upper()}": (word,)
    for word in (
        "treasury", "cash", "bond", "government", "rondel", "power", "tax", "factory", "flag", "investor",
        "turn", "round", "no",
    )
}  # fmt: skip

# Which terminal a space of the rondel is: it decides what may follow.
SPACE_TERMINALS = {
    "S_FACTORY": ("factory",),
    "S_PRODUCTION": ("production", "production_1", "production_2"),
    "S_MANEUVER": ("maneuver", "maneuver_1", "maneuver_2"),
    "S_IMPORT": ("import",),
    "S_PLAIN": ("investor", "taxation"),
}

STATUSES = ("hostile", "friendly")
KEYWORDS = (
    "none", "at", "destroy", "via", "attack", "ask", "invest", "else", "fight", "all", "with", "peace",
    "force", "let", "pass", "give", "bid",
)  # fmt: skip


def phrases(words: Mapping[str, Names]) -> Phrases[od.Order]:
    """Imperial's phrases with the names of all languages: nations, regions, spaces, units, words."""
    return Phrases(
        grammar=GRAMMAR,
        names={
            "NATION": words["nations"],
            "REGION": words["regions"],
            "UNIT": words["units"],
            "STATUS": {status: words["words"][status] for status in STATUSES},
            **{t: {s: words["spaces"][s] for s in ids} for t, ids in SPACE_TERMINALS.items()},
        },
        keywords={
            **{f"K_{w.upper()}": words["words"][w] for w in KEYWORDS},
            "TO": words["words"]["to"],  # beside the arrows
            **GIVEN_WORDS,
        },
        build=build,
        write=write,
        carriers=("S_MANEUVER", "S_IMPORT"),
        heads=tuple(SPACE_TERMINALS),
        carried=("NUMBER", "UNIT", "K_DESTROY"),
    )


def build(tree: Any) -> od.Order:
    """The order that a tree of the grammar says."""
    order: od.Order = _BUILDERS[str(tree.data)](*tree.children)
    return order


def _turn(nation: Any, _colon: Any, action: Any) -> od.Turn:
    space, work = _ACTIONS[str(action.data)](*action.children)
    return od.Turn(nation=_value(nation), space=str(space.value), work=work)


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
    return space, od.Move(lines=tuple(_line(*t.children) if t.data == "line" else _destroy(t) for t in trees))


def _destroy(tree: Any) -> od.Destroy:
    return od.Destroy(region=tree.children[-1].value)


def _line(count: Any, unit: Any, region: Any, move: Any, *rest: Any) -> od.Line:
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


def _attack(_attack: Any, nation: Any, unit: Any) -> dict[str, Any]:
    return {"attack": nation.value, "attack_unit": _value(unit)}


def _ask(_ask: Any, *nations: Any) -> dict[str, Any]:
    return {"ask": tuple(n.value for n in nations if n.type == "NATION")}


def _invest(*choices: Any) -> od.Invest:
    trees = [choice for choice in choices if _is_tree(choice)]
    real = [tree for tree in trees if tree.data == "purchase"]
    else_none = bool(real) and trees[-1].data == "no_purchase"
    return od.Invest(choices=tuple(_purchase(*tree.children) for tree in real), else_none=else_none)


def _purchase(nation: Any, first: Any, _to: Any, second: Any) -> od.Purchase:
    if second is None:
        return od.Purchase(nation=nation.value, price=int(first))
    return od.Purchase(nation=nation.value, price=int(second), back=int(first))


def _fight(_fight: Any, count: Any, unit: Any, _with: Any, nation: Any) -> od.Fight:
    return od.Fight(pairs=_pairs(count), unit=_value(unit), nation=_value(nation))


def _give(_give: Any, nation: Any, amount: Any) -> od.Give:
    return od.Give(nation=nation.value, amount=int(amount))


def _bid(_bid: Any, nation: Any, price: Any = None) -> od.Bid:
    return od.Bid() if price is None else od.Bid(nation=nation.value, price=int(price))


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
