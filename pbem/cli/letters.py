"""Commands about letters: as the adjudicator sees them, and those that need a person."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from pbem.cli.common import CONFIG, in_one_sentence, opened, print_json, read_settings


@click.group()
def letters() -> None:
    """Letters as the adjudicator sees them, and those that need a person."""


@letters.command("read")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="As docs/reference/order-language.md, section 5, has it.")
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

    with opened(read_settings(config)) as server, in_one_sentence(ValueError):
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
    with opened(read_settings(config)) as server, in_one_sentence(ValueError):
        _each(names, server.kept_letters().retry)


@letters.command("drop")
@click.argument("names", nargs=-1, required=True)
@CONFIG
def drop_letters(names: tuple[str, ...], config: Path) -> None:
    """Forget kept letters, in the mailbox too, and letters of ours that were given up."""
    from pbem.adapters.mail_accounts import drop_from_mailbox
    from pbem.host.ports import MailboxDown

    dropped: list[str] = []

    def forget(name: str) -> str:
        dropped.extend(filter(None, [server.kept_letters().drop(name)]))
        return "dropped"

    settings = read_settings(config, mail=True)
    with opened(settings) as server, in_one_sentence(ValueError):
        _each(names, forget)
    try:
        drop_from_mailbox(settings, dropped)
    except MailboxDown as down:
        click.echo(f"What lies in the mailbox's folder {settings.mailbox.folders.kept} stays there: {down}")


def _each(names: tuple[str, ...], do: Callable[[str], str]) -> None:
    for name in names:
        click.echo(f"{name}: {do(name)}")
