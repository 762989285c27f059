"""What the archive shows of Empire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.presenter import Event, Facts, PagePresenter, View
from pbem.games.empire.data.editions import map_of
from pbem.games.empire.presentation.pictures import hex_board
from pbem.games.empire.presentation.tables import headline

KINDS = ("confidence", "investment", "fund")


class EmpirePages(PagePresenter):
    """Empire in the archive."""

    tally_page = "countries"

    @property
    def editions(self) -> Sequence[str]:
        return ("third_1976",)

    @property
    def untallied(self) -> Facts:
        return {"games": 0, "winners": 0}

    def tallied(self, before: Facts, edition: str, card: Facts, winners: Sequence[str]) -> Facts:
        return {"games": before.get("games", 0) + 1, "winners": before.get("winners", 0) + len(winners)}

    def tally_rows(self, tallies: Facts) -> Sequence[object]:
        return [tallies] if tallies.get("games") else []

    def turn(self, events: Sequence[Event]) -> Facts:
        return {**(headline(events) or {}), "dice": sum(event["type"] == "Rolled" for event in events)}

    def card(self, view: View) -> Facts:
        return {"slot": view["slot"], "active": view["active"]}

    def columns(self, view: View) -> Sequence[str]:
        return [*view["order"]]

    def column(self, turn: Facts) -> str | None:
        player: str | None = turn.get("player")
        return player

    def amounts(self, view: View) -> Mapping[str, Mapping[str, int | None]]:
        return {kind: {id_: row[kind] for id_, row in view["countries"].items()} for kind in KINDS}

    def layers(self, view: View, language: str) -> Mapping[str, str]:
        """The bare map: what stands on it is drawn whole for each position, since control and works lie below names."""
        return {f"{view['board']}-ground": hex_board(map_of(view["board"]), {})}

    def board(
        self,
        view: View,
        before: View | None,
        events: Sequence[Event],
        *,
        language: str,
        alt: str,
        layers: Sequence[str],
    ) -> str:
        return hex_board(map_of(view["board"]), view, before=before, alt=alt)
