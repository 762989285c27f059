"""Commands about leagues."""

from __future__ import annotations

import csv
import re
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import click

from pbem.cli.archive import archive_in
from pbem.cli.common import CONFIG, called, in_one_sentence, opened, print_json, read_settings, tell_each
from pbem.cli.organiser import Organising, sentence

TAG = re.compile(r"[a-z]{2,12}-\d+")
COLUMNS = ("address", "name", "language", "zone", "apart", "note")


@click.group(cls=Organising)
def league() -> None:
    """Leagues on this server: seasons of tables among many players."""


@league.command("init")
@click.argument("name")
@click.option("--game", metavar="NAME", help="Of those there are.  [default: the first]")
def init_league(name: str, game: str | None) -> None:
    """Write NAME.yaml, the file of a league with every key, to fill in; `league new` founds it."""
    from pbem.games import GAMES
    from pbem.league.league_file import template

    file = Path(f"{name}.yaml")
    if game is not None and game not in GAMES:
        sys.exit(f"There is no game {game}; there is {', '.join(GAMES)}.")
    if file.exists():
        sys.exit(f"{file} is there already; it was left alone.")
    file.write_text(template(name, game or next(iter(GAMES))), "utf-8")
    click.echo(f"{file} is written; see to season.start, then `{called()} league new {file}` founds the league.")


@league.command("new")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@CONFIG
def new_league(file: Path, config: Path) -> None:
    """Found the league of FILE with its first season, or tell every mistake in the file.

    It says what will happen when. Entries open by themselves.
    """
    from pbem.cli.league_pages import calendar_lines
    from pbem.files import ConfigError
    from pbem.league.league_file import read

    with opened(read_settings(config)) as server, in_one_sentence(ConfigError, ValueError), _refused():
        season = server.leagues.found(read(file.read_text("utf-8"), str(file), server.leagues.house()))
    click.echo(f"{season.tag}: the league is founded; its lots are fixed by {season.founded.commitment}.")
    tell_each(calendar_lines(season), "")


@league.command("list")
@CONFIG
def list_leagues(config: Path) -> None:
    """All leagues with their newest seasons, a line each."""
    with opened(read_settings(config)) as server:
        found = server.leagues.leagues()
    tell_each(
        (f"{season.tag}  {season.phase:<10}  {season.settings.titled('en')}" for _, season in found), "no leagues yet"
    )


@league.command("show")
@click.argument("tag")
@click.option("--json", "as_json", is_flag=True, help="The season as its acts fold to it.")
@CONFIG
def show_season(tag: str, config: Path, *, as_json: bool) -> None:
    """A page about a season: where it stands, what comes when, groups, tables, and what is due."""
    import msgspec

    from pbem.cli.league_pages import show_season as show

    with opened(read_settings(config)) as server:
        season, names = server.leagues.season(tag), server.leagues.names(tag)
    if as_json:
        print_json(msgspec.to_builtins(season, str_keys=True))
    else:
        show(season, names)


@league.command("ranking")
@click.argument("tag")
@click.argument("group", default="")
@CONFIG
def show_ranking(tag: str, group: str, config: Path) -> None:
    """The standings of a season, or of one group of it, with what each tie-break says."""
    from pbem.cli.league_pages import show_ranking as show

    with opened(read_settings(config)) as server:
        season, names = server.leagues.season(tag), server.leagues.names(tag)
    if group and group not in season.groups:
        sys.exit(f"There is no group {group} in {tag}; there is {', '.join(season.groups) or 'none yet'}.")
    show(season, names, group)


@league.command("forgo")
@click.argument("tag")
@click.argument("address")
@CONFIG
def forgo_wish(tag: str, address: str, config: Path) -> None:
    """Let somebody sit with anybody, where those they won't sit with can't be kept apart from them."""
    with opened(read_settings(config)) as server, _refused():
        server.leagues.forgo(tag, address)
    click.echo(f"{address} sits with anybody in {tag}; the next round goes on.")


@league.command("enter")
@click.argument("tag")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--skip", is_flag=True, help="Leave bad rows out, and say which.")
@CONFIG
def enter_people(tag: str, file: Path, config: Path, *, skip: bool) -> None:
    """Enter the people of FILE, a CSV with the columns address, name, language, zone, apart, note.

    The first is needed; `apart` holds addresses with blanks between them. Nobody is entered if a row is bad.
    """
    with opened(read_settings(config)) as server, in_one_sentence(ValueError):
        found = server.leagues.enter(tag, _rows(file), skip=skip)
    told = [f"line {line}: {sentence(why)}" for line, why in found.bad]
    tell_each(told, "")
    click.echo(f"{found.entered} entered." if found.entered or skip else "Nobody was entered.")
    sys.exit(1 if told and not skip else 0)


@league.command("verify")
@click.argument("whats", metavar="[TAG | FOLDER]...", nargs=-1)
@CONFIG
def verify_seasons(whats: tuple[str, ...], config: Path) -> None:
    """Prove all seasons in each FOLDER, or the season TAG in this server's archive, from the published files alone.

    Without any, all of this server's archive. A line for each season tells whether its draws, points, standings and
    files follow from its log and from the logs of its games, or the first thing that does not. The exit code is then
    1; it is 2 if a file can't be read.
    """
    from pbem.adapters.site.reading import Damaged

    code = 0
    for what in whats or ("",):
        try:
            code = max(code, _verified(what, config))
        except Damaged as problem:
            click.echo(f"{problem}", err=True)
            code = 2
    sys.exit(code)


def _verified(what: str, config: Path) -> int:
    """Raises `Damaged`."""
    from pbem.bootstrap import prove_seasons

    is_tag = TAG.fullmatch(what) is not None and not Path(what).exists()
    verdicts = [*prove_seasons(archive_in(Path(what) if what and not is_tag else None, config), what if is_tag else "")]
    if is_tag and not verdicts:
        sys.exit(f"There is no season {what} in the archive.")
    for verdict in verdicts:
        click.echo(verdict.sentence)
    return int(any(verdict.fault for verdict in verdicts))


@league.command("export")
@click.argument("tag")
@click.option("--json", "form", flag_value="season.json", default=True, help="All that is published of it.  [default]")
@click.option("--csv", "form", flag_value="results.csv", help="Its results, a line for each seat.")
@CONFIG
def export_season(tag: str, form: str, config: Path) -> None:
    """Print the season TAG as the archive publishes it."""
    from pbem.bootstrap import season_file

    with opened(read_settings(config)) as server:
        click.echo(season_file(server.leagues.published(tag), form), nl=False)


def _rows(file: Path) -> list[dict[str, str]]:
    """Raises `ValueError`."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.DictReader(lines)
        unknown = [name for name in rows.fieldnames or () if name not in COLUMNS]
        if unknown or "address" not in (rows.fieldnames or ()):
            raise ValueError(
                f"{file}: the first line should name the columns, of {', '.join(COLUMNS)}: address is needed"
            )
        return [{name: (value or "").strip() for name, value in row.items() if name} for row in rows]


def _refused() -> AbstractContextManager[None]:
    """A refusal is told in its sentence."""
    from pbem.core.refusal import Refusal

    return in_one_sentence(Refusal, told=sentence)
