"""Commands about the archive: the games' pages."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem.cli.common import ANY_CONFIG, CONFIG, called, in_one_sentence, opened, read_settings

FOLDER = click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))


@click.group()
def archive() -> None:
    """The games' pages: a folder of files that any web server can serve."""


@archive.command("build")
@CONFIG
@click.option("--notes", is_flag=True, help="Make all notes on games that are over, too: some half a minute for each.")
def build_archive(config: Path, *, notes: bool) -> None:
    """Bring up the pages of all games; `pbem run` and `pbem tick` do it for games that move.

    What is there stays; to make everything anew, remove the folder first. A game whose pages can't be made is named,
    with the reason; the others are brought up all the same, and the exit code is 1.

    Notes on games that are over (where a turn has lost most) are made bit by bit by `pbem run` and `pbem tick`, where
    the setting archive_notes says so.
    """
    from pbem.bootstrap import archivist

    settings = read_settings(config)
    with opened(settings) as server:
        keeper = archivist(server, settings, notes=notes)
        brought = keeper.build()
        for game in keeper.annotate() if notes else ():
            click.echo(f"{game} has its notes.")
    are = "1 game is" if len(brought.told) == 1 else f"{len(brought.told)} games are"
    click.echo(f"{are} in {settings.archive}. To look at them: {called()} archive serve {settings.archive}")
    for what, fault in brought.failed.items():
        click.echo(f"{what} could not be brought up: {type(fault).__name__}: {fault}", err=True)
    sys.exit(1 if brought.failed else 0)


@archive.command("verify")
@FOLDER
@ANY_CONFIG
def verify_archive(folder: Path | None, config: Path) -> None:
    """Prove the games in FOLDER (without one, this server's archive) from the published files alone.

    A line for each game tells whether its log is one chain and gives every published position, and whether its lots
    follow from its secret; if one does not, the exit code is 1.
    """
    folder = archive_in(folder, config)
    from pbem.adapters.site.reading import Damaged
    from pbem.bootstrap import prove_archive

    code = 0
    with in_one_sentence(Damaged):
        for proof in prove_archive(folder):
            click.echo(str(proof))
            code = max(code, 1 if proof.fault else 0)
    sys.exit(code)


@archive.command("serve")
@FOLDER
@ANY_CONFIG
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Who may look: 0.0.0.0 is everybody.")
def serve_archive(folder: Path | None, config: Path, port: int, host: str) -> None:
    """Show the archive in FOLDER (without one, this server's) to a browser, until Ctrl-C."""
    folder = archive_in(folder, config)
    from pbem.adapters.site.serving import web_server

    with in_one_sentence(OSError, told=lambda problem: f"{host}:{port} can't be used: {problem.strerror}."):
        web = web_server(folder, host, port)
    with web:
        click.echo(f"http://{host}:{web.server_address[1]}/ shows {folder}; Ctrl-C ends it.")
        try:
            web.serve_forever()
        except KeyboardInterrupt:
            click.echo("")


def archive_in(folder: Path | None, config: Path) -> Path:
    """The folder that was named, or this server's; without an archive in it the command ends here."""
    found = folder or read_settings(config).archive
    if not (found / "index.html").is_file():
        sys.exit(f"There is no archive in {found}; `{called()} archive build` makes one.")
    return found
