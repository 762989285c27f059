"""The command line: `pbem --help`. Each command imports what it needs when it runs, so that help is quick."""

from __future__ import annotations

import atexit
import gc
import signal

import click

from pbem.cli import letters, operator, people, replaying, serving, trying
from pbem.cli.archive import archive, verify_archive
from pbem.cli.common import VERSION
from pbem.cli.games import game
from pbem.cli.league import league
from pbem.cli.maps import map_
from pbem.cli.simulating import simulate_league

GARBAGE = 50_000  # objects that are made before it is looked for among them; Python's own number is 700


@click.group("pbem", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="pbem %(version)s")
def main() -> None:
    """An adjudicator for board games played by e-mail: Imperial by Mac Gerdts, and Empire of 1976.

    Where it is installed, eval "$(_PBEM_COMPLETE=bash_source pbem)" lets bash complete commands (so, too: zsh, fish).
    """


def start(name: str | None = None) -> None:
    """The program, called by that name. SIGINT and SIGTERM end it wherever it was started from.

    What a shell starts with `&` or `nohup` ignores SIGINT, else, and so do its children.
    """
    gc.set_threshold(GARBAGE)  # what is imported stays, and to look through it took a tenth of a short command's time
    atexit.register(gc.freeze)  # nor is it looked through when all ends, which took a fifth
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, signal.default_int_handler)
    main(prog_name=name)


for module in (trying, replaying, serving, operator):
    for command in module.COMMANDS:
        main.add_command(command)
league.add_command(simulate_league)
main.add_command(verify_archive, "prove")  # beside `verify`: this from what is published, that from the books
for group in (game, league, archive, map_, letters.letters, people.person, people.waiting):
    main.add_command(group)
