"""Pictures of a game: the board and how it went, as SVG that needs no font, and as PNG for the mail."""

from pbem.adapters.pictures.board import board_alt, board_png, board_svg

__all__ = ["board_alt", "board_png", "board_svg"]
