"""Commands for whoever tries the program: the demo, its own tests, the manual."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem.cli.common import called, in_one_sentence
from pbem.core.bot import LEVELS
from pbem.core.languages import LANGUAGES

SEEN = ("-rs", "--durations=25", "--durations-min=1")  # what is left out, and which tests have become slow


@click.command()
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True)
@click.option("--game", default="imperial", show_default=True, help="Which game.")
@click.option("--seed", type=int, default=1, show_default=True, help="What the bots fancy.")
@click.option("--bots", type=click.Choice(LEVELS), help="How well the first of them plays; the others are fair.")
@click.option("--into", type=click.Path(path_type=Path), help="Where to leave letters and record.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of letters and pages.")
@click.option("--league", is_flag=True, help="A short season of a league instead, over a post office in memory.")
def demo(
    players: int, game: str, seed: int, bots: str | None, into: Path | None, language: str, *, league: bool
) -> None:
    """Play a whole game among bots, over real mail servers inside this process."""
    from pbem.cli.output import demo_progress, show_outcome
    from pbem.cli.simulating import run_league
    from pbem.demo import check, play
    from pbem.simulation.season import FRIENDS, friends

    with in_one_sentence(ValueError):
        check(players, game)
    folder = _demo_folder(into)
    if league:
        run_league(friends, folder=folder, players=FRIENDS, seasons=1, seed=seed)
    first = bots or ""
    with demo_progress(language) as progress:
        outcome = play(folder, players=players, seed=seed, game=game, first=first, language=language, progress=progress)
    show_outcome(outcome, called())
    if not outcome.replayed:
        sys.exit("The record does not replay to the same position.")


def _demo_folder(into: Path | None) -> Path:
    import tempfile

    def unfit(problem: OSError) -> str:
        return f"Nothing can be left in {folder} ({problem.strerror}): name another folder with --into."

    folder = into or _new_folder()
    with in_one_sentence(OSError, told=unfit):
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    return folder


def _new_folder() -> Path:
    """A folder beside us that is not there yet."""
    base = Path("pbem-demo")
    folders = (base, *(base.with_name(f"{base}-{number}") for number in range(2, 10_000)))
    return next(folder for folder in folders if not folder.exists())


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--all", "everything", is_flag=True, help="The slow tests, too: long games, daemons that are killed.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def selftest(arguments: tuple[str, ...], everything: bool) -> None:
    """Test this checkout on all processors: its style and types, and what it does. ARGUMENTS go to pytest, alone."""
    import os
    import subprocess
    from functools import partial

    checkout = Path(__file__).resolve().parents[2]
    if not (checkout / "tests").is_dir():
        sys.exit("The tests are in the checkout, not in the installed package: clone it and run this there.")
    alone = "PBEM_TEST_POSTGRES" in os.environ  # each test empties that database
    spread = () if alone else ("-n", "auto", "--dist", "worksteal")
    python = (sys.executable, "-m")
    # Compiled once: each process of a test would compile all of PBEM, and pytest rewrite every test of each worker.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if everything:
        environ.setdefault("PBEM_TIMES", "2")  # properties try twice as many examples
    run = partial(subprocess.run, cwd=checkout, env=environ, check=False)
    if arguments:
        sys.exit(run([*python, "pytest", *spread, *arguments]).returncode)
    chosen = () if everything else ("-m", "not slow")
    with subprocess.Popen([*python, "tests.checks"], cwd=checkout, stdout=subprocess.PIPE, text=True) as checks:  # noqa: S603
        failed = run([*python, "pytest", *spread, *SEEN, *chosen]).returncode
        click.echo(checks.communicate()[0], nl=False)
    sys.exit(failed or checks.returncode)


@click.command()
@click.option("--language", default="en", show_default=True, help="en, de or it.")
@click.option("--game", default="", metavar="NAME", help="Whose orders.  [default: the first]")
def manual(language: str, game: str) -> None:
    """Print the players' manual of the order language, in Markdown."""
    from pbem.adapters.manual import manual as written
    from pbem.core.game import game_of
    from pbem.core.seat import Setup
    from pbem.games import GAMES

    if language not in LANGUAGES:
        sys.exit(f"There is no manual in {language}; there are {', '.join(LANGUAGES)}.")
    with in_one_sentence(ValueError):
        presenter = game_of(GAMES, Setup(game=game)).presenter
    click.echo(written(presenter, language), nl=False)


COMMANDS = (demo, selftest, manual)
