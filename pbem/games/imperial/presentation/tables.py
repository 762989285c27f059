"""A position of Imperial as the letters print it: rows for nations and players, made of the view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from pbem.core.presenter import Event, Facts, Standing, View
from pbem.core.seat import Setup
from pbem.games.imperial.data.editions import board, imperial, printed
from pbem.games.imperial.rules.board import Board
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.places import SPACES


class Stack(Struct, frozen=True, kw_only=True):
    """Units of one kind in one place."""

    region: str
    count: int
    note: str = ""  # hostile friendly harbour


class NationRow(Struct, frozen=True, kw_only=True):
    id: str
    government: str | None
    treasury: int
    earned: int  # since the position before
    power: int
    gained: int
    factor: int
    tax: int
    rondel: str | None
    factories: Sequence[str]
    armies: tuple[Stack, ...]
    fleets: tuple[Stack, ...]
    flags: Sequence[str]
    was_on: str | None  # the space of the rondel before
    taxing: Mapping[str, int] | None  # what taxation would bring now, money and power
    changed: bool  # since the position before, if there is one


class PlayerRow(Struct, frozen=True, kw_only=True):
    seat: str
    cash: int | None  # None: secret
    earned: int
    score: int | None
    bonds: Mapping[str, Sequence[int]]
    governs: tuple[str, ...]
    swiss_bank: bool
    investor: bool


class BondRow(Struct, frozen=True, kw_only=True):
    """A row of the bond matrix: who holds which bonds, by nation in turn order; those of nobody are free."""

    seat: str | None
    held: Mapping[str, Sequence[int]]  # prices; of every nation, if only none
    governs: tuple[str, ...] = ()


class SpaceRow(Struct, frozen=True, kw_only=True):
    """A space of the rondel and the nations on it; before their first turn they are on none."""

    space: str | None
    nations: tuple[str, ...]
    came: Mapping[str, str | None]  # those of them that were elsewhere in the position before, and where


class Share(Struct, frozen=True, kw_only=True):
    """What the bonds of one nation are worth to a player at the end."""

    nation: str
    interest: int
    factor: int

    @property
    def worth(self) -> int:
        return self.interest * self.factor


class ImperialStanding(Standing, frozen=True, kw_only=True):
    cash: int
    shares: tuple[Share, ...]


def board_of(view: View) -> Board:
    return board(view["board"])


def edition_of(view: View) -> Edition:
    """The numbers that belong to a view."""
    return printed(view["edition"])


def nation_rows(view: View, before: View | None) -> list[NationRow]:
    """All nations in turn order, with what has changed since the position before."""
    return [_nation_row(nation, view, before or view) for nation in board_of(view).nations]


def _nation_row(nation: Any, view: View, before: View) -> NationRow:
    now, was = view["nations"][nation], before["nations"][nation]
    return NationRow(
        id=nation,
        government=now["government"],
        treasury=now["treasury"],
        earned=now["treasury"] - was["treasury"],
        power=now["power"],
        gained=now["power"] - was["power"],
        factor=edition_of(view).factor(now["power"]),
        tax=now["tax"],
        rondel=now["rondel"],
        factories=now["factories"],
        armies=tuple(_armies(board_of(view), nation, now)),
        fleets=tuple(_fleets(board_of(view), now)),
        flags=now["flags"],
        was_on=was["rondel"],
        taxing=view.get("taxing", {}).get(nation),
        changed=now != was,
    )


def _armies(board: Board, nation: Any, now: Mapping[str, Any]) -> Iterator[Stack]:
    """Hostile and friendly armies of one province are two stacks."""
    for region, count in now["armies"].items():
        if not board.is_foreign(region, nation):
            yield Stack(region=region, count=count)
            continue
        friendly = now["friendly_armies"].get(region, 0)
        if count > friendly:
            yield Stack(region=region, count=count - friendly, note="hostile")
        if friendly:
            yield Stack(region=region, count=friendly, note="friendly")


def _fleets(board: Board, now: Mapping[str, Any]) -> Iterator[Stack]:
    for region, count in now["fleets"].items():
        yield Stack(region=region, count=count, note="" if board.is_sea(region) else "harbour")


def player_rows(view: View, before: View | None) -> list[PlayerRow]:
    return [_player_row(seat, view, before or view) for seat in view["players"]]


def _player_row(seat: str, view: View, before: View) -> PlayerRow:
    now, was = view["players"][seat], before["players"].get(seat, view["players"][seat])
    open_ = now["cash"] is not None and was["cash"] is not None
    running = view.get("running") or {}
    return PlayerRow(
        seat=seat,
        cash=now["cash"],
        earned=now["cash"] - was["cash"] if open_ else 0,
        score=running.get(seat),
        bonds=now["bonds"],
        governs=tuple(n for n, row in view["nations"].items() if row["government"] == seat),
        swiss_bank=now["swiss_bank"],
        investor=view["investor"] == seat,
    )


def bond_rows(view: View) -> list[BondRow]:
    """A row for each player, and the free bonds last."""
    held = [
        BondRow(seat=row.seat, held={n: row.bonds.get(n, ()) for n in view["nations"]}, governs=row.governs)
        for row in player_rows(view, None)
    ]
    taken = {nation: {price for row in held for price in row.held[nation]} for nation in view["nations"]}
    free = {nation: [p for p in edition_of(view).bonds if p not in taken[nation]] for nation in view["nations"]}
    return [*held, BondRow(seat=None, held=free)]


def space_rows(view: View, before: View | None) -> list[SpaceRow]:
    """The spaces of the rondel in its order; first those who are on none, if there are any."""
    now, was = ({n: row["rondel"] for n, row in each["nations"].items()} for each in (view, before or view))
    on = {space: tuple(nation for nation, at in now.items() if at == space) for space in (None, *SPACES)}
    return [
        SpaceRow(space=space, nations=nations, came={nation: was[nation] for nation in nations if was[nation] != space})
        for space, nations in on.items()
        if space or nations
    ]


def standings(view: View) -> list[ImperialStanding]:
    """The final ranking; of equals the winners first."""
    points = view["scores"]
    ranked = sorted(points, key=lambda seat: (-points[seat], seat not in view["winners"], seat))
    return [_standing(view, seat) for seat in ranked]


def _standing(view: View, seat: str) -> ImperialStanding:
    cash, points = view["players"][seat]["cash"], view["scores"][seat]
    return ImperialStanding(seat=seat, points=points, cash=cash, shares=tuple(_shares(view, seat)))


def _shares(view: View, seat: str) -> Iterator[Share]:
    edition = edition_of(view)
    for nation, row in view["nations"].items():
        prices = view["players"][seat]["bonds"].get(nation, ())
        if prices:
            interest = sum(edition.bonds[price] for price in prices)
            yield Share(nation=nation, interest=interest, factor=edition.factor(row["power"]))


def headline(events: Sequence[Event]) -> Facts | None:
    """Whose turn these events tell, and the space it took or how it passed."""
    for event in events:
        if event["type"] == "MarkerMoved":
            return {"nation": event["nation"], "action": event["space"]}
        if event["type"] == "NationSkipped" and event["why"] == "lapse":
            return {"nation": event["nation"], "action": "skipped"}
    return None


def options(setup: Setup) -> list[tuple[str, str, bool]]:
    """Every option in force as an `option` line has it, and whether it was chosen for this game.

    The money at the start is told only where it was chosen: the rule books have a table for it.
    """
    in_force = {key: _value(value) for key, value in asdict(imperial(setup).edition.options).items()}
    return [(key, value, key in setup.options) for key, value in {**in_force, **setup.options}.items()]


def _value(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
