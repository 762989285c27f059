"""Lines that a reader could send back, made for their own question: every one of them would be accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import convert
from msgspec.structs import replace

from pbem.core.presenter import Facts, Speaker
from pbem.games.imperial.notation.write import write, write_line
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.choices import bond_key
from pbem.games.imperial.rules.places import Nation


def examples(facts: Facts, *, alone: bool = True) -> list[str]:
    """A few answers in the order language; `alone` when the reader is asked nothing else."""
    orders = [*_ORDERS[facts["kind"]](facts)]
    if not alone:
        orders = [_named(order, facts) for order in orders]
    return [_written(order, facts) for order in orders]


def _named(order: od.Order, facts: Facts) -> od.Order:
    """A fight says for which of the reader's nations it is."""
    return replace(order, nation=Nation(facts["nation"])) if isinstance(order, od.Fight) else order


def _written(order: od.Order, facts: Facts) -> str:
    """A maneuver is a form to fill in: behind its first line those of all other units wait as comments."""
    text = write(order)
    if not (isinstance(order, od.Turn) and isinstance(order.work, od.Move) and order.work.lines):
        return text
    waiting = [line for line in _lines(facts) if line not in order.work.lines]
    return "\n  # ".join([text, *map(write_line, waiting)])


def _turn(facts: Facts) -> Iterator[od.Order]:
    """Each space with something that can be done there."""
    turn = od.Turn(nation=Nation(facts["nation"]), space="maneuver")
    if facts["unfinished"]:
        yield replace(turn, work=od.Move(lines=()))
        yield from _maneuver(turn, facts)
    for space in facts["spaces"]:
        yield from _on_space(replace(turn, space=space["word"]), facts, space["brings"])


def _on_space(turn: od.Turn, facts: Facts, brings: Facts) -> Iterator[od.Order]:
    """An order for that space, if there is anything to do on it."""
    match turn.space.rstrip("_12"):
        case "factory":
            sites = brings["regions"] if brings["affordable"] else ()
            yield from (replace(turn, work=od.Build(region=region)) for region in sites[:1])
        case "import":
            if units := _imported(brings):
                yield replace(turn, work=od.Buy(units=units))
        case "maneuver":
            yield from _maneuver(turn, facts)
        case _:
            yield turn


def _imported(brings: Facts) -> tuple[od.Units, ...]:
    """A fleet and an army, as far as the money and the pieces last."""
    inland = [region for region in brings["army"] if region not in brings["fleet"]]
    fleets = [od.Units(unit="fleet", region=region) for region in brings["fleet"][-1:]]
    armies = [od.Units(unit="army", region=region) for region in inland[-1:]]
    return tuple([*fleets, *armies][: brings["units"]])


def _maneuver(turn: od.Turn, facts: Facts) -> Iterator[od.Order]:
    yield from (replace(turn, work=od.Move(lines=(line,))) for line in _lines(facts)[:1])


def _lines(facts: Facts) -> list[od.Line]:
    return [convert(line, od.Line) for line in facts["movable"]]


def _battle(facts: Facts) -> Iterator[od.Order]:
    yield od.Fight()
    if facts["armies"] and facts["fleets"]:
        yield od.Fight(unit="fleet")
    if min(facts["movers"], facts["armies"] + facts["fleets"]) > 1:
        yield od.Fight(pairs=None)
    yield od.Peace()


def _invest(facts: Facts) -> Iterator[od.Order]:
    """The dearest new bond, one given back for a higher one, and none."""
    power = {offer["nation"]: offer["power"] for offer in facts["offers"]}
    bonds = sorted(_bonds(facts), key=lambda bond: (-bond.price, -power[bond.nation]))
    new = [bond for bond in bonds if bond.back is None]
    higher = [bond for bond in bonds if bond.back is not None]
    for bond in (*new[:1], *higher[:1]):
        yield od.Invest(choices=(bond,))
    others = [b for b in new if b.nation != new[0].nation]
    if others:
        yield od.Invest(choices=(new[0], others[0]), else_none=True)
    yield od.Invest(choices=())


def _bonds(facts: Facts) -> list[od.Purchase]:
    """All that may be bought."""
    return [
        od.Purchase(nation=offer["nation"], price=bond["price"], back=bond["back"])
        for offer in facts["offers"]
        for bond in (*offer["new"], *offer["higher"])
    ]


def _bid(facts: Facts) -> Iterator[od.Order]:
    for bond in sorted(_bonds(facts), key=lambda bond: -bond.price)[:1]:
        yield od.Bid(nation=bond.nation, price=bond.price)
    yield od.Bid()


def _swiss(_: Facts) -> Iterator[od.Order]:
    yield od.Force()
    yield od.LetPass()


_ORDERS: Mapping[str, Callable[[Facts], Iterator[od.Order]]] = {
    "turn": _turn,
    "battle": _battle,
    "invest": _invest,
    "bid": _bid,
    "swiss": _swiss,
}


def brings(facts: Facts, speaker: Speaker) -> dict[str, str]:
    """What a space costs and would bring, in few words; the interest of a bond."""
    spaces = {one["space"]: _outcome(one, speaker) for one in facts.get("spaces", ())}
    bonds = {_key(offer, bond): bond for offer in facts.get("offers", ()) for bond in (*offer["new"], *offer["higher"])}
    return {**spaces, **{key: speaker.say("prospects.bond", **bond) for key, bond in bonds.items()}}


def _outcome(one: Facts, speaker: Speaker) -> str:
    what = speaker.say(f"prospects.short.{one['kind']}", **one["brings"])
    return speaker.say("prospects.brings", what=what, price=one["price"])


def _key(offer: Facts, bond: Facts) -> str:
    return bond_key(od.Purchase(nation=offer["nation"], price=bond["price"], back=bond["back"]))


def standing_example(facts: Facts) -> str | None:
    """How the same answer could be given in advance."""
    orders: Mapping[str, od.Order] = {
        "battle": od.StandingFight(nation=facts.get("mover"), region=facts.get("region")),
        "swiss": od.StandingForce(nation=facts.get("nation")),
    }
    order = orders.get(facts["kind"])
    return None if order is None else f"standing {write(order)}"
