"""Lines of a given position: their grammar, and how they are built and written. Their own words are English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.core.notation import Names
from pbem.games.empire.notation.said import square
from pbem.games.empire.rules import orders as od

GIVEN_GRAMMAR = """
given: G_TURN NUMBER
    | G_SLOT _who
    | G_WORKERS _who SQUARE _amount
    | G_GOODS _who SQUARE stock (_next stock)*
    | G_GOVERNOR _who SQUARE
    | G_AMBASSADOR _who SQUARE [NUMBER]
    | G_UNIT _who UNIT SQUARE [STATE]
    | G_ABOARD UNIT stock (_next stock)*
    | G_USED UNIT _amount
    | G_USED G_WORKERS _who SQUARE count _amount
    | G_STEPS UNIT NUMBER
    | G_DAMAGED UNIT
    | G_DAMAGED (FACTORY | _item | GUN) SQUARE (TO SQUARE)* [DIRECTION]
    | G_CAPITAL _who SQUARE
    | G_SITE SQUARE
    | G_FACTORY FACTORY SQUARE
    | G_WORK (FACTORY | _item) SQUARE (TO SQUARE)* _amount
    | (ITEM | CITY) SQUARE (TO SQUARE)*
    | FORT SQUARE DIRECTION [_who]
    | G_INSTALLED GUN SQUARE [_who]
    | G_DEVELOPING _who MARK SQUARE [STATE]
    | G_FARMING _who SQUARE [STATE]
    | (G_CONFIDENCE | G_FUND | G_TAX | G_EDU | G_INVESTMENT) _who _amount
    | G_DEBT _who DEBT _amount
    | G_EXCHANGE _who _who NUMBER
    | G_INFLATION _who
    | G_FRIENDLY _who _who [[K_AT] SQUARE (_next SQUARE)*]
    | G_COUNTRY COUNTRY _who
    | G_WIND NUMBER
    | G_CAPTURE _who SLOT
    | G_BOOKED _who booking+
    | G_BIRTHS SQUARE STATE
    | G_SERPENT SQUARE [STATE]
    | G_PIRATE _who SQUARE
_amount: NUMBER | FRACTION
stock: [NUMBER | FRACTION] (_kind | GOOD) | UNIT
count: NUMBER
booking: BOOKED _amount
"""

_WORDS = (
    "turn", "slot", "workers", "goods", "governor", "ambassador", "unit", "aboard", "used", "steps", "damaged",
    "capital", "site", "factory", "work", "installed", "developing", "farming", "confidence", "fund", "tax", "edu",
    "investment", "debt", "exchange", "inflation", "friendly", "country", "wind", "capture", "booked", "births",
    "serpent", "pirate",
)  # fmt: skip
_STATES = ("docked", "beached", "sea", "dived", "up", "consumed", "done", "on", "off", "surfaced", "asleep", "stored")
_BOOKED = ("cost", "edu", "investment")
GIVEN_KEYWORDS = {f"G_{word.upper()}": (word,) for word in _WORDS}


def given_names(goods: Names) -> Mapping[str, Names]:
    """By terminal of the grammar."""
    debts: Names = {"oil": goods["oil"], "chemicals": goods["chemicals"], "pay": ("pay",)}
    return {
        "STATE": {state: (state,) for state in _STATES},
        "BOOKED": {word: (word,) for word in _BOOKED},
        "DEBT": debts,
    }


# -- built ---


def build_given(*children: Any) -> od.Given:
    """The kinds of the words tell which field they fill."""
    what, fields, people = "", dict[str, Any](), list[str]()
    items, amounts, squares = list[tuple[str, str]](), dict[str, str](), list[str]()
    for child in filter(None, children):
        kind = str(getattr(child, "type", ""))
        if not kind:
            said = {part.type: str(part) for part in child.children if part is not None}
            number = said.pop("NUMBER", said.pop("FRACTION", "1"))
            name = "".join(said.values())
            if child.data == "stock":
                items.append((name.upper() if "UNIT" in said else name, number))
            else:
                amounts[name or "count"] = number
        elif kind.startswith("G_"):
            word = kind[2:].lower()
            what = f"{what}_{word}" if what else word
        elif kind in ("SEAT", "COUNTRY", "PIRATE"):
            people.append(str(child).lower() if kind == "COUNTRY" else str(child))
        elif kind == "SQUARE":
            squares.append(square(str(child)))
        elif kind in ("NUMBER", "FRACTION", "SLOT"):
            amounts[""] = str(child)
        elif kind in _FIELDS:
            fields[_FIELDS[kind]] = str(child).upper() if kind == "UNIT" else str(child)
        elif kind in ("ITEM", "CITY", "FORT") and not what:
            what = str(child)
        elif kind not in ("TO", "COMMA", "PLUS", "ALSO", "K_AT"):
            fields["kind"] = str(child)
    who, other = [*people, None, None][:2]
    return od.Given(
        what=what, who=who, other=other, squares=tuple(squares), items=tuple(items), amounts=amounts, **fields
    )


_FIELDS = {"UNIT": "unit", "DIRECTION": "facing", "STATE": "state"}


# -- written ---


def write_given(order: od.Given) -> str:
    return " ".join(["given", *filter(None, _parts(order))])


def _parts(order: od.Given) -> Iterator[str | None]:
    """In the order in which the grammar has them."""
    thing_first, who_last = order.what in _THING_FIRST, order.what in (*_THING_FIRST, "fort", "pillbox")
    kind = order.kind and order.kind.replace("_", " ")
    yield order.what.replace("_", " ")
    yield kind if thing_first else None
    yield None if who_last else order.who
    yield order.other
    yield order.unit
    yield None if thing_first else kind
    yield (", " if order.what == "friendly" else " - ").join(order.squares)
    yield order.facing
    yield order.who if who_last else None
    yield ", ".join(
        what if what[-1:].isdigit() else f"{amount} {what.replace('_', ' ')}" for what, amount in order.items
    )
    for word in sorted(order.amounts, key=lambda word: not word):
        yield f"{word} {order.amounts[word]}".strip() if word != "count" else order.amounts[word]
    yield order.state


_THING_FIRST = ("damaged", "factory", "installed", "work")
