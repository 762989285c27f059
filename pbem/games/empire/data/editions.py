"""Tables and maps from `games/empire`, and the rules of a table made of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources.abc import Traversable

import yaml
from msgspec.structs import replace

from pbem.core.notation import Notation
from pbem.core.seat import Setup
from pbem.files import resource
from pbem.games.empire.data.names import words
from pbem.games.empire.geography.board import Map, board
from pbem.games.empire.geography.generator import SIZES, made
from pbem.games.empire.geography.map_file import read
from pbem.games.empire.notation.grammar import notation
from pbem.games.empire.rules.game import Empire
from pbem.games.empire.rules.options import BY_SETUP, options_from
from pbem.games.empire.rules.orders import Order
from pbem.games.empire.rules.tables import Tables, tables_from
from pbem.games.empire.rules.tables_check import mistakes
from pbem.games.empire.rules.world import Setting

USUAL = Setup(game="empire", edition="third_1976", setup="training")
BOARDS = {"training": "training", "bare": "training", "full": "random"}  # by set-up
FOLDER = "games/empire"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml is several times faster, where it is there
RANDOM = re.compile(r"random(?:-([2-8])-([0-9a-z]+))?")  # a map that is made for so many players, from a seed
SIZE_FOR = {2: "small", 3: "small", 4: "medium", 5: "medium", 6: "nominal", 7: "nominal", 8: "nominal"}


def empire(setup: Setup) -> Empire:
    """The table for this set-up. Raises `ValueError` for one that can't be."""
    setup = setup.filled(USUAL)
    if setup.setup not in BY_SETUP:
        raise ValueError(f"setup: there is no {setup.setup!r}; there are {', '.join(BY_SETUP)}")
    if setup.edition != USUAL.edition:
        raise ValueError(f"edition: there is no {setup.edition!r}; there is {USUAL.edition}")
    options = options_from(setup.setup, setup.options)
    players = max(min(SIZE_FOR), min(len(setup.seats), max(SIZE_FOR)))
    return _empire(_settled(setup, players, "random"), setup.setup, tuple(options.items()))


def drawn(setup: Setup, players: int, seed: str) -> Setup:
    """The set-up with a board: a random one gets its seed, which is no secret, and is from then on the same one."""
    setup = setup.filled(USUAL)
    if setup.setup not in BOARDS or players not in SIZE_FOR:
        return setup  # that it can't be is told by whoever loads it
    return replace(setup, board=_settled(setup, players, seed))


def _settled(setup: Setup, players: int, seed: str) -> str:
    """The name of the board that is played on."""
    board_ = setup.board or BOARDS[setup.setup]
    return f"random-{players}-{seed}" if board_ == "random" else board_


@cache
def order_language() -> Notation[Order]:
    """With the names of all languages and the codes of the tables."""
    return notation(words(), tables().codes)


@cache
def _empire(board_: str, setup: str, options: tuple[tuple[str, str], ...]) -> Empire:
    if not _is_made(board_) and not _file_of(board_).is_file():
        raise ValueError(f"board: there is no {board_!r}")
    setting = Setting(board=partial(map_of, board_), tables=tables(), options=dict(options), setup=setup)
    about: Mapping[str, object] = {"game": "empire", "edition": USUAL.edition, "board": board_}
    return Empire(setting, order_language(), about)


@cache
def map_of(name: str) -> Map:
    """The map of that name, which is there. Raises `NoMap`."""
    if said := _is_made(name):
        return made(name, SIZES[SIZE_FOR[int(said[1])]], int(said[1]), said[2])[1]
    return board(read(_file_of(name).read_text("utf-8")))


def _is_made(name: str) -> re.Match[str] | None:
    """Is it the name of a map from a seed? Its players and its seed."""
    said = RANDOM.fullmatch(name)
    return said if said and said[1] else None


def _file_of(name: str) -> Traversable:
    return resource(f"{FOLDER}/maps/{name}.map")


@cache
def tables() -> Tables:
    return tables_in(resource(f"{FOLDER}/tables.yaml").read_text("utf-8"))


def tables_in(text: str) -> Tables:
    """The tables of a file. Raises `ValueError` with every mistake, each on a line of its own."""
    try:
        raw = yaml.load(text, Loader=_LOADER)  # noqa: S506 - both are safe
    except yaml.YAMLError as problem:
        raise ValueError(f"tables.yaml: {problem}") from None
    found = mistakes(raw) if isinstance(raw, dict) else ["it has no tables"]
    if found:
        raise ValueError("\n".join(f"tables.yaml: {each}" for each in found))
    return tables_from(raw)
