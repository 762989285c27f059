"""Commands about leagues."""

from __future__ import annotations

import re
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import click

from pbem.cli.archive import archive_in
from pbem.cli.common import ANY_CONFIG, CONFIG, called, in_one_sentence, opened, print_json, read_settings, tell_each
from pbem.cli.organiser import Organising, sentence

TAG = re.compile(r"[a-z]{2,12}-\d+")


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
@click.option("--season", "number", type=int, help="Its number.  [default: the next, or 1]")
@CONFIG
def new_league(file: Path, number: int | None, config: Path) -> None:
    """Found the league of FILE with its first season, or tell every mistake in the file.

    It says what will happen when. Entries open by themselves. A league whose last season is over, or was imported, goes
    on with another one.
    """
    from pbem.cli.league_pages import calendar_lines
    from pbem.files import ConfigError
    from pbem.league.league_file import read

    with opened(read_settings(config)) as server, in_one_sentence(ConfigError, ValueError), _refused():
        season = server.leagues.found(read(file.read_text("utf-8"), str(file), server.leagues.house()), number)
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
    from pbem.cli.league_files import people

    with opened(read_settings(config)) as server, in_one_sentence(ValueError):
        found = server.leagues.enter(tag, people(file), skip=skip)
    told = [f"line {line}: {sentence(why)}" for line, why in found.bad]
    tell_each(told, "")
    click.echo(f"{found.entered} entered." if found.entered or skip else "Nobody was entered.")
    sys.exit(1 if told and not skip else 0)


@league.command("verify")
@click.argument("whats", metavar="[TAG | FOLDER]...", nargs=-1)
@ANY_CONFIG
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


@league.command("import")
@click.argument("tag", callback=lambda _context, _option, value: _tag(value))
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--game", metavar="NAME", help="What was played, in a new league.  [default: the first]")
@click.option("--rated", is_flag=True, help="Let its results count for the ratings.")
@CONFIG
def import_season(tag: str, file: Path, game: str | None, config: Path, *, rated: bool) -> None:
    """Bring the season TAG here, that was played elsewhere: from its results in FILE, or from what a server exported.

    FILE is a CSV with the columns of an archive's results.csv, of which table, name, place and points are needed and
    game is empty; or a season.json, whose people keep their numbers. Nothing is brought if a row is bad.
    """
    from pbem.cli.league_files import exported, results

    with opened(read_settings(config)) as server, in_one_sentence(ValueError), _refused():
        if file.suffix == ".json":
            season = server.leagues.import_exported(tag, exported(file))
        else:
            found = server.leagues.import_results(tag, results(file), game or _first_game(), rated=rated)
            tell_each((f"line {line}: {why}" for line, why in found.wrong), "")
            if found.season is None:
                sys.exit(f"Nothing was brought from {file}.")
            season = found.season
    click.echo(f"{season.tag}: {len(season.entrants)} players, {len(season.tables)} tables were brought here.")


def _tag(value: str) -> str:
    if not TAG.fullmatch(value):
        raise click.BadParameter(f"{value} should be a season, as euro-3")
    return value


def _first_game() -> str:
    from pbem.games import GAMES

    return next(iter(GAMES))


@league.command("audit")
@click.argument("tag")
@CONFIG
def audit_season(tag: str, config: Path) -> None:
    """What in the season TAG could be an agreement across tables, or one person behind two; no player is told of it."""
    from pbem.cli.league_pages import suspicion_line

    with opened(read_settings(config)) as server:
        found = server.leagues.audit(tag)
    tell_each((suspicion_line(each, names) for each, names in found), "nothing to suspect")


@league.command("adopt")
@click.argument("tag")
@click.argument("games", metavar="GAME [T-N]...", nargs=-1, required=True)
@CONFIG
def adopt_games(tag: str, games: tuple[str, ...], config: Path) -> None:
    """Make games of this server tables of the season TAG: that table T-N which has not begun, or one more.

    Who sits in the game must be those of the table, or entrants of the season. The game's own log decides.
    """
    from pbem.cli.league_files import adopted

    with opened(read_settings(config)) as server, _refused():
        for game, table in adopted(games):
            before = {*server.leagues.season(tag).tables}
            season = server.leagues.adopt(tag, game, table)
            click.echo(f"{game} is T-{table or max({*season.tables} - before)} of {tag}.")


def _refused() -> AbstractContextManager[None]:
    """A refusal is told in its sentence."""
    from pbem.core.refusal import Refusal

    return in_one_sentence(Refusal, told=sentence)
