"""Below the map: rondel, governments and treasuries, power and tax tracks, cards, and what the signs mean."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.core.presenter import View
from pbem.games.imperial.presentation.pictures.arrows import draw_arrow
from pbem.games.imperial.presentation.pictures.changes import Changes
from pbem.games.imperial.presentation.pictures.pieces import NATIONS, Piece, Spot, disc, draw_city, draw_flag, slid
from pbem.games.imperial.presentation.pictures.rondel import draw_rondel, draw_way, places
from pbem.games.imperial.presentation.pictures.speech import Speech
from pbem.games.imperial.presentation.tables import NationRow, edition_of, nation_rows
from pbem.games.imperial.presentation.words import tax
from pbem.games.imperial.rules.edition import Edition
from pbem.render.canvas import INK, At, Box, Canvas, fitting
from pbem.render.lettering import Hand, width

PANEL = 330  # its height
LEFT, RIGHT = 10, 590
FAINT, RULE, CHANGED = "#6b6257", "#cfc4b0", "#9a4a00"
COLUMNS = {"government": 330, "treasury": 466, "power": 536, "tax": RIGHT}  # nations begin at TABLE
TABLE, ROW = 216, 20


def draw_printed(canvas: Canvas, top: float, edition: Edition, words: Speech) -> None:
    """What is the same in every position: rondel and tracks without markers, headings, what the signs mean."""
    canvas.draw(f'<path d="M{LEFT} {top + 24}H{RIGHT}" stroke="{RULE}"/>')
    draw_rondel(canvas, *_rondel(top), words)
    for column, x in COLUMNS.items():
        at: At = "start" if column == "government" else "end"
        canvas.write(words.say(f"columns.{column}"), x, top + 38, 8.5, ink=FAINT, at=at)
    for track in _tracks(top, edition, words):
        _draw_track(canvas, track)
    _legend(canvas, top + PANEL - 10, words)


def draw_panel(canvas: Canvas, top: float, view: View, before: View | None, happened: Changes, words: Speech) -> None:
    """What lies on it now."""
    rows = nation_rows(view, before)
    canvas.write(words.title(view), LEFT, top + 18, 13, hand="bold")
    now, was = view["nations"], (before or view)["nations"]
    _table(canvas, top + 44, view, before or view, rows, words)
    _cards(canvas, top + 190, view, words)
    taxes, power = _tracks(top, edition_of(view), words)
    moved = [nation for nation in now if now[nation]["tax"] != was[nation]["tax"]]
    _slide(canvas, _spots(taxes, was, "tax"), _spots(taxes, now, "tax"), moved, words)
    moved = [row.id for row in rows if row.gained]
    _slide(canvas, _spots(power, was, "power"), _spots(power, now, "power"), moved, words)
    for nation in sorted(happened.markers):
        if was[nation]["rondel"]:
            draw_way(canvas, *_rondel(top), was[nation]["rondel"], now[nation]["rondel"], NATIONS[nation].fill)
    before_, after = (places(*_rondel(top), {id_: row["rondel"] for id_, row in rows_.items()}) for rows_ in (was, now))
    _slide(canvas, before_, after, happened.markers, words)


def _slide(
    canvas: Canvas, was: Mapping[str, Spot], now: Mapping[str, Spot], new: Collection[str], words: Speech
) -> None:
    for nation, spot in now.items():
        slid(canvas, nation, words.letters[nation], spot, was[nation], new=nation in new)


def _rondel(top: float) -> tuple[float, float]:
    return 108, top + 130


# -- nations ---


def _table(canvas: Canvas, top: float, view: View, before: View, rows: Sequence[NationRow], words: Speech) -> None:
    for number, row in enumerate(rows):
        y = top + ROW * number
        if row.id == view["nation"] and not view["finished"]:
            canvas.draw(
                f'<rect x="{TABLE - 4}" y="{y}" width="{RIGHT - TABLE + 8}" height="{ROW}" rx="3" fill="#f3e3bd"/>'
            )
        is_new = row.government != before["nations"][row.id]["government"]
        _nation(canvas, y + ROW / 2, row, words, is_new=is_new)


def _nation(canvas: Canvas, y: float, row: NationRow, words: Speech, *, is_new: bool) -> None:
    disc(canvas, row.id, words.letters[row.id], TABLE + 7, y)
    name = fitting(words.names["nations"][row.id], 10.5, 94, "bold")
    canvas.write(name, TABLE + 18, y + 3.8, 10.5, hand="bold")
    hand: Hand = "bold" if is_new else "plain"
    government = fitting(row.government or "–", 10.5, 90, hand)
    canvas.write(government, COLUMNS["government"], y + 3.8, 10.5, hand=hand, ink=CHANGED if is_new else INK)
    _amount(canvas, COLUMNS["treasury"], y, str(row.treasury), row.earned)
    factor = f" ×{row.factor}" if row.factor else ""
    _amount(canvas, COLUMNS["power"], y, f"{row.power}{factor}", row.gained)
    canvas.write(tax(row.tax), COLUMNS["tax"], y + 3.8, 10.5, at="end")


def _amount(canvas: Canvas, right: float, y: float, amount: str, change: int) -> None:
    canvas.write(amount, right, y + 3.8, 10.5, hand="bold", at="end")
    if change:
        sign = f"{change:+d}".replace("-", "−")
        canvas.write(sign, right - width(amount, 10.5, "bold") - 4, y + 3.8, 9, ink=CHANGED, at="end")


def _cards(canvas: Canvas, y: float, view: View, words: Speech) -> None:
    """Who holds the investor card, and who a Swiss Bank."""
    swiss = [seat for seat, row in view["players"].items() if row["swiss_bank"]]
    told = [words.say("card", seat=view["investor"])] if view["investor"] else []
    told += [words.say("swiss", seats=swiss)] if swiss else []
    canvas.write(fitting("   ·   ".join(told), 10, RIGHT - TABLE), TABLE, y - 10, 10)


# -- tracks ---


class Track(Struct, frozen=True, kw_only=True):
    """A row of spaces for the markers of the nations."""

    box: Box
    name: str
    labels: Mapping[int, str]
    above: Mapping[int, str] = {}

    @property
    def step(self) -> float:
        return self.box.w / len(self.labels)


def _tracks(top: float, edition: Edition, words: Speech) -> tuple[Track, Track]:
    """Of taxes, and of power."""
    power = range(edition.power.end + 1)
    return (
        Track(
            box=Box(TABLE - 4, top + 204, RIGHT - TABLE + 8, 44),
            name=words.say("columns.tax"),
            labels={space: tax(space) for space in range(edition.taxes.lowest, edition.taxes.highest + 1)},
        ),
        Track(
            box=Box(LEFT, top + 262, RIGHT - LEFT + 2, 44),
            name=words.say("columns.power"),
            labels={points: str(points) for points in power},
            above={p: f"×{edition.factor(p)}" for p in power if p and p % edition.power.step == 0},
        ),
    )


def _draw_track(canvas: Canvas, track: Track) -> None:
    box, step = track.box, track.step
    canvas.write(track.name, box.x, box.y - 3, 8.5, ink=FAINT)
    for number, (space, label) in enumerate(track.labels.items()):
        x = box.x + number * step
        shade = "#efe6d2" if (number // 5) % 2 else "#f8f2e4"
        canvas.draw(
            f'<rect x="{x:.1f}" y="{box.y}" width="{step:.1f}" height="{box.h}" fill="{shade}" stroke="{RULE}" '
            f'stroke-width=".6"/>'
        )
        canvas.write(label, x + step / 2, box.y + box.h - 2.5, 8, ink=FAINT, at="middle")
        if space in track.above:
            canvas.write(track.above[space], x + 1, box.y - 3, 8.5, hand="bold", ink=FAINT)


def _spots(track: Track, nations: Mapping[str, Any], of: str) -> Mapping[str, Spot]:
    """Of the nations on the same space three stand above three."""
    found: dict[str, Spot] = {}
    for number, space in enumerate(track.labels):
        x, y = track.box.x + (number + 0.5) * track.step, track.box.y + 17
        here = [nation for nation, row in nations.items() if row[of] == space]
        for nation, (dx, dy) in zip(here, _PLACES[len(here)], strict=True):
            found[nation] = Spot(x + dx, y + dy, 5)
    return found


_PLACES: Mapping[int, Sequence[tuple[float, float]]] = {
    0: [],
    1: [(0.0, 0.0)],
    2: [(0, -6), (0, 6)],
    3: [(0, -11.2), (0, 0), (0, 11.2)],
    4: [(-5.5, -6), (5.5, -6), (-5.5, 6), (5.5, 6)],
    5: [(-5.5, -11.2), (5.5, -11.2), (-5.5, 0), (5.5, 0), (0, 11.2)],
    6: [(-5.5, -11.2), (5.5, -11.2), (-5.5, 0), (5.5, 0), (-5.5, 11.2), (5.5, 11.2)],
}


# -- what the signs mean ---


def _legend(canvas: Canvas, y: float, words: Speech) -> None:
    x = float(LEFT)
    for key in SIGNS:
        text = words.say(f"signs.{key}")
        x = _sign(canvas, key, x, y, words)
        canvas.write(text, x + 3, y, 8.5, ink=FAINT)
        x += 3 + width(text, 8.5) + 10


def _sign(canvas: Canvas, key: str, x: float, y: float, words: Speech) -> float:
    """Draws the sign on that line; where its words begin."""
    nation = "italy"
    letter = words.letters[nation]
    if key in ("armaments", "shipyard"):
        draw_city(canvas, "army" if key == "armaments" else "fleet", x, y - 9, works=True, new=False)
        return x + 11
    if key == "flag":
        draw_flag(canvas, nation, letter, x, y - 9, new=False)
        return x + 11
    if key == "move":
        draw_arrow(canvas, [(x, y - 3), (x + 20, y - 3)], nation)
        return x + 20
    piece = Piece(kind="army" if key == "new" else key, nation=nation, letter=letter, new=key == "new")
    wide, high = piece.size
    piece.drawn(canvas, Box(x, y - high + 3, wide, high))
    return x + wide


SIGNS = ("army", "lying", "fleet", "flag", "armaments", "shipyard", "move", "battle", "new")
