"""Trees of the grammar, built into orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from pbem.games.empire.notation.given import build_given
from pbem.games.empire.notation.said import KINDS, SITES, Said
from pbem.games.empire.rules import orders as od


def build(tree: Any) -> od.Order:
    """The order that a tree of the grammar says."""
    name = str(tree.data)
    if name in ("owned", "owned_standing"):
        owner, _colon, act = tree.children
        return replace(build(act), country=str(owner).lower())
    if name == "given":
        return build_given(*tree.children)
    if name == "battle":
        said = [child for child in tree.children if hasattr(child, "data")]
        return od.Battle(attacks=tuple(_ASSAULTS[str(each.data)](Said(each)) for each in said))
    return _BUILDERS[name](Said(tree))


# -- moving, carrying and working ---


def _move(said: Said) -> od.Move:
    escort, home = said.all("UNIT", under="escort"), said.maybe("SQUARE", under="home")
    via = said.all("SQUARE", under="via")
    return od.Move(
        units=said.units[: len(said.units) - len(escort)],
        kind=said.maybe(*KINDS),
        count=said.count(),
        every="all" in said,
        start=next((start.at for start in said.trees("start")), None),
        way=(*via, *said.squares[: len(said.squares) - len(via) - bool(home)]),
        cargo=said.items,
        hold="hold" in said,
        ending=said.word("dock", "beach"),
        escort=escort,
        home=home,
    )


def _tow(said: Said) -> od.Tow:
    if "with" in said:
        return od.Tow(carrier=said.one("UNIT", under="with"), units=said.all("UNIT", under="tow"))
    return od.Tow(carrier=said.units[0], units=said.units[1:])


def _make(said: Said) -> od.Make:
    inputs = (*said.all("GOOD", "POWER", under="from"), *said.all("GOOD", "POWER", under="with"))
    return od.Make(
        item=said.one("GOOD", "POWER", *KINDS, under=said.words[0]),
        count=said.count(),
        at=said.at,
        inputs=inputs,
        factory=said.maybe("FACTORY"),
        book=said.word("first", "last", "spread"),
    )


def _build(said: Said) -> od.Build:
    helpers = said.trees("help")
    return od.Build(
        item=said.one(*SITES),
        squares=said.squares,
        facing=said.maybe("DIRECTION"),
        cmx=next((each.count() for each in helpers if each.all("CMX")), None),
        workers=next((each.count() for each in helpers if each.all("WORKER")), None),
        ship=next((each.units[0] for each in helpers if each.units), None),
        book=said.word("first", "last", "spread"),
    )


def _repair(said: Said) -> od.Repair:
    at, to, *_ = (*said.squares, None, None)
    return od.Repair(what=said.one("UNIT", *SITES), at=at, to=to)


def _destroy(said: Said) -> od.Destroy:
    return od.Destroy(what=said.one(*SITES), squares=said.squares, facing=said.maybe("DIRECTION"))


# -- fighting ---


def _overrun(said: Said) -> od.Overrun:
    return od.Overrun(
        targets=said.names("target", "overrun"),
        at=said.maybe("SQUARE") or "",
        units=said.names("fighter", "with"),
        support=said.names("fighter", "support"),
    )


def _attack(said: Said) -> od.Attack:
    return od.Attack(
        targets=said.names("target", "attack", "all"),
        every="all" in said,
        at=said.maybe("SQUARE") or "",
        units=said.names("fighter", "with"),
        support=said.names("fighter", "support"),
        lose=said.names("fighter", "lose"),
        advance="forward" in said,
    )


def _bomb(said: Said) -> od.Bomb:
    target, at = _struck(said, "bomb")
    return od.Bomb(
        target=target,
        at=at or target.split()[-3],
        units=said.names("fighter", "with"),
        escort=said.names("fighter", "escort"),
        via=said.all("SQUARE", under="via"),
        home=said.maybe("SQUARE", under="home"),
    )


def _strike(said: Said) -> od.Strike:
    target, at = _struck(said, said.words[0])
    verb: Any = said.words[0]
    return od.Strike(verb=verb, target=target, at=at, units=said.names("fighter", "with"))


def _struck(said: Said, verb: str) -> tuple[str, str | None]:
    """What is aimed at, and where."""
    at = said.maybe("SQUARE", under="at") or said.maybe("SQUARE", under=verb)
    for line in said.trees("line"):
        return " - ".join((f"{line.one('ITEM')} {line.squares[0]}", line.squares[1])), at
    things = [" ".join(each.all("UNIT", "DIRECTION", *SITES, *KINDS)) for each in said.trees("object")]
    return said.maybe("ITEM") or "".join(things) or "empty", at


def _part(said: Said) -> od.Part:
    unit = said.maybe("UNIT")
    return od.Part(unit or said.one("GOOD", "CITY", *KINDS), None if unit else said.count(), said.maybe("SQUARE"))


def _transfer(said: Said) -> od.Transfer:
    """A unit or a country."""
    what, to = said.all("UNIT", *_WHO)
    return od.Transfer(unit=what, to=to)


def _give(said: Said) -> od.Give | od.Transfer:
    """What a unit is given by its id needs no place."""
    unit = said.units or tuple(item.what for item in said.items if item.what[-1:].isdigit() and not said.squares)
    if unit:
        return od.Transfer(unit=unit[0], to=said.who)
    return od.Give(item=said.items[0], at=said.maybe("SQUARE") or "", to=said.who)


# -- standing orders ---


def _retreat(said: Said) -> od.Standing:
    *at, to = said.squares
    return od.Standing(what="retreat", units=said.units, at=at[0] if at else None, to=to)


def _scramble(said: Said) -> od.Standing:
    number = said.count()
    return od.Standing(what="scramble", at=said.maybe("SQUARE"), says=said.words[-1] if number is None else str(number))


def _protect(said: Said) -> od.Standing:
    at = said.maybe("SQUARE")
    return od.Standing(what="protect", units=said.units, at=at, to=said.who, until=said.count())


def _accept_from(said: Said) -> od.Standing:
    return od.Standing(what="accept", to=said.maybe(*_WHO), says=said.word("all", "none") or None)


_WHO = ("SEAT", "COUNTRY", "PIRATE")
_ASSAULTS: Mapping[str, Callable[[Said], od.Assault]] = {"attack": _attack, "bomb": _bomb, "strike": _strike}
_BUILDERS: Mapping[str, Callable[[Said], od.Order]] = {
    "capital": lambda s: od.Capital(squares=s.squares),
    "picks": lambda s: od.Picks(items=s.all(*KINDS, *SITES)),
    "move": _move,
    "posture": lambda s: od.Posture(
        units=s.units, posture=s.word("dock", "sea", "beach", "dive", "surface"), at=s.maybe("SQUARE")
    ),
    "load": lambda s: od.Load(carrier=s.units[0], items=s.items, source=s.maybe("UNIT", under="from")),
    "unload": lambda s: od.Unload(carrier=s.units[0], items=s.items, at=s.maybe("SQUARE")),
    "tow": _tow,
    "release": lambda s: od.Release(carrier=s.units[0], units=s.units[1:]),
    "letting_go": lambda s: od.Release(units=s.units),
    "pipe": lambda s: od.Pipe(count=int(s.one("NUMBER")), way=s.squares),
    "develop": lambda s: od.Develop(mark=s.one("MARK"), at=s.at, grade=s.count(), ship=s.maybe("UNIT")),
    "farm": lambda s: od.Farm(squares=s.squares),
    "stop": lambda s: od.Stop(what=s.maybe("MARK") or s.word("farm", "manning"), at=s.at, of=s.maybe("MANNED")),
    "make": _make,
    "consume": lambda s: od.Consume(item=s.items[0], at=s.maybe("SQUARE")),
    "build": _build,
    "lay": lambda s: od.Lay(item=s.one(*SITES), squares=s.squares),
    "colony": lambda s: od.Colony(at=s.at),
    "install": lambda s: od.Install(what=s.one("GUN"), at=s.at),
    "deinstall": lambda s: od.Deinstall(what=s.one("GUN"), at=s.at),
    "man": lambda s: od.Man(what=s.one("MANNED"), at=s.at),
    "repair": _repair,
    "scrap": lambda s: od.Scrap(what=s.one(*SITES), at=s.at),
    "destroy": _destroy,
    "burn": lambda s: od.Burn(item=s.items[0], at=s.at),
    "dump": lambda s: od.Dump(item=s.items[0], at=s.at),
    "births": lambda s: od.Births(at=s.at, on="on" in s),
    "arm": lambda s: od.Arm(
        kind=s.one("ARMED"),
        count=s.count(),
        at=s.maybe("SQUARE"),
        aboard=s.maybe("UNIT", under="aboard"),
        units=s.all("UNIT", under="from"),
    ),
    "disarm": lambda s: od.Disarm(units=s.units),
    "overrun": _overrun,
    "patrol": lambda s: od.Patrol(at=s.at, units=s.units),
    "raid": lambda s: od.Raid(target=s.units[0], unit=s.one("UNIT", under="with"), take=s.items),
    "shoot": lambda s: od.Shoot(target=s.units[0], unit=s.one("UNIT", under="with")),
    "kill": lambda s: od.Kill(count=s.count(), at=s.at, unit=s.units[0]),
    "capture": lambda s: od.Capture(item=s.items[0], at=s.maybe("SQUARE"), units=s.all("UNIT", under="with")),
    "seize": lambda s: od.Seize(
        target=s.one("UNIT", *KINDS, under="seize"), at=s.maybe("SQUARE"), by=s.one("UNIT", "WORKER", under="with")
    ),
    "take": lambda s: od.Take(items=s.items, at=s.at, by=s.one("UNIT", "WORKER", under="with")),
    "scuttle": lambda s: od.Scuttle(unit=s.units[0]),
    "crash": lambda s: od.Crash(unit=s.units[0]),
    "die": lambda s: od.Die(item=s.items[0], at=s.maybe("SQUARE")),
    "attitude": lambda s: od.Attitude(player=s.who, friendly="friendly" in s, squares=s.squares),
    "transfer": _transfer,
    "give": _give,
    "accept": lambda s: od.Accept(offer=s.offer),
    "reject": lambda s: od.Reject(offer=s.offer),
    "aid": lambda s: od.Aid(to=s.who, amount=int(s.one("NUMBER"))),
    "found": lambda s: od.Found(
        name=" ".join(s.all("COUNTRY", "WORD")),
        fits=s.maybe("COUNTRY") is not None,
        at=s.at,
        parts=tuple(map(_part, s.trees("part"))),
    ),
    "office": lambda s: (od.Governor if s.one("OFFICIAL") == "governor" else od.Ambassador)(at=s.at),
    "listing": lambda s: od.Listing(countries=s.all(*_WHO)),
    "ruling": lambda s: od.Ruling(choice=s.one("CHOICE", "COUNTRY")),
    "standing_retreat": _retreat,
    "standing_scramble": _scramble,
    "standing_raid": lambda s: od.Standing(what="raid", says=s.word("scuttle", "yield")),
    "standing_protect": _protect,
    "standing_guns": lambda s: od.Standing(what=s.word("fire", "ackack"), says=s.words[1], at=s.maybe("SQUARE")),
    "standing_lose": lambda s: od.Standing(what="lose", at=s.at, units=s.units),
    "standing_feed": lambda s: od.Standing(what="feed", at=s.at, says=s.word("first", "last")),
    "standing_accept": _accept_from,
    "standing_births": lambda s: od.Standing(what="births", at=s.at, says=s.word("on", "off")),
}
