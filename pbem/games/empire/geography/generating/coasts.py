"""Continents and islands: grown from middles with arms, never joined."""

from __future__ import annotations

from itertools import combinations
from math import isqrt

from pbem.games.empire.geography.generating.drawing import Again, Draws
from pbem.games.empire.geography.generating.sheet import Sheet
from pbem.games.empire.geography.grid import distance

STARTS = 3  # that a continent has room for
SETS = 30  # of middles: the one that lies widest apart is taken
WIDE = 30  # columns or rows of a sheet on which land keeps farther from the edge
POCKET = 20  # squares: smaller seas within a continent become land


def lay_land(draws: Draws, sheet: Sheet, starts: int) -> list[int]:
    """Continents and islands; how many starts each continent is for."""
    area = sheet.width * sheet.height * draws.between("land", 49, 54) // 100
    count = draws.between("continents", max(2, -(-starts // STARTS)), max(2, min(4, -(-starts // 2))))
    shares = _shares(draws, starts, count)
    isles = [draws.between("islands", 3, 3 + area // 50) for _ in range(draws.between("islands", 2, _most(area)))]
    main = area - sum(isles)
    targets = [main * share // starts for share in shares]
    growth = _Growth(draws, sheet)
    for middle, target in zip(_middles(draws, sheet, count), targets, strict=True):
        growth.plant(middle, target)
    growth.grow(targets)
    sheet.continents = count
    for size in isles:
        growth.add_island(size)
    _fill_pockets(sheet)
    return shares


def _most(area: int) -> int:
    """Islands for so much land."""
    return min(6, 3 + area // 300)


def _shares(draws: Draws, starts: int, count: int) -> list[int]:
    """One to three starts for each."""
    shares = [1] * count
    while sum(shares) < starts:
        low = [place for place, share in enumerate(shares) if share == min(shares)]
        shares[draws.one("continents", low)] += 1
    return shares


def _middles(draws: Draws, sheet: Sheet, count: int) -> list[str]:
    margin = max(2, min(sheet.width, sheet.height) // 5)
    near = _from_edge(sheet, margin) or sheet.inner
    sets = [[draws.one("middles", near) for _ in range(count)] for _ in range(SETS)]
    return max(sets, key=lambda each: min(distance(*pair) for pair in combinations(each, 2)))


def _from_edge(sheet: Sheet, margin: int) -> list[str]:
    found = set(sheet.edge)
    for _ in range(margin - 1):
        found |= {each for name in found for each in sheet.beside[name]}
    return [name for name in sheet.signs if name not in found]


def _rims(sheet: Sheet) -> dict[str, int]:
    """Near the edge land grows seldom, so that coasts do not run along it: one time in so many."""
    found = dict.fromkeys(sheet.edge, 9)
    for odds in (4, 2) if min(sheet.width, sheet.height) >= WIDE else (2,):
        ring = [each for name in found for each in sheet.beside[name] if each not in found]
        found |= dict.fromkeys(ring, odds)
    return found


class _Growth:
    def __init__(self, draws: Draws, sheet: Sheet) -> None:
        self.draws, self.sheet = draws, sheet
        self.owner: dict[str, int] = {}
        self.ahead: list[list[str]] = []  # by body: squares that it may take next
        self.at_edge = 0
        self.rims = _rims(sheet)

    def plant(self, middle: str, target: int) -> None:
        """A middle, and arms from it."""
        body = len(self.sheet.bodies)
        self.sheet.bodies.append({})
        self.ahead.append([])
        if not self.take(middle, body):
            raise Again("no room for a continent")
        reach = max(2, isqrt(target) * 3 // 5)
        for _ in range(self.draws.between("arms", 2, 4)):
            tip = self.draws.one("arms", self.sheet.inner)
            here = middle
            for _ in range(min(reach, distance(middle, tip))):
                here = min(self.sheet.beside[here], key=lambda each: distance(each, tip))
                if here not in self.sheet.bodies[body] and not self.take(here, body):
                    break

    def may_take(self, name: str, body: int) -> bool:
        """Free, and with sea towards all others."""
        if name in self.owner:
            return False
        if not all(self.owner.get(each, body) == body for each in self.sheet.beside[name]):
            return False
        if name in self.sheet.edge and self.at_edge * 8 >= len(self.sheet.edge):
            return False
        return name not in self.rims or not self.draws.pick("edge", self.rims[name])

    def take(self, name: str, body: int) -> bool:
        if not self.may_take(name, body):
            return False
        self.owner[name] = body
        self.at_edge += name in self.sheet.edge
        self.sheet.bodies[body][name] = None
        self.sheet.signs[name] = "o"
        self.ahead[body] += [each for each in self.sheet.beside[name] if each not in self.owner]
        return True

    def step(self, body: int) -> bool:
        """Take one square more; of two drawn the one that lies deeper in the body, mostly."""
        ahead = self.ahead[body]
        while ahead:
            places = sorted(
                {self.draws.pick("coast", len(ahead)) for _ in range(2 if self.draws.pick("coast", 3) else 1)}
            )
            place = max(places, key=lambda each: self.hold(ahead[each], body))
            name = ahead[place]
            ahead[place] = ahead[-1]
            ahead.pop()
            if self.take(name, body):
                return True
        return False

    def hold(self, name: str, body: int) -> int:
        return sum(self.owner.get(each) == body for each in self.sheet.beside[name])

    def grow(self, targets: list[int]) -> None:
        """All at once, so that none shuts in another; what one can't take, the others do."""
        left = sum(targets) - len(self.owner)
        live = [*range(len(targets))]
        while left > 0 and live:
            body = min(live, key=lambda each: len(self.sheet.bodies[each]) * 1000 // targets[each])
            if self.step(body):
                left -= 1
            else:
                live.remove(body)

    def add_island(self, size: int) -> None:
        free = [name for name in self.sheet.inner if self.is_open_sea(name)]
        if not free:
            raise Again("no room for an island")
        body = len(self.sheet.bodies)
        self.sheet.bodies.append({})
        self.ahead.append([])
        self.take(self.draws.one("islands", free), body)
        while len(self.sheet.bodies[body]) < size and self.step(body):
            pass

    def is_open_sea(self, name: str) -> bool:
        return name not in self.owner and not any(each in self.owner for each in self.sheet.beside[name])


def _fill_pockets(sheet: Sheet) -> None:
    """Small seas that one body shuts in."""
    for pocket in sheet.patches(sheet.sea):
        around = {
            place
            for name in pocket
            for place, body in enumerate(sheet.bodies)
            if sheet.touches(name, body.__contains__)
        }
        if len(pocket) < POCKET and len(around) == 1:
            for name in pocket:
                sheet.signs[name] = "o"
                sheet.bodies[min(around)][name] = None
