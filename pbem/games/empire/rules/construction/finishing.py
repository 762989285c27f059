"""What stands, goes or is whole again when a work is done."""

from __future__ import annotations

from math import floor

from msgspec.structs import replace

from pbem.games.empire.geography.grid import square_of
from pbem.games.empire.rules.state import Factory, Fort, Gun, Work
from pbem.games.empire.rules.world import World

UNFINISHED = -2  # index of what is repaired, where that is a work that was begun


def finish(w: World, country: str, part: str, work: Work) -> None:
    """It stands."""
    match work.what:
        case "install":
            w.change_part(part, guns=(*w.part(part).guns, Gun(kind=work.item)))
        case "deinstall":
            _take_down(w, country, part, work)
        case "repair":
            _mend(w, part, work)
        case "scrap":
            _scrap(w, country, part, work)
        case _:
            _stand(w, part, work)
    w.note("finished", country, what=work.what, item=work.item, at=part)


def _stand(w: World, part: str, work: Work) -> None:
    found, item = w.part(part), work.item
    if item in w.tables.factories:
        w.change_part(part, factories=(*found.factories, Factory(kind=item)))
    elif item == "city":
        w.change_part(part, city=True, site=True)
    elif item in ("fort", "pillbox"):
        w.change_part(part, forts={**found.forts, work.facing: Fort(kind=item)})
    elif work.squares:
        for one, other in zip(work.squares, work.squares[1:], strict=False):
            lines = w.border(one, other).lines
            w.change_border(one, other, [*lines, item])
    else:
        place = kept_at(w, part, item)
        w.change_part(place, items=(*w.part(place).items, item))


def kept_at(w: World, part: str, item: str) -> str:
    """What joins all parts of its square is kept with the first."""
    return w.map.squares[square_of(part)].land[0] if item in ("bridge", "mountain_road") else part


def _take_down(w: World, country: str, part: str, work: Work) -> None:
    guns = list(w.part(part).guns)
    place = next((i for i, gun in enumerate(guns) if gun.kind == work.item), None)
    if place is not None:
        del guns[place]
        w.change_part(part, guns=tuple(guns))
        w.put_goods(part, country, "aa_gun" if work.item == "AA" else "naval_gun", 1)


def _mend(w: World, part: str, work: Work) -> None:
    found = w.part(part)
    if work.ship is not None:
        if work.ship in w.units:
            w.change(work.ship, steps=0)
    elif work.squares:
        one, other = work.squares
        border = w.border(one, other)
        still_hurt = [each for each in border.hurt if each != work.item]
        w.change_border(one, other, [*border.lines, work.item], still_hurt)
    elif work.index == UNFINISHED:
        begun = next((x for x in found.works if x.what == "build" and x.item == work.item and x.damaged), None)
        whole = tuple(replace(each, damaged=False) if each is begun else each for each in found.works)
        w.change_part(part, works=whole)
    elif work.item in w.tables.factories:
        mended = list(found.factories)
        at = next((i for i, f in enumerate(mended) if f.kind == work.item and f.state == "damaged"), None)
        if at is not None:
            mended[at] = replace(mended[at], state="working")
        w.change_part(part, factories=tuple(mended))
    elif work.item in ("AA", "naval_gun"):
        guns = list(found.guns)
        at = next((i for i, g in enumerate(guns) if g.kind == work.item and (g.damaged or g.steps)), None)
        if at is not None:
            guns[at] = replace(guns[at], steps=0, damaged=False)
        w.change_part(part, guns=tuple(guns))
    elif work.item.split()[0] in ("fort", "pillbox"):
        forts = {s: replace(f, damaged=False) if i == work.index else f for i, (s, f) in enumerate(found.forts.items())}
        w.change_part(part, forts=forts)
    else:
        place = kept_at(w, part, work.item)
        hurt = list(w.part(place).hurt)
        if work.item in hurt:
            hurt.remove(work.item)
        w.change_part(place, hurt=tuple(hurt))


def _scrap(w: World, country: str, part: str, work: Work) -> None:
    """Half of the materials come back at the next slot, rounded down; Bm never, but it counts as lost first (E8.9)."""
    factories = list(w.part(part).factories)
    place = next((i for i, factory in enumerate(factories) if factory.kind == work.item), None)
    if place is None:
        return
    del factories[place]
    table = w.tables.construction[f"factory_tier_{w.tables.factories[work.item].tier}"]
    left = floor(sum(table.inputs.values()) / 2)
    never = w.tables.economy["scrap"]["never"]
    back: dict[str, int] = {}
    for good, much in table.inputs.items():
        if good not in never:
            back[good] = min(much, left)
            left -= back[good]
    returns = dict(w.part(part).returns)
    mine = dict(returns.get(country, {}))
    for good, much in back.items():
        mine[good] = mine.get(good, 0) + much
    w.change_part(part, factories=tuple(factories), returns={**returns, country: mine})
