"""Commands that run a server."""

from __future__ import annotations

import gc
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    ANY_CONFIG,
    CONFIG,
    LOG_FORMAT,
    called,
    in_one_sentence,
    log_to_stderr,
    opened,
    read_settings,
)

if TYPE_CHECKING:
    from pbem.adapters.logs import Form

PROVIDERS = ("gmail", "fastmail", "outlook", "own")
GARBAGE_AT_WORK = 10_000  # objects made before it is looked for: a letter waits 4 ms for that, and 15 for 50,000


@click.command()
@ANY_CONFIG
@click.option("--for", "provider", type=click.Choice(PROVIDERS), help="Hosts and ports as this provider has them.")
def init(config: Path, provider: str | None) -> None:
    """Write a commented settings file to fill in."""
    from pbem.adapters.providers import settings_for

    if config.exists():
        sys.exit(f"{config} is there already; it stays as it is.")
    with in_one_sentence(OSError, told=lambda problem: f"{config} can't be written: {problem.strerror}."):
        config.write_text(settings_for(provider), encoding="utf-8")
    click.echo(f"{config} is written. Fill it in, and set the variables that it names for the passwords.")
    click.echo(f"Then look whether all is well: {called()} check -c {config} --letter")
    click.echo(f"And serve: {called()} run -c {config}")


@click.command()
@CONFIG
@click.option("--letter", is_flag=True, help="Also send two letters to ourselves, and see whether they arrive.")
@click.option("--patience", type=click.IntRange(1), default=60, show_default=True, help="Seconds to wait for them.")
def check(config: Path, letter: bool, patience: int) -> None:
    """Look whether all is well: settings, files, database, mailbox, mail server.

    Each finding that is not good says how to mend it. Exit code 1 when something is broken.
    """
    from itertools import chain

    from pbem.adapters.checks.server import examine
    from pbem.adapters.mail_accounts import mail_check
    from pbem.cli.output import show_checks

    settings = read_settings(config, mail=True)
    looking = mail_check(settings)
    letters = looking.send_letters(patience) if letter else ()
    if not show_checks(chain(examine(settings, config), looking.examine(), letters)):
        sys.exit(1)


@click.command()
@CONFIG
@click.option("--verbose", "-v", is_flag=True, help="Tell more.")
@LOG_FORMAT
def run(config: Path, verbose: bool, log_format: Form | None) -> None:
    """Serve until told to stop (SIGTERM or Ctrl-C)."""
    from pbem.cli.vitals import greeting
    from pbem.daemon import serving

    settings = read_settings(config, mail=True)
    log_to_stderr(settings, log_format, verbose=verbose)
    with opened(settings) as server, serving(server, settings) as daemon:
        for signum in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signum, lambda *_: daemon.stop())
        click.echo(greeting(settings, server.app.vitals()))
        settle()
        daemon.run()


def settle() -> None:
    """All is loaded: it stays, and is not looked through for garbage, for which a letter waited 30 to 60 ms."""
    gc.freeze()
    gc.set_threshold(GARBAGE_AT_WORK)


@click.command()
@CONFIG
@LOG_FORMAT
def tick(config: Path, log_format: Form | None) -> None:
    """Go round once: read letters, close what ran out, send mail. For cron."""
    from pbem.daemon import serving

    settings = read_settings(config, mail=True)
    log_to_stderr(settings, log_format)
    with opened(settings) as server:
        server.gather_seconds = 0  # nobody knows when the next round comes
        with serving(server, settings) as daemon:
            is_done = daemon.tick()
        if not is_done:
            sys.exit("Something was out of reach, as told above; what was due and could be done has been done.")


COMMANDS = (init, check, run, tick)
