"""How Empire's orders are written: the grammar, and the names of all languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.core.notation import Led, Names, Notation, Scent
from pbem.games.empire.notation.given import GIVEN_GRAMMAR, GIVEN_KEYWORDS, given_names
from pbem.games.empire.notation.parse import build
from pbem.games.empire.notation.write import write
from pbem.games.empire.rules import orders as od

GRAMMAR = """
?order: owned | _act
owned: (OWNER | PIRATE) COLON _act
?early: order
_act: capital | picks
    | move | posture | load | unload | tow | release | letting_go | pipe
    | develop | farm | stop | make | consume | build | lay | colony | install | deinstall | man
    | repair | scrap | destroy | burn | dump | births
    | arm | disarm
    | overrun | battle | patrol | raid | shoot | kill | capture | seize | take | scuttle | crash | die
    | attitude | transfer | give | accept | reject | aid | found | office | listing
    | standing_retreat | standing_scramble | standing_raid | ruling

capital: K_CAPITAL [COLON | K_AT] SQUARE (K_ELSE SQUARE)*
picks: K_PICKS [COLON] _pick (_next _pick)*
_pick: _kind | _item

move: [K_MOVE] [NUMBER | K_ALL] _kind [K_GOES] [start] _way [K_VIA SQUARE (_next SQUARE)*] _end
    | [K_MOVE | K_LAY] _units [K_GOES] [start] _way [K_VIA SQUARE (_next SQUARE)*] _end
    | [K_MOVE] [NUMBER | K_ALL] _kind start SQUARE
    | K_MOVE _units K_AT SQUARE
start: [K_FROM] SQUARE
_way: (TO SQUARE)+
_end: [K_WITH _items] [K_HOLD] [[ALSO] (K_DOCK | K_BEACH)] [K_ESCORT _units [K_HOME SQUARE]]
posture: _units (K_DOCK | K_SEA | K_BEACH | K_DIVE | K_SURFACE) [_place]
    | (K_DOCK | K_BEACH | K_DIVE | K_SURFACE) _units [_place]
load: K_LOAD UNIT [K_FROM UNIT] [COLON | K_WITH] _items | K_LOAD _items (K_ON | K_ABOARD | K_AT) UNIT
unload: K_UNLOAD UNIT [_place] [COLON] [_items | K_ALL]
    | K_UNLOAD (_items | K_ALL) K_FROM UNIT [_place]
tow: K_TOW UNIT [COLON] _units | K_TOW _units K_WITH UNIT
release: K_RELEASE UNIT [COLON] _units
letting_go: K_RELEASE _units
pipe: K_PIPE NUMBER [OIL] [K_FROM | K_AT] SQUARE _way

develop: K_DEVELOP MARK _place [(K_AT | K_GRADE) NUMBER] [K_WITH UNIT]
farm: K_FARM [K_AT] SQUARE ([_next] SQUARE)*
stop: K_STOP ([K_DEVELOP] MARK | K_FARM | K_MANNING MANNED) _place
make: K_MAKE [NUMBER] _made [K_AT FACTORY] _place [_inputs] [K_INSIDE FACTORY] [_book]
    | K_BUILD KIND [K_AT FACTORY] _place [_inputs] [K_INSIDE FACTORY] [_book]
_inputs: (K_FROM | K_WITH) _input (_next _input)*
_made: _kind | GOOD | POWER
_input: GOOD | POWER
_book: K_BOOK (K_FIRST | K_LAST | K_SPREAD)
consume: K_CONSUME item [_place]
build: K_BUILD (FACTORY | _item) _line [K_FACING DIRECTION] [K_WITH help (_next help)*] [_book]
_line: [K_AT | K_FROM] SQUARE (TO SQUARE)*
help: NUMBER CMX | NUMBER WORKER | UNIT
lay: K_LAY _item _line
colony: K_COLONY _place
install: K_INSTALL GUN _place
deinstall: K_DEINSTALL GUN _place
man: K_MAN MANNED _place
repair: K_REPAIR (UNIT [_place] | (FACTORY | _item | GUN) _place [TO SQUARE])
scrap: K_SCRAP (FACTORY | _item | GUN) _place
destroy: K_DESTROY (FACTORY | _item | GUN) _line [[K_FACING] DIRECTION]
burn: K_BURN some _place
dump: K_DUMP some _place
births: K_BIRTHS (_place (K_ON | K_OFF) | (K_ON | K_OFF) _place) | K_NO_BIRTHS _place

arm: K_ARM [NUMBER] ARMED [_place] [K_ABOARD UNIT] [K_FROM _units]
disarm: K_DISARM _units

overrun: K_OVERRUN ([_targets] _place | _targets) K_WITH _guns [K_SUPPORT _guns]
battle: K_BATTLE [COLON] [COMMA] _attacks | _attacks
_attacks: _attack+
_attack: attack | bomb | strike
attack: K_ATTACK [K_ALL] ([_targets] _place | _targets) [TO] K_WITH _those _helped
_helped: [K_SUPPORT _those] [K_LOSE _those] [K_FORWARD [COMMA]]
_targets: target (_next target)*
target: UNIT | _kind | GUN [SQUARE]
bomb: K_BOMB _bombed K_WITH _those [K_ESCORT _those] [K_VIA SQUARE (_and SQUARE)* [COMMA]] [K_HOME SQUARE [COMMA]]
_bombed: object _place | ITEM _place | line [K_AT SQUARE]
strike: (K_TORPEDO | K_BOMBARD | K_SHELL | K_INTERCEPT) _struck K_WITH _those
_struck: object [_place] | ITEM [_place] | line [K_AT SQUARE]
object: UNIT | _kind | FACTORY | GUN | CITY | K_EMPTY | FORT [DIRECTION]
line: ITEM SQUARE TO SQUARE
_those: fighter | fighter _sep | fighter _sep _those
fighter: UNIT | GUN SQUARE
_sep: COMMA | PLUS | ALSO
_guns: fighter (_next fighter)*
patrol: K_PATROL (_place | K_VIA SQUARE) K_WITH _units | K_PATROL K_WITH _units (_place | K_VIA SQUARE)
raid: K_RAID [K_AT] UNIT K_WITH UNIT [K_TAKE _items]
shoot: K_SHOOT [K_AT] UNIT K_WITH UNIT
kill: K_KILL [NUMBER | K_ALL] [WORKER] _place K_WITH UNIT
capture: K_CAPTURE item [_place] K_WITH _units
seize: K_SEIZE (UNIT | _kind) [_place] K_WITH (UNIT | WORKER)
take: K_TAKE _items (_place | K_FROM SQUARE) K_WITH (UNIT | WORKER)
scuttle: K_SCUTTLE UNIT
crash: K_CRASH UNIT
die: K_DIE item [_place]

attitude: (K_FRIENDLY | K_HOSTILE) [TO | K_WITH | K_OF] _who [[K_AT] SQUARE (_next SQUARE)*]
transfer: K_TRANSFER (UNIT | _who) [TO] _who
give: K_GIVE some _place TO _who | K_GIVE some TO _who _place | K_GIVE [TO] SEAT some _place | K_GIVE UNIT TO _who
    | K_GIVE some TO _who | (K_GIVE | K_MOVE) [TO] SEAT some | K_MOVE [TO] SEAT some _place
accept: K_ACCEPT (OFFER | NUMBER)
reject: K_REJECT (OFFER | NUMBER)
aid: K_AID _who [K_WITH] NUMBER | K_AID NUMBER [TO] _who
found: K_FOUND (COUNTRY | WORD+) _place [K_WITH part (_next part)*]
part: [NUMBER] (_kind | GOOD) [_place] | UNIT | CITY [_place]
office: OFFICIAL K_AT SQUARE
ruling: K_RULING (CHOICE | COUNTRY)
listing: K_ORDER [COLON] _who (_next _who)*

?standing: _standing | owned_standing
owned_standing: (OWNER | PIRATE) COLON _standing
_standing: standing_retreat | standing_scramble | standing_raid | standing_protect | standing_guns | standing_lose
    | standing_feed | standing_accept | standing_births
standing_retreat: K_RETREAT (_units | K_ALL [_place] | SQUARE) TO SQUARE
standing_scramble: K_SCRAMBLE [SQUARE | K_ALL] (NUMBER | K_ALL | K_NONE | K_ALWAYS)
standing_raid: K_RAID (K_SCUTTLE | K_YIELD)
standing_protect: K_PROTECT (_units | _place) K_OF _who [K_UNTIL NUMBER]
standing_guns: (K_FIRE | K_ACKACK) (K_NONE | K_ALL) [_place]
standing_lose: K_LOSE _place _units
standing_feed: K_FEED _place (K_FIRST | K_LAST)
standing_accept: K_ACCEPT (_who | K_ALL | K_NONE)
standing_births: K_BIRTHS _place (K_ON | K_OFF)

_place: K_AT SQUARE | SQUARE
_units: UNIT (_next UNIT)*
_items: some (_next some)*
?some: item | K_ALL GOOD -> item
item: [NUMBER] (_kind | GOOD) | UNIT
_kind: KIND | OFFICIAL | WORKER
_item: ITEM | FORT | CITY
_who: SEAT | COUNTRY | PIRATE
"""

PATTERNS = {
    "SQUARE": r"[A-Z]{1,2}[0-9]{1,2}[A-Z]?",
    "OFFER": r"T\s?[-‐‑–—]?\s?[0-9]+",
    "FRACTION": r"[0-9]+/[0-9]+",
    "SLOT": r"[0-9]+\.[0-9]+",
    "CARD": r"(?:10|[2-9AKQJ])[SHDC]",  # of a header line only: what was drawn
    "COUNTRY": r"[^\W\d_]{2,16}",
    "OWNER": r"[^\W\d_]{2,16}(?=\s*:)",
}

# Lines that begin with one of them belong to the battle above.
ASSAULTS = ("attack", "torpedo", "bomb", "bombard", "shell", "intercept")
VERBS = (
    "capital", "picks", "move", "load", "unload", "tow", "release", "pipe", "develop", "farm", "stop", "make",
    "consume",
    "build", "lay", "colony", "install", "deinstall", "man", "repair", "scrap", "destroy", "burn", "dump", "births",
    "arm", "disarm", "overrun", "battle", "patrol", "raid", "shoot", "kill", "capture", "seize", "take", "scuttle",
    "crash", "die", "friendly", "hostile", "transfer", "give", "accept", "reject", "aid", "found", "order", "retreat",
    "scramble", "ruling",
)  # fmt: skip
KEYWORDS = (
    *VERBS, *ASSAULTS, "at", "from", "with", "else", "hold", "dock", "beach", "sea", "dive", "surface", "manning",
    "inside", "book", "first", "last", "spread", "facing", "on", "off", "aboard", "support", "lose", "forward",
    "escort", "via", "home", "empty", "all", "always", "yield", "protect", "of", "until", "fire", "ackack", "feed",
    "grade", "no_births", "goes",
)  # fmt: skip
BEFORE_COUNTS = ("arm", "with")
OFFICIALS = ("governor", "ambassador")
FORTS = ("fort", "pillbox")


def notation(words: Mapping[str, Names], codes: Iterable[str]) -> Notation[od.Order]:
    """Empire's notation with the names of all languages: kinds, goods, factories, items, marks, directions, words.

    `codes` are those of units.
    """
    kinds, goods, items, said = map(_with_ids, (words[kind] for kind in ("kinds", "goods", "items", "words")))
    guns = _with_ids(words["guns"])
    return Notation(
        grammar=GRAMMAR + GIVEN_GRAMMAR,
        names={
            "KIND": {id_: ways for id_, ways in kinds.items() if id_ not in (*OFFICIALS, "worker")},
            "OFFICIAL": {id_: kinds[id_] for id_ in OFFICIALS},
            "WORKER": {"worker": kinds["worker"]},
            "ARMED": {id_: (*ways, *said.get(f"armed_{id_}", ())) for id_, ways in kinds.items()},
            "GOOD": goods,
            "OIL": {"oil": goods["oil"]},
            "CMX": {"cmx": goods["cmx"]},
            "FACTORY": _with_ids(words["factories"]),
            "ITEM": {id_: ways for id_, ways in items.items() if id_ not in (*FORTS, "city")},
            "FORT": {id_: items[id_] for id_ in FORTS},
            "CITY": {"city": items["city"]},
            "MARK": _with_ids(words["marks"]),
            "GUN": guns,
            "MANNED": {**guns, "canal": items["canal"], "fort": items["fort"]},
            "POWER": _with_ids(words["made"]),
            "CHOICE": words["choices"],
            "DIRECTION": _with_ids(words["directions"]),
            "PIRATE": {"pirate": said["pirate"]},
            "TURN": {"turn": said["turn"]},  # for help: no order has it, nor what letters tell in figures
            "FIGURE": {"figures": said["figures"]},
            **given_names(goods),
        },
        keywords={
            **{f"K_{word.upper()}": said[word] for word in KEYWORDS},
            "TO": said["to"],
            **GIVEN_KEYWORDS,
        },
        patterns={**PATTERNS, "UNIT": _unit(codes, said)},
        own_names=("COUNTRY", "OWNER", "PIRATE"),
        parse=build,
        write=write,
        multiline=("K_BATTLE", *(f"K_{verb.upper()}" for verb in ASSAULTS)),
        topics=(
            "KIND",
            "OFFICIAL",
            "WORKER",
            "GOOD",
            "FACTORY",
            "ITEM",
            "FORT",
            "CITY",
            "MARK",
            "GUN",
            "POWER",
            "TURN",
            "FIGURE",
        ),
        heads=("K_BATTLE", *(f"K_{verb.upper()}" for verb in ASSAULTS)),
        continuations=tuple(f"K_{verb.upper()}" for verb in ASSAULTS),
        counted=("KIND", "OFFICIAL", "WORKER", "GOOD"),
        sheets=words["sheets"],
        by_round=True,
        lots=("cards", "order", "beasts", "picks", "capitals"),
        faint=("K_ALL",),  # all the best
        led=Led(
            names=("UNIT",),
            verbs=(
                "K_ATTACK",
                "K_BOMB",
                "K_TORPEDO",
                "K_BOMBARD",
                "K_SHELL",
                "K_INTERCEPT",
                "K_OVERRUN",
                "K_PATROL",
                "K_RAID",
                "K_SHOOT",
                "K_SEIZE",
            ),
            by="K_WITH",
            before=("K_SUPPORT", "K_LOSE", "K_FORWARD", "K_ESCORT", "K_VIA", "K_HOME", "K_TAKE"),
        ),
        scent=Scent(
            pairs=(("KIND", "SQUARE"), ("WORKER", "SQUARE")),
            verbs=tuple(f"K_{verb.upper()}" for verb in (*VERBS, *ASSAULTS)),
            aims=("SQUARE", "UNIT"),
        ),
    )


def _unit(codes: Iterable[str], said: Names) -> str:
    """The id of a unit; people may write a blank before its number, but for codes that are words: arm 2, con 3."""
    taken = {way.upper() for word in BEFORE_COUNTS for way in said[word]}
    return rf"[A-Z]{{3}}[0-9]+|(?:{'|'.join(code for code in codes if code not in taken)})\s[0-9]+"


def _with_ids(names: Names) -> Names:
    """Our own letters and play files write ids, with blanks."""
    return {id_: tuple(dict.fromkeys((*ways, id_.replace("_", " "), id_))) for id_, ways in names.items()}
