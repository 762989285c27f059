"""Below the map: rondel, governments and treasuries, power and tax tracks, cards, and what the signs mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.adapters.pictures.arrows import draw_arrow
from pbem.adapters.pictures.changes import Changes
from pbem.adapters.pictures.lettering import Hand, width
from pbem.adapters.pictures.paper import INK, At, Box, Paper, fitting
from pbem.adapters.pictures.pieces import Piece, disc, draw_city, draw_flag
from pbem.adapters.pictures.rondel import draw_rondel
from pbem.adapters.pictures.speech import Speech
from pbem.adapters.positions import NationRow, nation_rows, rules_of
from pbem.service.correspondence import View

PANEL = 330  # its height
LEFT, RIGHT = 10, 590
FAINT, RULE, CHANGED = "#6b6257", "#cfc4b0", "#9a4a00"
COLUMNS = {"government": 330, "treasury": 466, "power": 536, "tax": RIGHT}  # nations begin at TABLE
TABLE, ROW = 216, 20


def draw_panel(paper: Paper, top: float, view: View, before: View | None, happened: Changes, words: Speech) -> None:
    rows = nation_rows(view, before)
    _header(paper, top + 18, view, words)
    draw_rondel(paper, 108, top + 130, {row.id: row.rondel for row in rows}, happened.markers, words)
    _table(paper, top + 44, view, before or view, rows, words)
    _cards(paper, top + 190, view, words)
    _tracks(paper, top + 204, rows, view, before or view, words)
    _legend(paper, top + PANEL - 10, words)


def _header(paper: Paper, y: float, view: View, words: Speech) -> None:
    paper.write(words.title(view), LEFT, y, 13, hand="bold")
    paper.draw(f'<path d="M{LEFT} {y + 6}H{RIGHT}" stroke="{RULE}"/>')


# -- nations ---


def _table(paper: Paper, top: float, view: View, before: View, rows: Sequence[NationRow], words: Speech) -> None:
    for column, x in COLUMNS.items():
        at: At = "start" if column == "government" else "end"
        paper.write(words.say(f"columns.{column}"), x, top - 6, 8.5, ink=FAINT, at=at)
    for number, row in enumerate(rows):
        y = top + ROW * number
        if row.id == view["nation"] and not view["finished"]:
            paper.draw(
                f'<rect x="{TABLE - 4}" y="{y}" width="{RIGHT - TABLE + 8}" height="{ROW}" rx="3" fill="#f3e3bd"/>'
            )
        is_new = row.government != before["nations"][row.id]["government"]
        _nation(paper, y + ROW / 2, row, words, is_new=is_new)


def _nation(paper: Paper, y: float, row: NationRow, words: Speech, *, is_new: bool) -> None:
    disc(paper, row.id, words.letters[row.id], TABLE + 7, y)
    name = fitting(words.names["nations"][row.id], 10.5, 94, "bold")
    paper.write(name, TABLE + 18, y + 3.8, 10.5, hand="bold")
    hand: Hand = "bold" if is_new else "plain"
    government = fitting(row.government or "–", 10.5, 90, hand)
    paper.write(government, COLUMNS["government"], y + 3.8, 10.5, hand=hand, ink=CHANGED if is_new else INK)
    _amount(paper, COLUMNS["treasury"], y, str(row.treasury), row.earned)
    factor = f" ×{row.factor}" if row.factor else ""
    _amount(paper, COLUMNS["power"], y, f"{row.power}{factor}", row.gained)
    paper.write(words.tax(row.tax), COLUMNS["tax"], y + 3.8, 10.5, at="end")


def _amount(paper: Paper, right: float, y: float, amount: str, change: int) -> None:
    paper.write(amount, right, y + 3.8, 10.5, hand="bold", at="end")
    if change:
        sign = f"{change:+d}".replace("-", "−")
        paper.write(sign, right - width(amount, 10.5, "bold") - 4, y + 3.8, 9, ink=CHANGED, at="end")


def _cards(paper: Paper, y: float, view: View, words: Speech) -> None:
    """Who holds the investor card, and who a Swiss Bank."""
    swiss = [seat for seat, row in view["players"].items() if row["swiss_bank"]]
    told = [words.say("card", seat=view["investor"])] if view["investor"] else []
    told += [words.say("swiss", seats=swiss)] if swiss else []
    paper.write(fitting("   ·   ".join(told), 10, RIGHT - TABLE), TABLE, y - 10, 10)


# -- tracks ---


def _tracks(paper: Paper, top: float, rows: Sequence[NationRow], view: View, before: View, words: Speech) -> None:
    edition = rules_of(view).edition
    taxes = Track(
        labels={space: words.tax(space) for space in range(edition.lowest_tax, edition.highest_tax + 1)},
        marks={row.id: row.tax for row in rows},
        moved=[row.id for row in rows if row.tax != before["nations"][row.id]["tax"]],
    )
    _track(paper, Box(TABLE - 4, top, RIGHT - TABLE + 8, 44), words.say("columns.tax"), taxes, words)
    power = range(edition.power_end + 1)
    scores = Track(
        labels={points: str(points) for points in power},
        marks={row.id: row.power for row in rows},
        moved=[row.id for row in rows if row.gained],
        above={p: f"×{edition.factor(p)}" for p in power if p and p % edition.power_step == 0},
    )
    _track(paper, Box(LEFT, top + 58, RIGHT - LEFT + 2, 44), words.say("columns.power"), scores, words)


class Track(Struct, frozen=True, kw_only=True):
    """A row of spaces with the markers of the nations."""

    labels: Mapping[int, str]
    marks: Mapping[str, int]  # the space on which a nation's marker lies
    moved: Sequence[str]
    above: Mapping[int, str] = {}


def _track(paper: Paper, box: Box, name: str, track: Track, words: Speech) -> None:
    """Of the nations on the same space three stand above three."""
    step = box.w / len(track.labels)
    paper.write(name, box.x, box.y - 3, 8.5, ink=FAINT)
    for number, (space, label) in enumerate(track.labels.items()):
        x = box.x + number * step
        shade = "#efe6d2" if (number // 5) % 2 else "#f8f2e4"
        paper.draw(
            f'<rect x="{x:.1f}" y="{box.y}" width="{step:.1f}" height="{box.h}" fill="{shade}" stroke="{RULE}" '
            f'stroke-width=".6"/>'
        )
        paper.write(label, x + step / 2, box.y + box.h - 2.5, 8, ink=FAINT, at="middle")
        if space in track.above:
            paper.write(track.above[space], x + 1, box.y - 3, 8.5, hand="bold", ink=FAINT)
        here = [nation for nation, at in track.marks.items() if at == space]
        for nation, (dx, dy) in zip(here, _PLACES[len(here)], strict=True):
            disc(paper, nation, words.letters[nation], x + step / 2 + dx, box.y + 17 + dy, 5, new=nation in track.moved)


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


def _legend(paper: Paper, y: float, words: Speech) -> None:
    x = float(LEFT)
    for key in SIGNS:
        text = words.say(f"signs.{key}")
        x = _sign(paper, key, x, y, words)
        paper.write(text, x + 3, y, 8.5, ink=FAINT)
        x += 3 + width(text, 8.5) + 10


def _sign(paper: Paper, key: str, x: float, y: float, words: Speech) -> float:
    """Draws the sign on that line; where its words begin."""
    nation = "italy"
    letter = words.letters[nation]
    if key in ("armaments", "shipyard"):
        draw_city(paper, "army" if key == "armaments" else "fleet", x, y - 9, works=True, new=False)
        return x + 11
    if key == "flag":
        draw_flag(paper, nation, letter, x, y - 9, new=False)
        return x + 11
    if key == "move":
        draw_arrow(paper, [(x, y - 3), (x + 20, y - 3)], nation)
        return x + 20
    piece = Piece(kind="army" if key == "new" else key, nation=nation, letter=letter, new=key == "new")
    wide, high = piece.size
    piece.drawn(paper, Box(x, y - high + 3, wide, high))
    return x + wide


SIGNS = ("army", "lying", "fleet", "flag", "armaments", "shipyard", "move", "battle", "new")
