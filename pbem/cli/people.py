"""Commands about people: what is held about them, and who waits for a seat."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import CONFIG, in_one_sentence, opened, print_json, read_settings, tell_each

ELSE = "--books-only leaves the letters in the mailbox"


@click.group()
def person() -> None:
    """What the server holds about a person, by one of their addresses."""


@person.command("show")
@click.argument("address")
@CONFIG
def show_person(address: str, config: Path) -> None:
    """Name, addresses and games, a line each."""
    from pbem.cli.output import show_person as show

    with opened(read_settings(config)) as server, in_one_sentence(ValueError):
        show(*server.people.show(address))


@person.command("export")
@click.argument("address")
@CONFIG
def export_person(address: str, config: Path) -> None:
    """Print all that is held about them as JSON: give it to nobody else."""
    with opened(read_settings(config)) as server, in_one_sentence(ValueError):
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
    from pbem.adapters.mail_accounts import erase_from_mailbox
    from pbem.host.ports import MailboxDown

    settings = read_settings(config, mail=not books_only)
    with opened(settings) as server, in_one_sentence(ValueError):
        theirs = server.people.erasable(address)
        with in_one_sentence(MailboxDown, told=lambda down: f"Nothing was erased: {down} ({ELSE})"):
            letters = 0 if books_only else erase_from_mailbox(settings, theirs)
        games = server.people.erase(address)
    click.echo(f"Erased, and so are their letters in the mailbox ({letters}); {len(games)} games keep the seat.")
    click.echo("Not erased: copies in backups" + (" and in the mailbox's folders." if books_only else "."))


@person.command("tokens")
@click.argument("address")
@CONFIG
def rotate_tokens(address: str, config: Path) -> None:
    """Make their tokens new, as when somebody else may have read their letters."""
    with opened(read_settings(config)) as server, in_one_sentence(ValueError):
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
    with opened(read_settings(config)) as server, in_one_sentence(ValueError):
        asked = server.people.wait(address)
    click.echo(f"Waits for a seat; asked for {asked} games now.")


@waiting.command("remove")
@click.argument("address")
@CONFIG
def remove_waiting(address: str, config: Path) -> None:
    """Strike somebody off."""
    with opened(read_settings(config)) as server, in_one_sentence(ValueError):
        server.people.wait_no_more(address)
    click.echo("Does not wait any more.")
