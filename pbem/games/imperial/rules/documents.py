"""The state document (docs/reference/state-document.md): the position as the world outside reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.core.decision import Decision
from pbem.core.seat import Seat
from pbem.games.imperial.rules.board import Board, Nation, Region
from pbem.games.imperial.rules.edition import Edition
from pbem.games.imperial.rules.stacks import Stacks, at
from pbem.games.imperial.rules.state import State

LEFT_OUT: Mapping[str, object] = {
    "nations.*.armies.*": 0,
    "nations.*.friendly_armies.*": 0,
    "nations.*.fleets.*": 0,
    "players.*.bonds.*": [],
}


def document(
    board: Board, edition: Edition, state: State, pending: Iterable[Decision], *, sees: Seat | None, all_cash: bool
) -> dict[str, object]:
    """Keys and types are a public contract. Cash that `sees` may not know is null."""
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
        "nations": {nation: _nation(board, state, nation) for nation in board.nations},
        "players": {seat: _player(board, state, seat, all_cash or seat == sees) for seat in sorted(state.seats)},
    }


def _awaited(decision: Decision) -> dict[str, object]:
    return {"seat": decision.seat, "kind": decision.kind, "nation": decision.about}


def _nation(board: Board, state: State, nation: Nation) -> dict[str, object]:
    regions = sorted({*state.armies, *state.friendly, *state.fleets})
    return {
        "government": state.government[nation],
        "treasury": state.treasury[nation],
        "power": state.power[nation],
        "tax": state.tax[nation],
        "rondel": state.rondel[nation],
        "factories": sorted(state.factories & {*board.homes[nation]}),
        "flags": sorted(region for region, owner in state.flags.items() if owner == nation),
        "armies": _counts({r: state.armies_at(r, nation) for r in regions}),
        "friendly_armies": _stack(state.friendly, regions, nation),
        "fleets": _stack(state.fleets, regions, nation),
    }


def _player(board: Board, state: State, seat: Seat, cash: bool) -> dict[str, object]:
    held = {n: [p for p, holder in sorted(state.bonds[n].items()) if holder == seat] for n in sorted(board.nations)}
    return {
        "cash": state.cash[seat] if cash else None,
        "bonds": {nation: prices for nation, prices in held.items() if prices},
        "swiss_bank": seat in state.swiss,
    }


def _stack(stacks: Stacks, regions: Iterable[Region], nation: Nation) -> dict[Region, int]:
    return _counts({region: at(stacks, region, nation) for region in regions})


def _counts(counts: Mapping[Region, int]) -> dict[Region, int]:
    return {region: count for region, count in counts.items() if count}
