"""Commands for whoever leads a league: each power of an organiser's letter, used by the operator."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import CONFIG, opened, read_settings

if TYPE_CHECKING:
    from pbem.core.refusal import Refusal
    from pbem.host.app.leagues import Organised

# How a command's line begins, and the powers that it uses; what else it needs is written behind as in a letter.
LINES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "open": ("open entries", ("open_entries",)),
    "close": ("close entries", ("close_entries",)),
    "draw": ("draw", ("draw",)),
    "redraw": ("redraw", ("redraw",)),
    "expel": ("expel", ("expel",)),
    "same": ("same", ("same",)),
    "excuse": ("excuse", ("excuse",)),
    "admit": ("admit", ("admit",)),
    "refuse": ("refuse", ("refuse",)),
    "move": ("move", ("move",)),
    "pause": ("pause", ("pause",)),
    "resume": ("resume", ("resume",)),
    "extend": ("extend", ("extend_season", "extend_table")),
    "end": ("end", ("end_season", "end")),
    "begin": ("begin", ("begin",)),
    "replay": ("replay", ("replay",)),
    "replace": ("replace", ("replace",)),
    "score": ("score", ("score",)),
    "void": ("void", ("void",)),
    "penalise": ("penalise", ("penalise",)),
    "forgive": ("forgive", ("forgive",)),
    "beacon": ("beacon", ("beacon",)),
    "uphold": ("uphold", ("uphold",)),
    "dismiss": ("dismiss", ("dismiss",)),
    "reject": ("reject", ("reject",)),
    "set": ("set", ("set",)),
    "rewind": ("rewind to", ("rewind",)),
    "forward": ("roll forward", ("forward",)),
    "announce": ("announce:", ("announce",)),
    "promote": ("promote", ("promote",)),
    "hand-over": ("hand over to", ("hand_over",)),
    "call-off": ("call off", ("call_off",)),
}


class Organising(click.Group):
    """Commands, and one for each power: made when somebody asks, for the table of powers knows much of the host."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), "do", *LINES])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = super().get_command(ctx, cmd_name)
        return known or (do if cmd_name == "do" else _commands().get(cmd_name))


@click.command("do")
@click.argument("tag")
@click.argument("lines", metavar="LINE...", nargs=-1, required=True)
@CONFIG
def do(tag: str, lines: tuple[str, ...], config: Path) -> None:
    """Use powers of an organiser in the season TAG, each a LINE as in a letter, up to the first that can't be."""
    _use(tag, lines, config)


@cache
def _commands() -> Mapping[str, click.Command]:
    return {name: _command(name) for name in LINES}


def _command(name: str) -> click.Command:
    from pbem.host.organising.commands import ORGANISER_COMMANDS

    start, used = LINES[name]
    powers = [ORGANISER_COMMANDS.by_name[each] for each in used]

    @CONFIG
    @click.option("--why", default="", help="The reason; whom it concerns is told.")
    @click.argument("words", nargs=-1)
    @click.argument("tag")
    def run(tag: str, words: tuple[str, ...], why: str, config: Path, *, preview: bool = False) -> None:
        line = " ".join(("preview draw" if preview else start, *words))
        _use(tag, (f"{line}: {why}" if why else line,), config)

    if name == "draw":
        run = click.option("--preview", is_flag=True, help="Show what lots might make, and draw nothing.")(run)
    told = [f"As in a letter: {power.form}" for power in powers]
    return click.command(name, help="\n\n".join((*(power.does for power in powers), *told)))(run)


def _use(tag: str, lines: tuple[str, ...], config: Path) -> None:
    with opened(read_settings(config)) as server:
        found = server.leagues.organise(tag, lines)
    sys.exit(_tell(found))


def _tell(found: Organised) -> int:
    """A line for each; the exit code is 1 when one was refused, or nothing was read."""
    from pbem.cli.league_pages import show_drawn

    for verdict in found.results:
        why = f": {sentence(verdict.refusal)}" if verdict.refusal else ""
        click.echo(f"{verdict.outcome}  {verdict.text}{why}")
    show_drawn(found.told)
    return 0 if found.results and all(each.outcome == "done" for each in found.results) else 1


def sentence(why: Refusal) -> str:
    """A refusal in words."""
    from pbem.bootstrap import sentence as said

    return said(why)
