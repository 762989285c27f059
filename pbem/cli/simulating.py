"""Leagues among bots: to see how one will go, and to be shown one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import ANY_CONFIG, called, in_one_sentence, read_settings

if TYPE_CHECKING:
    from pbem.league.limits import House
    from pbem.league.settings import Settings

MOST = 2_000  # players


@click.command("simulate")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--players", type=click.IntRange(2, MOST), help="How many enter.  [default: most, else twice least]")
@click.option("--seasons", type=click.IntRange(1, 20), default=1, show_default=True, help="One after another.")
@click.option("--seed", type=int, default=1, show_default=True, help="What the bots fancy, and all lots.")
@click.option("--silent", type=click.IntRange(min=0), default=0, help="How many fall silent in the third week.")
@click.option("--reserves", type=click.IntRange(min=0), default=0, help="How many others would take a seat over.")
@click.option("--into", type=click.Path(path_type=Path), help="Where to leave letters and pages.")
@ANY_CONFIG
def simulate_league(
    file: Path,
    players: int | None,
    seasons: int,
    seed: int,
    silent: int,
    reserves: int,
    into: Path | None,
    config: Path,
) -> None:
    """See how the league of FILE will go: its seasons among bots who sleep at night and answer by mail.

    Nobody is written to. It tells how long tables take, how they end and how much mail that means, and leaves the
    letters and pages of the league. The same seed gives the same season. Templates are those of --config, if it exists.
    """
    from pbem.league.league_file import read

    text = file.read_text("utf-8")
    run_league(
        lambda house: read(text, str(file), house),
        folder=into or Path(f"{file.stem}-simulated"),
        players=players,
        seasons=seasons,
        seed=seed,
        silent=silent,
        reserves=reserves,
        config=config,
    )


def run_league(
    read: Callable[[House], Settings],
    *,
    folder: Path,
    players: int | None,
    seasons: int,
    seed: int,
    silent: int = 0,
    reserves: int = 0,
    config: Path | None = None,
) -> None:
    """Simulate it, follow it on the screen, and tell what it came to; ends the program where a season does not."""
    import time

    from pbem.bootstrap import lobby_policy
    from pbem.cli.league_pages import season_progress, show_simulation
    from pbem.files import ConfigError
    from pbem.simulation.season import Stuck, simulate

    policy = lobby_policy(read_settings(config)) if config and config.exists() else None
    with in_one_sentence(ConfigError, ValueError, Stuck), season_progress() as progress:
        outcome = simulate(
            folder,
            read,
            players=players,
            now=int(time.time()),
            seasons=seasons,
            seed=seed,
            silent=silent,
            reserves=reserves,
            policy=policy,
            progress=progress,
        )
    show_simulation(outcome, called())
    sys.exit(1 if any(verdict.fault for verdict in outcome.verdicts) else 0)
