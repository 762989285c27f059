"""How Imperial's orders are written: the grammar, and the names of all languages."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.notation import Names, Notation, Scent
from pbem.games.imperial.notation.parse import build
from pbem.games.imperial.notation.write import DID, write
from pbem.games.imperial.rules import orders as od

GRAMMAR = """
?order: turn | invest | fight | peace | force | let_pass | give | bid

turn: [NATION [COLON | TO | COMMA]] _action
_action: factory | production | importing | maneuver | plain
factory: S_FACTORY [COLON | TO] [[K_AT] (REGION | K_NONE)]
production: S_PRODUCTION [COLON] [K_AT REGION (_next REGION)*]
importing: S_IMPORT [COLON | TO] [K_NONE | _import_items]
maneuver: S_MANEUVER [COLON | TO] [K_NONE | _lines]
plain: S_PLAIN

?early: turn | plan | invest | bid
plan: [NATION [COLON]] K_IF condition [COMMA | COLON | K_THEN] _action _alternatives?
    | [NATION [COLON]] _action _alternatives
_alternatives: _alternative | _alternatives _alternative
_alternative: K_ELSE [COLON] _action
condition: NATION [K_NOT] _fact
    | NATION K_HAS K_NOT (_money | DONE)
_fact: K_HAS (_money | DONE) | DONE | K_AT REGION

_import_items: [COMMA] _units_list [COMMA]
_units_list: units | _units_list _next units
units: [NUMBER] UNIT [K_AT] REGION

_lines: [COMMA] _line_list [COMMA]
_line_list: _line | _line_list _next _line
_line: line | destroy | stay
stay: [NUMBER] UNIT [K_FROM] REGION K_STAY
destroy: K_DESTROY REGION
line: [NUMBER] UNIT [K_FROM] REGION [move] word* [ask]
move: [STATUS] TO REGION
word: K_VIA REGION (_and REGION)* -> via
    | STATUS -> status
    | K_ATTACK NATION [UNIT] [K_OFF] -> attack
ask: K_ASK NATION (_and NATION)*

invest: K_INVEST _choice (K_ELSE _choice)*
_choice: purchase K_OFF? | no_purchase
purchase: NATION _money [TO _money] | _money [K_AT] NATION
no_purchase: K_NONE
fight: K_FIGHT [NUMBER | K_ALL] [UNIT] [K_WITH NATION]
peace: K_PEACE
force: K_FORCE
let_pass: K_LET [K_PASS]
give: K_GIVE (TO? NATION _money | _money TO? NATION)
bid: K_BID (NATION _money | K_NONE) K_OFF?

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
VERBS = ("invest", "fight", "attack", "destroy", "force", "give", "bid")
KEYWORDS = (
    "none", "at", "from", "destroy", "via", "attack", "ask", "invest", "else", "fight", "all", "with", "peace",
    "force", "let", "pass", "give", "bid", "if", "then", "not", "has", "stay", "off",
)  # fmt: skip


def notation(words: Mapping[str, Names]) -> Notation[od.Order]:
    """Imperial's notation with the names of all languages: nations, regions, spaces, units, words."""
    return Notation(
        grammar=GRAMMAR,
        names={
            "NATION": words["nations"],
            "REGION": words["regions"],
            "UNIT": words["units"],
            "STATUS": {status: words["words"][status] for status in STATUSES},
            **{t: {s: words["spaces"][s] for s in ids} for t, ids in SPACE_TERMINALS.items()},
            "DONE": {s: (*words["words"].get(DID.get(s, ""), ()), *words["spaces"][s]) for s in words["spaces"]},
        },
        keywords={
            **{f"K_{w.upper()}": words["words"][w] for w in KEYWORDS},
            "TO": words["words"]["to"],  # beside the arrows
            **GIVEN_WORDS,
        },
        parse=build,
        write=write,
        multiline=("S_MANEUVER", "S_IMPORT"),
        topics=tuple(SPACE_TERMINALS),
        heads=tuple(SPACE_TERMINALS),
        continuations=("NUMBER", "UNIT", "K_DESTROY"),
        connectives=("K_IF", "K_THEN", "K_ELSE"),
        particles=("K_FROM",),
        lots=("flags", "first"),
        counted=("UNIT",),
        scent=Scent(
            pairs=(("UNIT", "REGION"),),
            verbs=(*SPACE_TERMINALS, *(f"K_{verb.upper()}" for verb in VERBS)),
            aims=("NATION",),
            spoken=words["spoken"],
        ),
    )
