"""What the archive shows of Empire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.chance import Draw
from pbem.core.presenter import Chart, Event, Facts, PagePresenter, Series, Tables, Throw, View
from pbem.games.empire.data.editions import map_of
from pbem.games.empire.presentation import dice, tables, tallies
from pbem.games.empire.presentation.pictures import hex_board
from pbem.games.empire.presentation.pictures.charts import KINDS, chart


class EmpirePages(PagePresenter):
    """Empire in the archive."""

    tally_page = "countries"
    charts = KINDS

    @property
    def editions(self) -> Sequence[str]:
        return ("third_1976",)

    @property
    def untallied(self) -> Facts:
        return {"games": 0, "capitals": {}}

    def tallied(self, before: Facts, edition: str, card: Facts, winners: Sequence[str]) -> Facts:
        return tallies.tallied(before, card, winners)

    def tally_rows(self, counted: Facts) -> Sequence[object]:
        return tallies.lines(counted)

    def turn(self, events: Sequence[Event]) -> Facts:
        told = tables.headline(events) or {}
        did = {"did": tables.deeds(events)} if told.get("slot") else {}
        return {**told, **did, "dice": sum(event["type"] == "Rolled" for event in events)}

    def card(self, view: View) -> Facts:
        facts = {"slot": view["slot"], "active": view["active"], "board": view["board"]}
        return {**facts, "countries": [*tallies.begun(view)]}

    def columns(self, view: View) -> Sequence[str]:
        return [*view["order"]]

    def column(self, turn: Facts) -> str | None:
        player: str | None = turn.get("player")
        return player

    def control(self, turns: Sequence[Facts], view: View) -> Sequence[tables.EconomicRecord]:
        """The economic record of each country (E6.3)."""
        return tables.economic_records(view)

    def position(self, view: View, shown: Tables) -> Tables:
        """The squares of all countries: a letter tells those of whose slot it is."""
        return {**shown, "places": tables.place_rows(view, [*view["countries"]])}

    def amounts(self, view: View) -> Mapping[str, Mapping[str, int | None]]:
        """As they were entered last (E6.3): what is booked in a slot under way tells nothing yet."""
        last = {id_: rows[-1:] for id_, rows in view["records"].items()}
        entered = {kind: {id_: rows[0][kind] if rows else 0 for id_, rows in last.items()} for kind in KINDS[1:]}
        return {"confidence": {id_: view["countries"][id_]["confidence"] for id_ in last}, **entered}

    def throws(self, draws: Sequence[Draw], events: Sequence[Event]) -> Sequence[Throw]:
        return dice.throws(draws, events)

    def chart(self, kind: str, over: Series, language: str, view: View) -> Chart | None:
        return chart(kind, over, language, view)

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
