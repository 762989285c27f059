"""Commands for whoever looks after a server: letters that need a person, how it does, copies of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import CONFIG, VERSION, opened, opened_books, print_json, read_settings, tell_each

if TYPE_CHECKING:
    from pbem.settings import Settings

# -- letters ---


@click.group()
def letters() -> None:
    """Letters as the adjudicator sees them, and those that need a person."""


@letters.command("read")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="As language.md, section 5, has it.")
def read_letter(file: Path, as_json: bool) -> None:
    """Show what is read from a raw letter; nothing is changed."""
    from pbem.adapters.mime import as_document
    from pbem.adapters.mime import read_letter as read
    from pbem.cli.output import show_letter

    document = as_document(read(file.read_bytes()))
    if as_json:
        print_json(document)
    else:
        show_letter(document)


@letters.command("list")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@CONFIG
def list_letters(as_json: bool, config: Path) -> None:
    """Letters to us that met a fault or can't be read, and letters of ours that were given up: a line each."""
    from msgspec import to_builtins
    from msgspec.structs import asdict

    from pbem.cli.output import show_waiting
    from pbem.mail.kept_letters import name_of

    with opened(read_settings(config)) as server:
        found = server.kept_letters().all()
    if as_json:
        print_json([{"name": name_of(one), **to_builtins(asdict(one))} for one in found])
    else:
        show_waiting(found)


@letters.command("show")
@click.argument("name")
@click.option("--raw", is_flag=True, help="The letter itself, byte for byte as it came.")
@CONFIG
def show_one(name: str, raw: bool, config: Path) -> None:
    """All that is known of one of them, and what is read from it; any letter to us by its Message-ID."""
    from pbem.adapters.mime import as_document
    from pbem.cli.output import show_letter as show
    from pbem.cli.output import show_waiting

    with opened(read_settings(config)) as server, _in_one_sentence():
        one, came = server.kept_letters().find(name)
    if raw:
        if came is None:
            sys.exit(f"The bytes of {name} are not here any more.")
        click.echo(came.raw, nl=False)
        return
    show_waiting([one], in_full=True)
    if came is not None:
        show(as_document(server.read(came.raw)))


@letters.command("retry")
@click.argument("names", nargs=-1, required=True)
@CONFIG
def retry_letters(names: tuple[str, ...], config: Path) -> None:
    """Deal with kept letters as if they came now for the first time; they count as filed when they were.

    Letters of ours that were given up are sent again by `pbem run` or `pbem tick`.
    """
    with opened(read_settings(config)) as server, _in_one_sentence():
        _each(names, server.kept_letters().retry)


@letters.command("drop")
@click.argument("names", nargs=-1, required=True)
@CONFIG
def drop_letters(names: tuple[str, ...], config: Path) -> None:
    """Forget kept letters, in the mailbox too, and letters of ours that were given up."""
    from pbem.bootstrap import drop_from_mailbox
    from pbem.host.ports import MailboxDown

    dropped: list[str] = []

    def forget(name: str) -> str:
        dropped.extend(filter(None, [server.kept_letters().drop(name)]))
        return "dropped"

    settings = read_settings(config, mail=True)
    with opened(settings) as server, _in_one_sentence():
        _each(names, forget)
    try:
        drop_from_mailbox(settings, dropped)
    except MailboxDown as down:
        click.echo(f"What lies in the mailbox's folder {settings.mailbox.folders.kept} stays there: {down}")


def _each(names: tuple[str, ...], do: Callable[[str], str]) -> None:
    for name in names:
        click.echo(f"{name}: {do(name)}")


@contextmanager
def _in_one_sentence() -> Iterator[None]:
    from pbem.host.ports import Unknown

    try:
        yield
    except (Unknown, ValueError) as problem:
        sys.exit(str(problem))


@contextmanager
def _or_without_mailbox() -> Iterator[None]:
    from pbem.host.ports import MailboxDown

    try:
        yield
    except MailboxDown as down:
        sys.exit(f"Nothing was erased: {down} (--books-only leaves the letters in the mailbox)")


# -- how it does ---


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs; instants in seconds UTC.")
@CONFIG
def status(as_json: bool, config: Path) -> None:
    """How the server does: games, answers awaited, mail that waits, what is out of reach."""
    from msgspec import to_builtins

    from pbem.adapters.store.sql import SqlStore
    from pbem.cli.output import show_vitals

    with opened(read_settings(config)) as server:
        vitals, now, clock = server.app.vitals(), server.clock.now(), server.app.clock_state()
        size = server.store.size() if isinstance(server.store, SqlStore) else 0
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
    from pbem.cli.output import instant
    from pbem.host.housekeeping.mending import MEND

    with opened(read_settings(config)) as server:
        for game in server.app.believe_clock() if believe else ():
            click.echo(f"{game.id}: its instants are right from now on; its players are told.")
        state = server.app.clock_state()
    click.echo(f"The computer's clock shows {instant(state.hands)}.")
    if believe:
        click.echo("It is taken for right; a server that runs does so with its next round.")
        return
    for fault in state.faults:
        click.echo(f"! {fault}")
    if any(state.faults):
        sys.exit(f"To mend it: {MEND}")


# -- people ---


@click.group()
def person() -> None:
    """What the server holds about a person, by one of their addresses."""


@person.command("show")
@click.argument("address")
@CONFIG
def show_person(address: str, config: Path) -> None:
    """Name, addresses and games, a line each."""
    from pbem.cli.output import show_person as show

    with opened(read_settings(config)) as server, _in_one_sentence():
        show(*server.people.show(address))


@person.command("export")
@click.argument("address")
@CONFIG
def export_person(address: str, config: Path) -> None:
    """Print all that is held about them as JSON: give it to nobody else."""
    with opened(read_settings(config)) as server, _in_one_sentence():
        document = server.people.export(address)
    print_json(document)


@person.command("erase")
@click.argument("address")
@click.confirmation_option(prompt="Their name, addresses and letters can't be brought back. Erase them?")
@click.option("--books-only", is_flag=True, help="Leave the letters in the mailbox, as when it can't be reached.")
@CONFIG
def erase_person(address: str, config: Path, *, books_only: bool) -> None:
    """Forget name, addresses and letters; games and press stay, under the names of the seats.

    Their letters go out of the mailbox's folders, too. Who sits in a game that is not over must be replaced first.
    """
    from pbem.bootstrap import erase_from_mailbox

    settings = read_settings(config, mail=not books_only)
    with opened(settings) as server, _in_one_sentence():
        theirs = server.people.erasable(address)
        with _or_without_mailbox():
            letters = 0 if books_only else erase_from_mailbox(settings, theirs)
        games = server.people.erase(address)
    click.echo(f"Erased, and so are their letters in the mailbox ({letters}); {len(games)} games keep the seat.")
    click.echo("Not erased: copies in backups" + (" and in the mailbox's folders." if books_only else "."))


@person.command("tokens")
@click.argument("address")
@CONFIG
def rotate_tokens(address: str, config: Path) -> None:
    """Make their tokens new, as when somebody else may have read their letters."""
    with opened(read_settings(config)) as server, _in_one_sentence():
        server.people.renew_tokens(address)
    click.echo(
        "Letters sent to them before now prove nothing any more: an answer to one changes nothing, and they are told"
    )
    click.echo("and they are told so in a letter that proves again.")


@person.command("welcome")
@click.argument("address")
@CONFIG
def welcome_again(address: str, config: Path) -> None:
    """Let letters go to an address again, from which somebody has said no to all of ours."""
    with opened(read_settings(config)) as server:
        was_unwanted = server.people.welcome(address)
    click.echo(f"{address} may be written to again." if was_unwanted else f"Nobody at {address} has said no.")


# -- the waiting list ---


@click.group()
def waiting() -> None:
    """The waiting list: who is asked when a game needs a substitute."""


@waiting.command("list")
@CONFIG
def list_waiting(config: Path) -> None:
    """Those who wait, a line each, in the order in which they are asked."""
    with opened(read_settings(config)) as server:
        found = server.people.waiting()
    tell_each((f"{one.address} {one.name}".rstrip() for one in found), "nobody")


@waiting.command("add")
@click.argument("address")
@CONFIG
def add_waiting(address: str, config: Path) -> None:
    """Enter somebody who is known here; they are asked at once where a substitute is looked for."""
    with opened(read_settings(config)) as server, _in_one_sentence():
        asked = server.people.wait(address)
    click.echo(f"Waits for a seat; asked for {asked} games now.")


@waiting.command("remove")
@click.argument("address")
@CONFIG
def remove_waiting(address: str, config: Path) -> None:
    """Strike somebody off."""
    with opened(read_settings(config)) as server, _in_one_sentence():
        server.people.wait_no_more(address)
    click.echo("Does not wait any more.")


# -- copies ---


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@CONFIG
def backup(file: Path, config: Path) -> None:
    """Copy the books and the key into FILE (a tar), while the server runs. Whoever has it can read every order."""
    from pbem.adapters.clock import SystemClock
    from pbem.adapters.store.copying import back_up

    settings = read_settings(config)
    if not file.absolute().parent.is_dir():
        sys.exit(f"There is no folder {file.absolute().parent}: make it, or name another for the copy.")
    with _copying():
        copied = back_up(_database_file(settings, "backup"), settings.identity.key_file, file, SystemClock().now())
    click.echo(f"{file} holds the books, at version {copied.version}, and the key. Keep it as you keep a password.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Put aside what is there; stop the server first.")
@CONFIG
def restore(file: Path, force: bool, config: Path) -> None:
    """Put the books and the key of a backup in their places; it is looked at before anything is changed."""
    from pbem.adapters.store.copying import restore as put_back
    from pbem.cli.output import instant

    settings = read_settings(config)
    with _copying():
        copied = put_back(file, _database_file(settings, "restore"), settings.identity.key_file, force=force)
    click.echo(f"The books are as they were {instant(copied.at)}. Letters that came later wait in the mailbox's done")
    click.echo(f"folder ({settings.mailbox.folders.done}): move them into the inbox, and they are dealt with again.")


@contextmanager
def _copying() -> Iterator[None]:
    from pbem.adapters.store.copying import NoCopy

    try:
        yield
    except (NoCopy, OSError) as problem:
        sys.exit(str(problem))


def _database_file(settings: Settings, what: str) -> Path:
    """A database that is no file has its own program for it."""
    from sqlalchemy import make_url

    url = make_url(settings.database)
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database)
    program = "pg_dump --format=custom --file=FILE" if what == "backup" else "pg_restore --clean --dbname"
    plain = url.set(drivername="postgresql").render_as_string(hide_password=True)
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
    from pbem.adapters.keys import renew_key

    settings = read_settings(config)
    with opened_books(settings) as books, _copying():
        aside = renew_key(books, settings.identity.key_file, SystemClock().now())
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


COMMANDS = (letters, status, show_clock, person, waiting, backup, restore, key, unit)
