"""Commands that play files or games once more."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.cli.common import ANY_CONFIG, opened, print_json, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.host.archive.replay import Replay
    from pbem.host.archive.verify import Finding

T = TypeVar("T")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the position after the last line.")
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Play one or many play files by the rules of their games.

    The first failure stops that file: one line FILE:LINE: what, and exit code 1. A file that can't be read, or that
    gives an impossible position, is exit code 2.
    """
    sys.exit(max(_replay(file, as_json=as_json) for file in files))


def _replay(file: Path, *, as_json: bool) -> int:
    from pbem import bootstrap

    def show(played: Replay) -> int:
        if as_json:
            print_json(played.document())
        return 0

    return _playing(file, bootstrap.replay, show)


def _playing(file: Path, play: Callable[[Path], T], then: Callable[[T], int]) -> int:
    """The exit code of what is done with a play file, or of the problem with it, which is told."""
    from pbem.files import ConfigError
    from pbem.host.archive.playfile import Failed, PlayFileError

    try:
        played = play(file)
    except OSError as problem:
        return _tell(f"{file}:1: it can't be read: {problem.strerror}", 2)
    except UnicodeDecodeError:
        return _tell(f"{file}:1: it is no text in UTF-8", 2)
    except ConfigError as problem:
        return _tell(f"{file}:1: {problem}", 2)
    except PlayFileError as problem:
        return _tell(f"{file}:{problem.line}: {problem.what}", 2)
    except Failed as failure:
        return _tell(f"{file}:{failure.line}: {failure.what}", 1)
    return then(played)


@click.command()
@click.argument("what", nargs=-1)
@ANY_CONFIG
def verify(what: tuple[str, ...], config: Path) -> None:
    """Decide old entries once more, with today's rules.

    WHAT is play files (FILE.play) and games of this server; without any, all its games. A line for each tells whether
    its log is what was written and what today's rules would make of it, or names the first entry that is not; then the
    exit code is 1.
    """
    files = [word for word in what if word.endswith(".play")]
    codes = [_verify_file(Path(file)) for file in files]
    if not what or len(files) < len(what):
        codes += _verify_games([word for word in what if word not in files], config)
    if not codes:
        click.echo("no games yet", err=True)
    sys.exit(max(codes, default=0))


def _verify_file(file: Path) -> int:
    from pbem import bootstrap

    return _playing(file, bootstrap.verify, _found)


def _verify_games(tags: Sequence[str], config: Path) -> list[int]:
    with opened(read_settings(config)) as server:
        if not tags:
            tags = [each.id for each in server.app.list_games()]
        return [_found(server.app.verify(tag)) for tag in tags]


def _found(finding: Finding) -> int:
    click.echo(str(finding))
    return 0 if finding.honest else 1


def _tell(what: str, code: int) -> int:
    click.echo(what, err=True)
    return code


COMMANDS = (replay, verify)
