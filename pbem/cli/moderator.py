"""Commands for whoever leads a game: each power of a moderator's letter, used by the operator."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import CONFIG, opened, read_settings

if TYPE_CHECKING:
    from pbem.adapters.mail_renderer import MailRenderer
    from pbem.host.app import Moderated
    from pbem.language.moderators import ModeratorCommand

PREVIEW = click.option("--preview", is_flag=True, help="Tell what it would do, and change nothing.")
CALLED = {"act_for": "act"}  # where it is not the power's name
EXAMPLES = {
    "act_for": 'pbem game act imp-1 anton "austria: taxation" --why "by phone"',
    "correct": 'pbem game correct imp-1 "treasury italy 17" "cash anton 3" --why "the dealer miscounted"',
}
BY_LETTER = ("start", "until")  # fields that a command has not
SEVERAL = ("length", "time", "given")
OPTIONS: Mapping[str, Mapping[str, object]] = {  # fields that a power may go without, and options have
    "name": {"param_decls": ["--as", "name"], "help": "How the others shall call them."},
    "consent": {"param_decls": ["--consent"], "help": "Who of the players agreed, and how; all are told."},
    "scoring": {
        "param_decls": ["--without-scores", "scoring"],
        "flag_value": "without scores",
        "help": "Nobody wins.",
    },
}


def tell(found: Moderated, words: MailRenderer) -> int:
    """A line for each, and what would follow; the exit code is 1 when one was refused, or nothing was read."""
    for verdict in found.results:
        why = f": {words.sentence(verdict.refusal.code, verdict.refusal.facts)}" if verdict.refusal else ""
        click.echo(f"{verdict.outcome}  {verdict.text}{why}")
    if found.trials:
        click.echo("\n" + "\n".join(map(words.told, found.trials)), nl=False)
    return 0 if found.results and all(each.outcome in ("done", "asked", "tried") for each in found.results) else 1


class Leading(click.Group):
    """Commands, and one for each power: made when somebody asks, for the table of powers knows much of the host."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *commands()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or commands().get(cmd_name)


@cache
def commands() -> Mapping[str, click.Command]:
    """By name."""
    from pbem.host.app import MODERATOR_COMMANDS

    made = map(_command, MODERATOR_COMMANDS.by_name.values())
    return {str(command.name): command for command in made}


def _command(power: ModeratorCommand) -> click.Command:
    """The command for a power, with what belongs to it."""

    @CONFIG
    @PREVIEW
    def run(tag: str, config: Path, *, preview: bool, why: str = "", **given: str | int | tuple[str, ...]) -> None:
        fields = {name: _text(name, value) for name, value in given.items() if name != power.gives}
        said = given.get(power.gives, ())
        with opened(read_settings(config)) as server:
            if isinstance(said, tuple) and power.gives == "orders":
                meant = power.written({**fields, "reason": why}, said[0], said[1:])
            else:
                meant = power.written(fields, why or _text("", said))
            found, words = server.app.moderate(tag, meant, preview=preview), server.words(tag)
        sys.exit(tell(found, words))

    name = CALLED.get(power.name, power.name.replace("_", "-"))
    made = click.command(name, help="\n\n".join(filter(None, (power.does, EXAMPLES.get(power.name)))))(run)
    made.params = [click.Argument(["tag"]), *_parameters(power), *made.params]
    return made


def _text(name: str, value: str | int | tuple[str, ...]) -> str:
    return ("; " if name == "given" else " ").join(value) if isinstance(value, tuple) else str(value)


def _parameters(power: ModeratorCommand) -> Iterator[click.Parameter]:
    for name, needed in power.fields.items():
        if not needed and name in OPTIONS:
            yield click.Option(default="", **OPTIONS[name])  # type: ignore[arg-type]
        elif name not in BY_LETTER:
            yield _argument(name, needed=needed)
    if power.gives:
        yield click.Argument([power.gives], nargs=-1, required=True)
    if power.explained or power.gives == "orders":
        told = {"required": True} if power.explained == "always" else {"default": ""}
        yield click.Option(["--why"], help="The reason; all players are told.", **told)


def _argument(name: str, *, needed: bool) -> click.Argument:
    if name == "turn":
        return click.Argument([name], type=click.IntRange(1))
    return click.Argument([name], nargs=-1, required=needed) if name in SEVERAL else click.Argument([name])
