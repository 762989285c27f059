"""Orders back into text, as a player would type them: `read(write(order)) == order`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.games.empire.notation.given import write_given
from pbem.games.empire.rules import orders as od


def write(order: od.Order) -> str:
    """The order in the order language."""
    if isinstance(order, od.Given):
        return write_given(order)
    said = _WRITERS[type(order)](order)
    owner = f"{order.country}: " if order.country else ""
    return f"{owner}{said}"


def _words(*words: object) -> str:
    return " ".join(str(word) for word in words if word not in (None, ""))


def _name(id_: str) -> str:
    """Ids are the English names."""
    return id_.replace("_", " ")


def _names(ids: Iterable[str]) -> str:
    return ", ".join(map(_name, ids))


def _with(word: str, said: object) -> str:
    """The word and what follows it; nothing where nothing does."""
    return f"{word} {said}" if said not in (None, "", ()) else ""


def _listed(word: str, ids: Iterable[str]) -> str:
    return _with(word, _names(ids))


def _way(squares: Iterable[str]) -> str:
    return " - ".join(squares)


def _count(count: int | None, what: str) -> str:
    return _words(count, _plural(what) if (count or 0) > 1 else _name(what))


def _plural(what: str) -> str:
    return "workers" if what == "worker" else _name(what)


def _item(item: od.Item) -> str:
    return item.what if item.what[-1:].isdigit() else _count(item.count, item.what)


def _items(items: Iterable[od.Item]) -> str:
    return ", ".join(map(_item, items))


def _book(book: str) -> str:
    return _with("book", book)


# -- moving, carrying and working ---


def _move(order: od.Move) -> str:
    who = _count(order.count, order.kind) if order.kind else _names(order.units)
    who = f"all {_plural(order.kind)}" if order.kind and order.every else who
    way = " ".join(f"- {square}" for square in order.way)
    hold = "hold" if order.hold else None
    cargo, escort = _with("with", _items(order.cargo)), _listed("escort", order.escort)
    return _words(who, order.start, way, cargo, hold, order.ending, escort, _with("home", order.home))


def _develop(order: od.Develop) -> str:
    return _words("develop", order.mark, order.at, _with("at", order.grade), _with("with", order.ship))


def _make(order: od.Make) -> str:
    return _words(
        "make",
        order.count,
        _name(order.item),
        f"at {order.at}",
        _listed("from", order.inputs),
        _with("in", order.factory),
        _book(order.book),
    )


def _build(order: od.Build) -> str:
    helpers = (
        None if order.cmx is None else f"{order.cmx} cmx",
        None if order.workers is None else _count(order.workers, "worker"),
        order.ship,
    )
    return _words(
        "build",
        _name(order.item),
        "at" if len(order.squares) == 1 else None,
        _way(order.squares),
        _with("facing", order.facing),
        _with("with", ", ".join(filter(None, helpers))),
        _book(order.book),
    )


def _destroy(order: od.Destroy) -> str:
    at = "at" if len(order.squares) == 1 else None
    return _words("destroy", _name(order.what), at, _way(order.squares), _with("facing", order.facing))


def _arm(order: od.Arm) -> str:
    aboard, at = _with("aboard", order.aboard), _with("at", order.at)
    return _words("arm", order.count, _name(order.kind), at, aboard, _listed("from", order.units))


# -- fighting ---


def _battle(order: od.Battle) -> str:
    """A single attack needs no head."""
    said = [_assault(attack) for attack in order.attacks]
    return said[0] if len(said) == 1 else "\n  ".join(["battle", *said])


def _assault(attack: od.Assault) -> str:
    match attack:
        case od.Attack():
            return _words(
                "attack",
                "all" if attack.every else None,
                _aimed(attack.targets, attack.at),
                _listed("with", attack.units),
                _listed("support", attack.support),
                _listed("lose", attack.lose),
                "advance" if attack.advance else None,
            )
        case od.Bomb():
            return _words(
                f"bomb {_name(attack.target)} at {attack.at}",
                _listed("with", attack.units),
                _listed("escort", attack.escort),
                _with("via", " + ".join(attack.via)),
                _with("home", attack.home),
            )
        case od.Strike():
            return _words(attack.verb, _name(attack.target), _with("at", attack.at), _listed("with", attack.units))


def _aimed(targets: tuple[str, ...], at: str) -> str:
    return _words(_names(targets), _with("at", at)) if targets else at


def _overrun(order: od.Overrun) -> str:
    aimed = _aimed(order.targets, order.at)
    return _words("overrun", aimed, _listed("with", order.units), _listed("support", order.support))


# -- people and others ---


def _part(part: od.Part) -> str:
    return _words(_count(part.count, part.what), part.at)


def _standing(order: od.Standing) -> str:
    what, units, at = order.what, _names(order.units), _with("at", order.at)
    match what:
        case "retreat":
            return _words(what, units or _words("all", at), f"to {order.to}")
        case "scramble":
            return _words(what, order.at or "all", order.says)
        case "protect":
            return _words(what, units or order.at, f"of {order.to}", _with("until", order.until))
        case "fire" | "ackack":
            return _words(what, order.says, at)
        case "accept":
            return _words(what, order.to or order.says)
        case _:
            return _words(what, order.at, units, order.says)


def _there(verb: str, order: Any) -> str:
    """What is done there to so many of something."""
    return _words(verb, _item(order.item), _with("at", order.at))


def _thing(verb: str, order: Any) -> str:
    return _words(verb, _name(order.what), _with("at", order.at))


def _of(carrier: str, what: str) -> str:
    """What is aboard it, or on its tow; nothing named: all of it."""
    return f"{carrier}: {what}" if what else carrier


_WRITERS: Mapping[type, Callable[[Any], str]] = {
    od.Capital: lambda o: f"capital {' else '.join(o.squares)}",
    od.Picks: lambda o: f"picks {_names(o.items)}",
    od.Move: _move,
    od.Posture: lambda o: _words(_names(o.units), o.posture, _with("at", o.at)),
    od.Load: lambda o: f"{_words('load', o.carrier, _with('from', o.source))}: {_items(o.items)}",
    od.Unload: lambda o: _of(_words("unload", o.carrier, _with("at", o.at)), _items(o.items)),
    od.Tow: lambda o: _of(f"tow {o.carrier}", _names(o.units)),
    od.Release: lambda o: _of(f"release {o.carrier}", _names(o.units)) if o.carrier else f"release {_names(o.units)}",
    od.Pipe: lambda o: f"pipe {o.count} oil {_way(o.way)}",
    od.Develop: _develop,
    od.Farm: lambda o: f"farm {', '.join(o.squares)}",
    od.Stop: lambda o: _words("stop", _name(o.what), o.of and _name(o.of), o.at),
    od.Make: _make,
    od.Consume: lambda o: _there("consume", o),
    od.Build: _build,
    od.Lay: lambda o: f"lay {_name(o.item)} {_way(o.squares)}",
    od.Colony: lambda o: f"colony {o.at}",
    od.Install: lambda o: _thing("install", o),
    od.Deinstall: lambda o: _thing("deinstall", o),
    od.Man: lambda o: f"man {_name(o.what)} {o.at}",
    od.Repair: lambda o: _words(_thing("repair", o), _with("-", o.to)),
    od.Scrap: lambda o: _thing("scrap", o),
    od.Destroy: _destroy,
    od.Burn: lambda o: _there("burn", o),
    od.Dump: lambda o: _there("dump", o),
    od.Births: lambda o: f"births {o.at} {'on' if o.on else 'off'}",
    od.Arm: _arm,
    od.Disarm: lambda o: f"disarm {_names(o.units)}",
    od.Overrun: _overrun,
    od.Battle: _battle,
    od.Patrol: lambda o: f"patrol {o.at} with {_names(o.units)}",
    od.Raid: lambda o: _words("raid", o.target, f"with {o.unit}", _with("take", _items(o.take))),
    od.Shoot: lambda o: f"shoot {o.target} with {o.unit}",
    od.Kill: lambda o: _words("kill", o.count, f"workers at {o.at} with {o.unit}"),
    od.Capture: lambda o: _words(_there("capture", o), _listed("with", o.units)),
    od.Seize: lambda o: _words("seize", _name(o.target), o.at, f"with {o.by}"),
    od.Take: lambda o: f"take {_items(o.items)} at {o.at} with {o.by}",
    od.Scuttle: lambda o: f"scuttle {o.unit}",
    od.Crash: lambda o: f"crash {o.unit}",
    od.Die: lambda o: _there("die", o),
    od.Attitude: lambda o: _words("friendly" if o.friendly else "hostile", o.player, _with("at", ", ".join(o.squares))),
    od.Transfer: lambda o: f"transfer {o.unit} to {o.to}",
    od.Give: lambda o: _words("give", _item(o.item), _with("at", o.at), f"to {o.to}"),
    od.Accept: lambda o: f"accept {o.offer}",
    od.Reject: lambda o: f"reject {o.offer}",
    od.Aid: lambda o: f"aid {o.to} {o.amount}",
    od.Found: lambda o: _words("found", o.name, f"at {o.at}", _with("with", ", ".join(map(_part, o.parts)))),
    od.Governor: lambda o: f"governor at {o.at}",
    od.Ambassador: lambda o: f"ambassador at {o.at}",
    od.Listing: lambda o: f"order {', '.join(o.countries)}",
    od.Undo: lambda _: "undo",
    od.Rollout: lambda _: "rollout",
    od.Ruling: lambda o: f"ruling {o.choice}",
    od.Standing: _standing,
    od.StandingNone: lambda o: _words("none", o.what),
}
