"""Pictures of a game: the board and how it went, as SVG that needs no font, and as PNG for the mail."""

from pbem.games.imperial.presentation.pictures.board import (
    board_alt,
    board_on_page,
    board_svg,
    ground_svg,
    map_png,
    names_svg,
)
from pbem.games.imperial.presentation.pictures.charts import chart_alt, chart_png, chart_svg, series

__all__ = [
    "board_alt",
    "board_on_page",
    "board_svg",
    "chart_alt",
    "chart_png",
    "chart_svg",
    "ground_svg",
    "map_png",
    "names_svg",
    "series",
]
