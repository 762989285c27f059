"""Commands about map files, for games whose boards people can draw."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import in_one_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.core.maps import Flaw, Maps

GAME = click.option("--game", default="", metavar="NAME", help="Whose maps.  [default: the first that has any]")


@click.group("map")
def map_() -> None:
    """Map files, for games whose boards people can draw."""


@map_.command("generate")
@click.argument("name")
@click.option("--size", required=True, metavar="WxH", help="Columns and rows, as in 30x40, or a size with a name.")
@click.option("--players", type=click.IntRange(2), required=True)
@click.option("--seed", required=True, metavar="TEXT", help="The same seed makes the same map everywhere.")
@GAME
def generate_map(name: str, size: str, players: int, seed: str, game: str) -> None:
    """Make a map and write it to NAME.map in this folder."""
    maps = _maps(game)
    file = Path(f"{name}.map")
    if file.exists():
        sys.exit(f"{file} is there already; it was left alone.")
    with in_one_sentence(ValueError):
        text = maps.generate(name, size, players, seed)
    with in_one_sentence(OSError, told=lambda problem: f"{file} can't be written: {problem.strerror}"):
        file.write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"{file}: a map for {players}.")


@map_.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@GAME
def check_maps(files: tuple[Path, ...], game: str) -> None:
    """Tell everything that is wrong with map FILES, one line FILE:LINE: what for each; then the exit code is 2."""
    maps = _maps(game)
    sys.exit(max(_told(file, _flaws(maps, file)) for file in files))


@map_.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("around", nargs=-1)
@GAME
def show_map(file: Path, around: tuple[str, ...], game: str) -> None:
    """Print the map of FILE as text, whole or only what lies near the squares AROUND."""
    maps = _maps(game)
    flaws = _flaws(maps, file)
    if _is_wrong(flaws):
        sys.exit(_told(file, flaws))
    with in_one_sentence(ValueError):
        click.echo(maps.shown(file.read_text("utf-8"), around))


def _maps(game: str) -> Maps:
    """Those of the game of that name, or of the first that has any."""
    from pbem.games import GAMES

    found = {id_: each.maps for id_, each in GAMES.items() if each.maps is not None and game in ("", id_)}
    if not found:
        sys.exit(f"There are no maps for {game}." if game else "There is no game with maps.")
    return next(iter(found.values()))


def _flaws(maps: Maps, file: Path) -> Sequence[Flaw]:
    from pbem.core.maps import Flaw

    try:
        return maps.check(file.stem, file.read_text("utf-8"))
    except OSError as problem:
        return [Flaw(1, f"it can't be read: {problem.strerror}")]
    except UnicodeDecodeError:
        return [Flaw(1, "it is no text in UTF-8")]


def _is_wrong(flaws: Sequence[Flaw]) -> bool:
    return any(flaw.is_mistake for flaw in flaws)


def _told(file: Path, flaws: Sequence[Flaw]) -> int:
    """Tell what is wrong with the file; the exit code."""
    for flaw in flaws:
        click.echo(f"{file}:{flaw.line}: {'' if flaw.is_mistake else 'warning: '}{flaw.told}", err=True)
    if _is_wrong(flaws):
        return 2
    click.echo(f"{file}: no mistakes")
    return 0
