"""Commands about the games of a server."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from pbem.cli import moderator
from pbem.cli.bots import bots_wanted
from pbem.cli.common import CONFIG, called, in_one_sentence, opened, print_json, read_settings, tell_each


@click.group(cls=moderator.Leading)
def game() -> None:
    """Games on this server."""


@game.command("new")
@click.argument("players", nargs=-1, required=True)
@click.option("--template", default="", metavar="NAME", help="Of the settings; what is given beside it differs.")
@click.option("--game", metavar="NAME", help="Of those there are.  [default: the first]")
@click.option("--edition", metavar="NAME", help="The rule book.  [default: the game's usual one]")
@click.option("--setup", metavar="NAME", help="How it begins.  [default: as the game usually does]")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="A rule that differs.")
@click.option("--slot-hours", type=click.IntRange(1), help="Hours for each answer.")
@click.option(
    "--policy",
    type=click.Choice(["auto", "on_request", "lenient"]),
    default="auto",
    show_default=True,
    help="Who answers for a player whose time is over: the clock, it when another player asks for it, or nobody.",
)
@click.option("--grace-hours", type=click.IntRange(0), default=0, show_default=True, help="Before the clock answers.")
@click.option(
    "--hold-minutes", type=click.IntRange(0), default=0, show_default=True, help="So long “undo” takes an order back."
)
@click.option(
    "--bots",
    metavar="NUMBER|LEVEL",
    multiple=True,
    callback=bots_wanted,
    help="So many seats for bots; or easy, fair or hard: how well they play, then for somebody silent, too. Or both.",
)
@click.option("--clock-zone", default="UTC", show_default=True, help="Whose days and hours the next three are.")
@click.option("--idle-days", default="", metavar="DAYS", help='Weekdays that do not count, as in "sat, sun".')
@click.option("--holidays", default="", metavar="PLACES", help='Public holidays that do not count, as in "DE-BY, IT".')
@click.option("--quiet-hours", default="", metavar="FROM-TO", help="Hours that do not count, as in 23:00-7:00.")
@click.option("--moderator", "moderators", multiple=True, metavar="NAME=ADDRESS", help="Who leads it, by mail.")
@click.option(
    "--press", type=click.Choice(["all", "public", "none"]), default="all", show_default=True, help="To whom."
)
@click.option(
    "--anonymous",
    type=click.Choice(["no", "until_end", "always"]),
    default="no",
    show_default=True,
    help="Whether players may know who the others are.",
)
@CONFIG
@click.pass_context
def new_game(
    context: click.Context,
    /,
    players: tuple[str, ...],
    template: str,
    options: tuple[str, ...],
    moderators: tuple[str, ...],
    config: Path,
    bots: Mapping[str, str],
    **terms: str | int | None,
) -> None:
    """Invite PLAYERS, written anton@example.org or anton=anton@example.org; the last yes begins the game."""
    from pbem.bootstrap import agreed

    settings = read_settings(config)
    chosen = {key: str(value) for key, value in terms.items() if _is_given(context, key)}
    chosen |= bots
    chosen |= {key: value for key, _, value in (option.partition("=") for option in options)}
    with in_one_sentence(ValueError):
        wanted = agreed(settings, template, chosen)
    with opened(settings) as server, in_one_sentence(ValueError):
        made = server.new_game(wanted, players, moderators)
    click.echo(f"{made.id}: {len(made.members)} invitations wait to be sent by `{called()} run`.")


def _is_given(context: click.Context, key: str) -> bool:
    return context.get_parameter_source(key) is click.core.ParameterSource.COMMANDLINE


@game.command("do")
@click.argument("tag")
@click.argument("lines", nargs=-1, required=True)
@moderator.PREVIEW
@CONFIG
def do_in_game(tag: str, lines: tuple[str, ...], config: Path, *, preview: bool) -> None:
    """Use a moderator's powers in a game, each LINE as in a moderator's letter.

    The reason stands behind a colon; all players are told what was done, by whom and why. Before the game begins:

    \b
    invite anna@example.org     seat bert bert@example.org     start
    cancel the game: WHY

    While it runs:

    \b
    announce: TEXT              act for anton, WHY: austria: taxation
    close turn 12: WHY          correct treasury italy 17; cash anton 3: WHY
    rewind to turn 10: WHY      roll forward: WHY
    eject anton: WHY            replace anton by anna@example.org: WHY
    promote anton               hand over to anna@example.org
    option slot_hours = 48 with consent of all players: WHY
    pause 2 days: WHY           resume: WHY
    extend anton 12h: WHY       deadline anton Sun 18:00: WHY
    end: WHY

    Each of them is a command of its own, too, as in `pbem game close imp-1 12 --why "asleep"`.
    """
    with opened(read_settings(config)) as server:
        found, words = server.app.moderate(tag, lines, preview=preview), server.words(tag)
    sys.exit(moderator.tell(found, words))


@game.command("list")
@CONFIG
def list_games(config: Path) -> None:
    """All games, a line each."""

    with opened(read_settings(config)) as server:
        found = server.app.list_games()
    lines = (f"{each.id}  {each.status:<9}  {', '.join(member.seat for member in each.members)}" for each in found)
    tell_each(lines, "no games yet")


@game.command("show")
@click.argument("tag")
@click.option("--json", "as_json", is_flag=True, help="The state document.")
@CONFIG
def show_game(tag: str, as_json: bool, config: Path) -> None:
    """A page about a game: who sits where, and who is awaited since when and until when.

    It tells, too, who has what kind of paper on file (but not its text), what was done beside the orders, letters that
    came back, and the last letters with what became of each.
    """
    from pbem.cli.output import show_game as show
    from pbem.host.ports import Unknown

    absent = in_one_sentence(Unknown, told=lambda _: f"There is no game {tag}.")
    with opened(read_settings(config)) as server, absent:
        document = server.app.document(tag) if as_json else None
        (found, done), words = server.app.query(tag), server.words(tag)
    if document is None:
        show(tag, found, done, words)
    else:
        print_json(document)


@game.command("record")
@click.argument("tag")
@CONFIG
def record_game(tag: str, config: Path) -> None:
    """Print the game so far as a play file."""

    with opened(read_settings(config)) as server:
        click.echo(server.app.record(tag), nl=False)
