"""What the land is: chains of mountains, lakes, and patches of desert, forest and swamp."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.empire.geography.generating.drawing import Draws
from pbem.games.empire.geography.generating.sheet import Sheet
from pbem.games.empire.geography.grid import neighbours

SHARES = {"^": 4, "=": 6, "m": 8, "d": 8, "f": 15, "s": 4, "p": 10}  # in hundredths of the land; the rest is open
SIZES = {"=": (1, 7), "m": (3, 12), "d": (3, 12), "f": (3, 12), "s": (1, 4), "p": (1, 6)}
LIKES = {"m": "^", "s": "=", "p": "f", "f": "m"}  # what a patch lies beside, more often than not
CHAIN = 3, 6  # squares of a chain of full mountains
TRIES = 60  # for a patch
OASIS = 6  # squares of a desert that has one


def lay_terrain(draws: Draws, sheet: Sheet) -> None:
    size = len(sheet.land)
    ends = _chains(draws, sheet, _share(size, "^"))
    for sign in SIZES:
        _patches(draws, sheet, sign, _share(size, sign))
    for desert in sheet.patches(name for name, sign in sheet.signs.items() if sign == "d"):
        if len(desert) >= OASIS:
            sheet.signs[draws.one("oasis", desert)] = "a"
    for end, heading in ends:
        _wall(draws, sheet, end, heading)


def _share(size: int, sign: str) -> int:
    return (size * SHARES[sign] + 50) // 100


def _chains(draws: Draws, sheet: Sheet, count: int) -> list[tuple[str, int]]:
    """Ridges that bend a little; where each ends, and which way it goes there."""
    ends: list[tuple[str, int]] = []
    inland = [name for name in sheet.land if not sheet.is_coast(name)]
    for _ in range(TRIES):
        if count < 2 or not inland:
            break
        length = min(count, draws.between("chains", *CHAIN))
        chain, heading = _chain(draws, sheet, draws.one("chains", inland), length)
        if len(chain) < min(3, length):
            continue
        for name in chain:
            sheet.signs[name] = "^"
        count -= len(chain)
        ends.append((chain[-1], heading))
    return ends


def _chain(draws: Draws, sheet: Sheet, first: str, length: int) -> tuple[list[str], int]:
    def is_free(name: str) -> bool:
        if sheet.signs.get(name) != "o" or sheet.is_coast(name):
            return False
        return not sheet.touches(name, lambda each: sheet.signs[each] == "^")

    heading = draws.pick("chains", 6)
    chain = [first] if is_free(first) else []
    while chain and len(chain) < length:
        turns = draws.shuffled("chains", (0, 1, -1))
        ahead = [((heading + turn) % 6, neighbours(chain[-1])[(heading + turn) % 6]) for turn in turns]
        free = [(way, name) for way, name in ahead if is_free(name)]
        if not free:
            break
        heading, name = free[0]
        chain.append(name)
    return chain, heading


def _wall(draws: Draws, sheet: Sheet, end: str, heading: int) -> None:
    """The ridge goes on between two squares before its end."""
    turn = draws.one("chains", (1, -1))
    pair = [neighbours(end)[way % 6] for way in (heading, heading + turn)]
    if all(sheet.signs.get(name, ".") not in (".", "^", "=") for name in pair):
        sheet.walls.append((pair[0], pair[1]))


def _patches(draws: Draws, sheet: Sheet, sign: str, count: int) -> None:
    (least, most), land = SIZES[sign], sheet.land  # which stays the same
    for _ in range(TRIES + count):
        if count < least:
            return
        size = min(count, draws.between(f"patches {sign}", least, most))
        if 0 < count - size < least:
            size = count if count <= most else size - least
        patch = _patch(draws, sheet, land, sign, max(size, least))
        if len(patch) >= least:
            count -= len(patch)
            for name in patch:
                sheet.signs[name] = sign


def _patch(draws: Draws, sheet: Sheet, land: Sequence[str], sign: str, size: int) -> list[str]:
    """Squares that hang together and touch none of their kind; none where there was no room."""
    step = f"patches {sign}"
    is_free = _free(sheet, land, sign)
    free = [name for name in land if is_free(name)]
    beside = sheet.around(LIKES.get(sign, ""), land)
    liked = [name for name in free if name in beside]
    seeds = liked if liked and draws.pick(step, 3) else free
    if not seeds:
        return []
    patch = [draws.one(step, seeds)]
    while len(patch) < size:
        ahead = [each for name in patch for each in sheet.beside[name] if each not in patch and is_free(each)]
        if not ahead:
            break
        patch.append(draws.one(step, ahead))
    return patch


def _free(sheet: Sheet, land: Sequence[str], sign: str) -> Callable[[str], bool]:
    """As the signs are now."""
    alike, signs = sheet.around(sign, land), sheet.signs

    def is_free(name: str) -> bool:
        return signs[name] == "o" and name not in alike and not (sign == "=" and sheet.is_coast(name))

    return is_free
