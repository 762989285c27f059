"""Commands for whoever leads a game: each power of a moderator's letter, used by the operator."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from pbem.cli.common import CONFIG, opened, read_settings

if TYPE_CHECKING:
    from pbem.host.app import Moderated

Reason = Literal["needed", "wanted", "none"]
_ALL = "The reason; all players are told."
_NO = ""


def tell(found: Moderated) -> int:
    """A line for each, and what would follow; the exit code is 1 when one was refused, or nothing was read."""
    from pbem.bootstrap import in_words, sentence

    for verdict in found.results:
        why = f": {sentence(verdict.refusal)}" if verdict.refusal else ""
        click.echo(f"{verdict.outcome}  {verdict.text}{why}")
    if found.trials:
        click.echo(f"\n{in_words(found.trials)}", nl=False)
    return 0 if found.results and all(each.outcome in ("done", "asked", "tried") for each in found.results) else 1


def _use(
    power: str, tag: str, config: Path, fields: Mapping[str, str], why: str, below: Sequence[str] = (), *, preview: bool
) -> None:
    with opened(read_settings(config)) as server:
        meant = server.games.commands.moderators.by_name[power].written(fields, why, below)
        found = server.app.moderate(tag, meant, preview=preview)
    sys.exit(tell(found))


PREVIEW = click.option("--preview", is_flag=True, help="Tell what it would do, and change nothing.")


def _command(
    power: str, told: str, *parameters: click.Parameter, called: str = "", reason: Reason = "needed"
) -> click.Command:
    """A command for a power, with what belongs to it."""

    @CONFIG
    @PREVIEW
    def run(tag: str, config: Path, *, preview: bool, why: str = "", **given: str | int | tuple[str, ...]) -> None:
        fields = {name: " ".join(value) if isinstance(value, tuple) else str(value) for name, value in given.items()}
        _use(power, tag, config, fields, why, preview=preview)

    made = click.command(called or power.replace("_", "-"), help=told)(run)
    why = {"needed": [_why(required=True)], "wanted": [_why(default=_NO)], "none": []}[reason]
    made.params = [click.Argument(["tag"]), *parameters, *why, *made.params]
    return made


def _why(**more: object) -> click.Option:
    return click.Option(["--why"], help=_ALL, **more)  # type: ignore[arg-type]


def _word(name: str) -> click.Argument:
    return click.Argument([name])


def _rest(name: str, *, needed: bool = True) -> click.Argument:
    """All the words that are left."""
    return click.Argument([name], nargs=-1, required=needed)


@click.command("act")
@click.argument("tag")
@click.argument("seat")
@click.argument("orders", nargs=-1, required=True)
@click.option("--why", default="", help=_ALL)
@PREVIEW
@CONFIG
def act(tag: str, seat: str, orders: tuple[str, ...], why: str, config: Path, *, preview: bool) -> None:
    """Give ORDERS, a line each, in the place of a player: all of them, or none. They get a copy.

    pbem game act imp-1 anton "austria: taxation" --why "by phone"
    """
    _use("act_for", tag, config, {"seat": seat, "reason": why}, orders[0], orders[1:], preview=preview)


@click.command("announce")
@click.argument("tag")
@click.argument("text", nargs=-1, required=True)
@PREVIEW
@CONFIG
def announce(tag: str, text: tuple[str, ...], config: Path, *, preview: bool) -> None:
    """Tell all players something."""
    _use("announce", tag, config, {}, " ".join(text), preview=preview)


@click.command("correct")
@click.argument("tag")
@click.argument("given", nargs=-1, required=True)
@click.option("--why", required=True, help=_ALL)
@PREVIEW
@CONFIG
def correct(tag: str, given: tuple[str, ...], why: str, config: Path, *, preview: bool) -> None:
    """Put the position right: GIVEN are facts as in a play file, each in quotes.

    pbem game correct imp-1 "treasury italy 17" "cash anton 3" --why "the dealer miscounted"
    """
    _use("correct", tag, config, {"given": "; ".join(given)}, why, preview=preview)


COMMANDS = (
    _command(
        "invite",
        "Ask somebody to play, before the game begins.",
        _word("address"),
        click.Option(["--as", "name"], default=_NO, help="How the others shall call them."),
        reason="none",
    ),
    _command(
        "seat",
        "Let somebody play under a name without being asked, before the game begins.",
        _word("name"),
        _word("address"),
        reason="none",
    ),
    _command("start", "Begin with those who have said yes.", reason="none"),
    _command("cancel", "Call a game off that has not begun."),
    _command(
        "pause", "Stop the clock: for LENGTH, as in “2 days”, or till you let it go on.", _rest("length", needed=False)
    ),
    _command("resume", "Let the clock go on."),
    _command(
        "extend", "Give a player more time, as in “12h”, for all that is asked of them.", _word("seat"), _rest("length")
    ),
    _command(
        "deadline",
        "Let the time of a player end at TIME (UTC), as in “Sun 18:00” or “2027-03-28 20:00”.",
        _word("seat"),
        _rest("time"),
    ),
    _command(
        "close",
        "End the time of all that is awaited. The turn is named, so that none is closed that has just begun.",
        click.Argument(["turn"], type=click.IntRange(1)),
    ),
    _command(
        "strike",
        "Let what the move order sheet tells of SEAT in a turn count for nothing.",
        _word("seat"),
        click.Argument(["turn"], type=click.IntRange(1)),
    ),
    act,
    _command(
        "reject",
        "Take a petition that is not in order off the table, as in “P-1”; within a day of its posting.",
        _word("petition"),
    ),
    _command("validate", "Find a petition in order, as in “P-1”, once and for all.", _word("petition"), reason="none"),
    _command("uphold", "Decide that an objection to a report is right, as in “O-1”.", _word("objection")),
    _command("dismiss", "Decide that an objection to a report is wrong, as in “O-1”.", _word("objection")),
    _command("eject", "Take a seat from its player; it is kept free for somebody else.", _word("seat")),
    _command(
        "offer",
        "Offer an empty SEAT: to the “next” who waits, to “all” of them, or to an address.",
        _word("seat"),
        _word("whom"),
        reason="none",
    ),
    _command("bot", "Let a bot answer for a seat, till its player writes or somebody else sits down.", _word("seat")),
    _command("no_bot", "Take the bot off a seat.", _word("seat")),
    _command(
        "replace", "Give a seat to somebody else, with the history and a fresh clock.", _word("seat"), _word("address")
    ),
    _command(
        "promote", "Let a player (SEAT) or anybody (ADDRESS) moderate the game, too.", _word("who"), reason="wanted"
    ),
    _command("hand_over", "Let somebody else moderate the game from now on.", _word("who"), reason="wanted"),
    announce,
    _command("rewind", "Go back to the beginning of a turn.", click.Argument(["turn"], type=click.IntRange(1))),
    _command("forward", "Take the last rewinding back, unless something has been played since."),
    correct,
    _command(
        "option",
        "Let an option of a running game have another value.",
        _word("key"),
        _word("value"),
        click.Option(["--consent"], default=_NO, help="Who of the players agreed, and how; all are told."),
    ),
    _command(
        "end",
        "End a game before its end, with the scores as they stand.",
        click.Option(["--without-scores", "scoring"], flag_value="without scores", default=_NO, help="Nobody wins."),
    ),
)
