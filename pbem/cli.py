"""The command line: `pbem --help`. Each command imports what it needs when it runs, so that help is quick."""

from __future__ import annotations

import sys

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pbem", message="%(prog)s %(version)s")
def main() -> None:
    """An adjudicator for board games played by e-mail."""


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print the position after the last line.")
def replay(files: tuple[str, ...], as_json: bool) -> None:
    """Play one or many play files through the referee.

    The first failure stops that file: one line FILE:LINE: what, and exit code 1; a file that can't be read, or that
    gives an impossible position, is exit code 2.
    """
    from pbem.bootstrap import replay_files

    sys.exit(replay_files(files, as_json=as_json))
