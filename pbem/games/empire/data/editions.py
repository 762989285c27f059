"""Tables and maps from `games/empire`, and the rules of a table made of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import yaml

from pbem.core.seat import Setup
from pbem.files import resource
from pbem.games.empire.data.names import words
from pbem.games.empire.geography.board import Map, board
from pbem.games.empire.geography.map_file import read
from pbem.games.empire.notation.grammar import notation
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.options import BY_SETUP, options_from
from pbem.games.empire.rules.tables import Tables, tables_from
from pbem.games.empire.rules.tables_check import mistakes
from pbem.games.empire.rules.world import Setting

USUAL = Setup(game="empire", edition="third_1976", board="training", setup="training")
FOLDER = "games/empire"


def empire(setup: Setup) -> Empire:
    """The table for this set-up. Raises `ValueError` for one that can't be."""
    setup = setup.filled(USUAL)
    if setup.setup not in BY_SETUP:
        raise ValueError(f"setup: there is no {setup.setup!r}; there are {', '.join(BY_SETUP)}")
    if setup.edition != USUAL.edition:
        raise ValueError(f"edition: there is no {setup.edition!r}; there is {USUAL.edition}")
    options = options_from(setup.setup, setup.options)
    return _empire(setup.board, setup.setup, tuple(options.items()))


@cache
def _empire(board_: str, setup: str, options: tuple[tuple[str, str], ...]) -> Empire:
    setting = Setting(map=map_of(board_), tables=tables(), options=dict(options), setup=setup)
    about: Mapping[str, object] = {"game": "empire", "edition": USUAL.edition, "board": board_}
    return Empire(setting, notation(words()), about)


@cache
def map_of(name: str) -> Map:
    """The map of that name. Raises `ValueError`."""
    path = resource(f"{FOLDER}/maps/{name}.map")
    if not path.is_file():
        raise ValueError(f"board: there is no {name!r}")
    return board(read(path.read_text("utf-8")))


@cache
def tables() -> Tables:
    return tables_in(resource(f"{FOLDER}/tables.yaml").read_text("utf-8"))


def tables_in(text: str) -> Tables:
    """The tables of a file. Raises `ValueError` with every mistake, each on a line of its own."""
    try:
        raw = yaml.safe_load(text)
    except yaml.YAMLError as problem:
        raise ValueError(f"tables.yaml: {problem}") from None
    found = mistakes(raw) if isinstance(raw, dict) else ["it has no tables"]
    if found:
        raise ValueError("\n".join(f"tables.yaml: {each}" for each in found))
    return tables_from(raw)
