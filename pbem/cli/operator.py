"""Commands for whoever looks after a server: how it does, copies of it, its key, what keeps it running."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    CONFIG,
    VERSION,
    in_one_sentence,
    opened,
    opened_books,
    print_json,
    read_settings,
    told_of_keys,
)

if TYPE_CHECKING:
    from pbem.settings import Settings

# -- how it does ---


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs; instants in seconds UTC.")
@CONFIG
def status(as_json: bool, config: Path) -> None:
    """How the server does: games, answers awaited, mail that waits, what is out of reach."""
    from msgspec import to_builtins

    from pbem.adapters.clock import SystemClock
    from pbem.adapters.store.keys import check_key
    from pbem.cli.vitals import show_vitals
    from pbem.host.housekeeping.clock_state import clock_state

    settings, now = read_settings(config), SystemClock().now()
    with opened_books(settings) as store:
        with told_of_keys():
            check_key(settings.identity.key_file, store.fingerprint)
        size = store.size()
        with store.transaction() as books:
            vitals, clock = books.vitals(now), clock_state(books, now)
    if as_json:
        print_json(
            {"version": VERSION, "at": now, "database_bytes": size, **to_builtins(vitals), "clock": to_builtins(clock)}
        )
    else:
        show_vitals(vitals, now, size, VERSION, clock)


@click.command("clock")
@click.option("--believe", is_flag=True, help="The computer's clock is right: put right what lies ahead of it.")
@CONFIG
def show_clock(believe: bool, config: Path) -> None:
    """Tell whether the computer's clock and the books agree; the exit code is 1 when they do not.

    A clock that has leapt ahead is not believed until a letter, an hour or you bear it out, and one that was put back
    only when it has come to where it was. Is it right now? Then --believe takes it for right at once, while the server
    runs, too: nothing in the books stays later than now, and games whose times were wrong tell their players so.
    """
    from pbem.adapters.clock import SystemClock
    from pbem.cli.dates import utc
    from pbem.host.housekeeping.clock_state import MEND, clock_state

    with opened(read_settings(config)) as server:
        for game in server.app.believe_clock() if believe else ():
            click.echo(f"{game.id}: its instants are right from now on; its players are told.")
        with server.store.transaction() as books:
            state = clock_state(books, SystemClock().now())
    click.echo(f"The computer's clock shows {utc(state.hands)}.")
    if believe:
        click.echo("It is taken for right; a server that runs does so with its next round.")
        return
    for fault in state.faults:
        click.echo(f"! {fault}")
    if any(state.faults):
        sys.exit(f"To mend it: {MEND}")


# -- copies ---


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@CONFIG
def backup(file: Path, config: Path) -> None:
    """Copy the books and the key into FILE (a tar), while the server runs. Whoever has it can read every order."""
    from pbem.adapters.clock import SystemClock
    from pbem.adapters.store.copying import NoCopy, back_up

    settings = read_settings(config)
    if not file.absolute().parent.is_dir():
        sys.exit(f"There is no folder {file.absolute().parent}: make it, or name another for the copy.")
    with in_one_sentence(NoCopy, OSError):
        copied = back_up(_database_file(settings, "backup"), settings.identity.key_file, file, SystemClock().now())
    click.echo(f"{file} holds the books, at version {copied.version}, and the key. Keep it as you keep a password.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Put aside what is there; stop the server first.")
@CONFIG
def restore(file: Path, force: bool, config: Path) -> None:
    """Put the books and the key of a backup in their places; it is looked at before anything is changed."""
    from pbem.adapters.store.copying import NoCopy
    from pbem.adapters.store.copying import restore as put_back
    from pbem.cli.dates import utc

    settings = read_settings(config)
    with in_one_sentence(NoCopy, OSError):
        copied = put_back(file, _database_file(settings, "restore"), settings.identity.key_file, force=force)
    click.echo(f"The books are as they were {utc(copied.at)}. Letters that came later wait in the mailbox's done")
    click.echo(f"folder ({settings.mailbox.folders.done}): move them into the inbox, and they are dealt with again.")


def _database_file(settings: Settings, what: str) -> Path:
    """A database that is no file has its own program for it."""
    if settings.database_file is not None:
        return settings.database_file
    from pbem.adapters.store.urls import address_of, without_password

    program = "pg_dump --format=custom --file=FILE" if what == "backup" else "pg_restore --clean --dbname"
    plain = without_password(address_of(settings.database))
    sys.exit(f"This database is PostgreSQL's: {program} {plain}, and copy {settings.identity.key_file}, too.")


# -- the key ---


@click.group()
def key() -> None:
    """The secret that the players' tokens are made with."""


@key.command("renew")
@click.confirmation_option(prompt="No letter that has gone out proves anything then. Make a new key?")
@CONFIG
def renew(config: Path) -> None:
    """Make another key, where the old one is lost or somebody may have read it; stop the server first.

    Answers to letters that went out before change nothing; who writes one gets a letter that proves again.
    """
    from pbem.adapters.clock import SystemClock
    from pbem.adapters.store.keys import renew_key

    settings = read_settings(config)
    with opened_books(settings) as repository, in_one_sentence(OSError):
        aside = renew_key(repository, settings.identity.key_file, SystemClock().now())
    click.echo(f"{settings.identity.key_file} is new." + (f" The old key is {aside}." if aside else ""))


# -- keeping it running ---


@click.command()
@click.option("--cron", is_flag=True, help="A line for cron instead, which runs `pbem tick`.")
@CONFIG
def unit(cron: bool, config: Path) -> None:
    """Print a unit for systemd, which keeps `pbem run` going with no more rights than it needs."""
    from pbem.adapters.systemd import cron_line, systemd_unit

    settings = read_settings(config)
    click.echo(cron_line(config) if cron else systemd_unit(settings, config), nl=False)


COMMANDS = (status, show_clock, backup, restore, key, unit)
