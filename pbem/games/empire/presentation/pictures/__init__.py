"""Pictures of the hex board, as SVG that needs no font, and as PNG for the mail."""

from pbem.games.empire.presentation.pictures.board import PHONE, hex_board, hex_png
from pbem.games.empire.presentation.text_map import ENGLISH as WORDS

__all__ = ["PHONE", "WORDS", "hex_board", "hex_png"]
