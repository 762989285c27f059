"""What the archive shows of Imperial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, convert, to_builtins

from pbem.core.presenter import Chart, Event, Facts, PagePresenter, Pointing, Series, View
from pbem.games.imperial.data.editions import USUAL, printed
from pbem.games.imperial.presentation.illustrations import FEWEST, KINDS
from pbem.games.imperial.presentation.pictures import board_on_page, chart_alt, chart_svg, ground_svg, names_svg
from pbem.games.imperial.presentation.pictures.pointing import pointing
from pbem.games.imperial.presentation.tables import headline
from pbem.games.imperial.presentation.words import VOICE
from pbem.render.charts import ACROSS
from pbem.render.wording import sentences


class NationTally(Struct, frozen=True, kw_only=True):
    """What became of a nation in all finished games."""

    games: int = 0
    power: int = 0
    ended: int = 0  # games that it brought to their end
    won: int = 0  # games that its last government won
    vacant: int = 0  # games that it ended without one


class NationLine(Struct, frozen=True, kw_only=True):
    """A row of the table of nations."""

    nation: str
    games: int
    power: str
    ended: str
    won: str
    vacant: str


class Reign(Struct, frozen=True, kw_only=True):
    """So many turns under one government; `place` is the seat's among the seats in order."""

    seat: str | None
    place: int | None
    turn: int  # in which it began
    turns: int


class ControlRow(Struct, frozen=True, kw_only=True):
    nation: str
    reigns: tuple[Reign, ...]


class ImperialPages(PagePresenter):
    """Imperial in the archive."""

    tally_page = "nations"
    charts = KINDS
    untallied: Facts = {"nations": {}}  # noqa: RUF012 - never changed

    @property
    def editions(self) -> Sequence[str]:
        """As the sentences list them."""
        keys = sentences(f"{VOICE.folder}/sentences", "en")
        return [key.removeprefix("editions.") for key in keys if key.startswith("editions.")]

    @property
    def pointing(self) -> Pointing:
        return pointing(USUAL.board)

    def turn(self, events: Sequence[Event]) -> Facts:
        battles = sum(event["type"] == "BattleFought" for event in events)
        changed = {e["nation"]: e["seat"] for e in events if e["type"] == "GovernmentChanged"}
        told = headline(events) or {"nation": None, "action": None}
        return {**told, "battles": battles, "governments": changed}

    def card(self, view: View) -> Facts:
        nations = view["nations"]
        return {
            "nation": None if view["finished"] else view["nation"],
            "power": {nation: row["power"] for nation, row in nations.items()},
            "government": {nation: row["government"] for nation, row in nations.items()},
        }

    def amounts(self, view: View) -> Mapping[str, Mapping[str, int | None]]:
        nations = {kind: {n: row[kind] for n, row in view["nations"].items()} for kind in ("power", "treasury", "tax")}
        cash = {seat: row["cash"] for seat, row in view["players"].items()}
        return {**nations, "cash": cash, "score": view["running"] or dict.fromkeys(cash)}

    def tallied(self, before: Facts, edition: str, card: Facts, winners: Sequence[str]) -> Facts:
        known = convert(before.get("nations", {}), dict[str, NationTally])
        end = printed(edition).power.end
        new = {nation: _with(known.get(nation, NationTally()), card, nation, winners, end) for nation in card["power"]}
        return {"nations": to_builtins({**known, **new})}

    def columns(self, view: View) -> Sequence[str]:
        return [*view["nations"]]

    def column(self, turn: Facts) -> str | None:
        nation: str | None = turn["nation"]
        return nation

    def control(self, turns: Sequence[Facts], view: View) -> Sequence[ControlRow]:
        seats = [*view["players"]]
        return [ControlRow(nation=nation, reigns=_reigns(nation, turns, seats)) for nation in view["nations"]]

    def tally_rows(self, counted: Facts) -> Sequence[NationLine]:
        known = convert(counted.get("nations", {}), dict[str, NationTally])
        return [_line(nation, tally) for nation, tally in known.items()]

    def chart(self, kind: str, over: Series, language: str, view: View) -> Chart | None:
        is_known = any(value is not None for values in over.lines.values() for value in values)
        if not is_known or len(over.rounds) < FEWEST:
            return None
        return Chart(kind=kind, alt=chart_alt(kind, over, language), svg=chart_svg(kind, over, language), across=ACROSS)

    def layers(self, view: View, language: str) -> Mapping[str, str]:
        edition, board = view["edition"], view["board"]
        return {
            f"{board}-{edition}": ground_svg(edition, board, language),
            f"{board}-names": names_svg(board, language),
        }

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
        ground, names = layers
        return board_on_page(view, before=before, events=events, language=language, alt=alt, ground=ground, names=names)


def _reigns(nation: str, turns: Sequence[Facts], seats: Sequence[str]) -> tuple[Reign, ...]:
    """From each change of government to the next; none before anybody has lent the nation anything."""
    began = {turn: own["governments"][nation] for turn, own in enumerate(turns) if nation in own["governments"]}
    return tuple(_reign(began[turn], turn, end, seats) for turn, end in pairwise([*began, len(turns)]))


def _reign(seat: str | None, turn: int, end: int, seats: Sequence[str]) -> Reign:
    return Reign(seat=seat, place=seats.index(seat) if seat else None, turn=turn, turns=end - turn)


def _with(tally: NationTally, card: Facts, nation: str, winners: Sequence[str], end: int) -> NationTally:
    government, power = card["government"][nation], card["power"][nation]
    return NationTally(
        games=tally.games + 1,
        power=tally.power + power,
        ended=tally.ended + (power >= end),
        won=tally.won + (government in winners),
        vacant=tally.vacant + (government is None),
    )


def _line(nation: str, tally: NationTally) -> NationLine:
    return NationLine(
        nation=nation,
        games=tally.games,
        power=f"{tally.power / tally.games:.1f}",
        ended=_share(tally.ended, tally.games),
        won=_share(tally.won, tally.games),
        vacant=_share(tally.vacant, tally.games),
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %"
