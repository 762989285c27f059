"""The state document (docs/reference/state-document.md): the position as the world outside reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.core.decision import Decision
from pbem.core.seat import Seat
from pbem.games.imperial.rules.board import Board
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.places import Nation, Region
from pbem.games.imperial.rules.state import State

LEFT_OUT: Mapping[str, object] = {
    "nations.*.armies.*": 0,
    "nations.*.friendly_armies.*": 0,
    "nations.*.fleets.*": 0,
    "players.*.bonds.*": [],
}


def document(board: Board, edition: Edition, state: State, pending: Iterable[Decision]) -> dict[str, object]:
    """All of it. Keys and types are a public contract."""
    return {
        "game": "imperial",
        "edition": edition.id,
        "board": board.id,
        "round": state.round,
        "nation": state.nation,
        "awaiting": [_awaited(decision) for decision in pending],
        "investor": state.investor,
        "finished": state.finished,
        "scores": None if state.scores is None else dict(sorted(state.scores.items())),
        "winners": None if state.winners is None else sorted(state.winners),
        "nations": _nations(board, state),
        "players": _players(board, state),
    }


def without_cash(told: Mapping[str, Any], sees: Seat | None) -> dict[str, object]:
    """The same for somebody who knows nobody's cash but their own."""
    players = told["players"].items()
    return {**told, "players": {seat: own if seat == sees else {**own, "cash": None} for seat, own in players}}


def _awaited(decision: Decision) -> dict[str, object]:
    return {"seat": decision.seat, "kind": decision.kind, "nation": decision.about}


def _nations(board: Board, state: State) -> dict[Nation, dict[str, object]]:
    armies, friendly, fleets = ({nation: Counter[Region]() for nation in board.nations} for _ in range(3))
    for stacks, counts in ((state.armies, (armies,)), (state.friendly, (armies, friendly)), (state.fleets, (fleets,))):
        for region, stack in stacks.items():
            for nation, units in stack.items():
                for count in counts:
                    count[nation][region] += units
    flags: dict[Nation, list[Region]] = {nation: [] for nation in board.nations}
    for region, owner in state.flags.items():
        flags[owner].append(region)
    return {
        nation: {
            "government": state.government[nation],
            "treasury": state.treasury[nation],
            "power": state.power[nation],
            "tax": state.tax[nation],
            "rondel": state.rondel[nation],
            "factories": sorted(state.factories.intersection(board.homes[nation])),
            "flags": sorted(flags[nation]),
            "armies": dict(sorted(armies[nation].items())),
            "friendly_armies": dict(sorted(friendly[nation].items())),
            "fleets": dict(sorted(fleets[nation].items())),
        }
        for nation in board.nations
    }


def _players(board: Board, state: State) -> dict[Seat, dict[str, object]]:
    bonds: dict[Seat, dict[Nation, list[int]]] = {seat: {} for seat in sorted(state.seats)}
    for nation in sorted(board.nations):
        for price, holder in sorted(state.bonds[nation].items()):
            bonds[holder].setdefault(nation, []).append(price)
    return {
        seat: {
            "cash": state.cash[seat],
            "bonds": held,
            "swiss_bank": seat in state.swiss,
        }
        for seat, held in bonds.items()
    }
