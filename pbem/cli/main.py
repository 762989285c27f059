"""The command line: `pbem --help`. Each command imports what it needs when it runs, so that help is quick."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.cli import moderator, operator
from pbem.cli.common import (
    CONFIG,
    LOG_FORMAT,
    VERSION,
    called,
    log_to_stderr,
    opened,
    print_json,
    read_settings,
    tell_each,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.adapters.logs import Form
    from pbem.host.archive.replay import Replay
    from pbem.host.archive.verify import Finding

T = TypeVar("T")
PROVIDERS = ("gmail", "fastmail", "outlook", "own")


@click.group("pbem", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="pbem %(version)s")
def main() -> None:
    """An adjudicator for board games played by e-mail: Imperial by Mac Gerdts.

    Where it is installed, eval "$(_PBEM_COMPLETE=bash_source pbem)" lets bash complete commands (so, too: zsh, fish).
    """


def start(name: str | None = None) -> None:
    """The program, called by that name. SIGINT and SIGTERM end it wherever it was started from.

    What a shell starts with `&` or `nohup` ignores SIGINT, else, and so do its children.
    """
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, signal.default_int_handler)
    main(prog_name=name)


# -- try it ---


@main.command()
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="What the bots fancy.")
@click.option("--into", type=click.Path(path_type=Path), help="Where to leave letters and record.")
def demo(players: int, seed: int, into: Path | None) -> None:
    """Play a whole game among bots, over real mail servers inside this process."""
    from pbem.cli.output import demo_progress, show_outcome
    from pbem.demo import play

    folder = _demo_folder(into)
    with demo_progress() as progress:
        outcome = play(folder, players=players, seed=seed, progress=progress)
    show_outcome(outcome, called())
    if not outcome.replayed:
        sys.exit("The record does not replay to the same position.")


@main.command(context_settings={"ignore_unknown_options": True})
@click.option("--all", "everything", is_flag=True, help="The slow tests, too: long games, daemons that are killed.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def selftest(arguments: tuple[str, ...], everything: bool) -> None:
    """Test this checkout on all processors: its style and types, and what it does. ARGUMENTS go to pytest, alone."""
    import os
    import subprocess

    checkout = Path(__file__).resolve().parent.parent
    if not (checkout / "tests").is_dir():
        sys.exit("The tests are in the checkout, not in the installed package: clone it and run this there.")
    alone = "PBEM_TEST_POSTGRES" in os.environ  # each test empties that database
    spread = () if alone else ("-n", "auto", "--dist", "worksteal")
    python = (sys.executable, "-m")
    if arguments:
        sys.exit(subprocess.run([*python, "pytest", *spread, *arguments], cwd=checkout, check=False).returncode)  # noqa: S603
    chosen = () if everything else ("-m", "not slow")
    with subprocess.Popen([*python, "tests.checks"], cwd=checkout, stdout=subprocess.PIPE, text=True) as checks:  # noqa: S603
        failed = subprocess.run([*python, "pytest", *spread, *chosen], cwd=checkout, check=False).returncode  # noqa: S603
        click.echo(checks.communicate()[0], nl=False)
    sys.exit(failed or checks.returncode)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the position after the last line.")
def replay(files: tuple[Path, ...], as_json: bool) -> None:
    """Play one or many play files through the referee.

    The first failure stops that file: one line FILE:LINE: what, and exit code 1. A file that can't be read, or that
    gives an impossible position, is exit code 2.
    """
    sys.exit(max(_replay(file, as_json=as_json) for file in files))


def _replay(file: Path, *, as_json: bool) -> int:
    from pbem import bootstrap

    def show(played: Replay) -> int:
        if as_json:
            print_json(played.document())
        return 0

    return _playing(file, bootstrap.replay, show)


def _playing(file: Path, play: Callable[[Path], T], then: Callable[[T], int]) -> int:
    """The exit code of what is done with a play file, or of the problem with it, which is told."""
    from pbem.files import ConfigError
    from pbem.host.archive.playfile import PlayFileError
    from pbem.host.archive.replay import Failed

    try:
        played = play(file)
    except OSError as problem:
        return _tell(f"{file}:1: it can't be read: {problem.strerror}", 2)
    except UnicodeDecodeError:
        return _tell(f"{file}:1: it is no text in UTF-8", 2)
    except ConfigError as problem:
        return _tell(f"{file}:1: {problem}", 2)
    except PlayFileError as problem:
        return _tell(f"{file}:{problem.line}: {problem.what}", 2)
    except Failed as failure:
        return _tell(f"{file}:{failure.line}: {failure.what}", 1)
    return then(played)


@main.command()
@click.option("--language", default="en", show_default=True, help="en, de or it.")
def manual(language: str) -> None:
    """Print the players' manual of the order language, in Markdown."""
    from pbem.adapters.manual import manual as written
    from pbem.language.words import LANGUAGES

    if language not in LANGUAGES:
        sys.exit(f"There is no manual in {language}; there are {', '.join(LANGUAGES)}.")
    click.echo(written(language), nl=False)


@main.command()
@click.argument("what", nargs=-1)
@CONFIG
def verify(what: tuple[str, ...], config: Path) -> None:
    """Decide old entries once more, with today's rules.

    WHAT is play files (FILE.play) and games of this server; without any, all its games. A line for each tells whether
    its log is what was written and what today's rules would make of it, or names the first entry that is not; then the
    exit code is 1.
    """
    files = [word for word in what if word.endswith(".play")]
    codes = [_verify_file(Path(file)) for file in files]
    if not what or len(files) < len(what):
        codes += _verify_games([word for word in what if word not in files], config)
    if not codes:
        click.echo("no games yet", err=True)
    sys.exit(max(codes, default=0))


def _verify_file(file: Path) -> int:
    from pbem import bootstrap

    return _playing(file, bootstrap.verify, _found)


def _verify_games(tags: Sequence[str], config: Path) -> list[int]:

    with opened(read_settings(config)) as server:
        if not tags:
            tags = [each.id for each in server.app.list_games()]
        return [_found(server.app.verify(tag)) for tag in tags]


def _found(finding: Finding) -> int:
    click.echo(str(finding))
    return 0 if finding.honest else 1


# -- run a server ---


@main.command()
@CONFIG
@click.option("--for", "provider", type=click.Choice(PROVIDERS), help="Hosts and ports as this provider has them.")
def init(config: Path, provider: str | None) -> None:
    """Write a commented settings file to fill in."""
    from pbem.adapters.providers import settings_for

    if config.exists():
        sys.exit(f"{config} is there already; it stays as it is.")
    try:
        config.write_text(settings_for(provider), encoding="utf-8")
    except OSError as problem:
        sys.exit(f"{config} can't be written: {problem.strerror}.")
    click.echo(f"{config} is written. Fill it in, and set the variables that it names for the passwords.")
    click.echo(f"Then look whether all is well: {called()} check -c {config} --letter")
    click.echo(f"And serve: {called()} run -c {config}")


@main.command()
@CONFIG
@click.option("--letter", is_flag=True, help="Also send two letters to ourselves, and see whether they arrive.")
@click.option("--patience", type=click.IntRange(1), default=60, show_default=True, help="Seconds to wait for them.")
def check(config: Path, letter: bool, patience: int) -> None:
    """Look whether all is well: settings, files, database, mailbox, mail server.

    Each finding that is not good says how to mend it. Exit code 1 when something is broken.
    """
    from itertools import chain

    from pbem.adapters.checks.server import examine
    from pbem.bootstrap import doctor
    from pbem.cli.output import show_checks

    settings = read_settings(config, mail=True)
    looking = doctor(settings)
    letters = looking.send_letters(patience) if letter else ()
    if not show_checks(chain(examine(settings, config), looking.examine(), letters)):
        sys.exit(1)


@main.command()
@CONFIG
@click.option("--verbose", "-v", is_flag=True, help="Tell more.")
@LOG_FORMAT
def run(config: Path, verbose: bool, log_format: Form | None) -> None:
    """Serve until told to stop (SIGTERM or Ctrl-C)."""
    from pbem.cli.output import greeting
    from pbem.daemon import serving

    settings = read_settings(config, mail=True)
    log_to_stderr(settings, log_format, verbose=verbose)
    with opened(settings) as server, serving(server, settings) as daemon:
        for signum in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signum, lambda *_: daemon.stop())
        click.echo(greeting(settings, server.app.vitals()))
        daemon.run()


@main.command()
@CONFIG
@LOG_FORMAT
def tick(config: Path, log_format: Form | None) -> None:
    """Go round once: read letters, close what ran out, send mail. For cron."""
    from pbem.daemon import serving

    settings = read_settings(config, mail=True)
    log_to_stderr(settings, log_format)
    with opened(settings) as server, serving(server, settings) as daemon:
        if not daemon.tick():
            sys.exit("Something was out of reach, as told above; what was due and could be done has been done.")


# -- games ---


@main.group()
def game() -> None:
    """Games on this server."""


@game.command("new")
@click.argument("players", nargs=-1, required=True)
@click.option("--template", default="", metavar="NAME", help="Of the settings; what is given beside it differs.")
@click.option("--edition", default="new", show_default=True, help="The rule book.")
@click.option("--setup", default="standard", show_default=True, help="standard or experienced.")
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
    "--bots",
    type=click.Choice(["no", "yes"]),
    default="no",
    show_default=True,
    help="Whether a bot holds the seat of somebody silent, till they write or a substitute has come.",
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
    **terms: str | int | None,
) -> None:
    """Invite PLAYERS, written anton@example.org or anton=anton@example.org; the last yes begins the game."""
    from pbem.bootstrap import agreed

    settings = read_settings(config)
    chosen = {key: str(value) for key, value in terms.items() if _is_given(context, key)}
    chosen |= {key: value for key, _, value in (option.partition("=") for option in options)}
    try:
        wanted = agreed(settings, template, chosen)
    except ValueError as problem:
        sys.exit(str(problem))
    with opened(settings) as server:
        try:
            made = server.new_game(wanted, players, moderators)
        except ValueError as problem:
            sys.exit(str(problem))
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
        found = server.app.moderate(tag, lines, preview=preview)
    sys.exit(moderator.tell(found))


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

    with opened(read_settings(config)) as server:
        try:
            document = server.app.document(tag) if as_json else None
            found, done = server.app.query(tag)
        except Unknown:
            sys.exit(f"There is no game {tag}.")
    if document is None:
        show(tag, found, done)
    else:
        print_json(document)


@game.command("record")
@click.argument("tag")
@CONFIG
def record_game(tag: str, config: Path) -> None:
    """Print the game so far as a play file."""

    with opened(read_settings(config)) as server:
        click.echo(server.app.record(tag), nl=False)


for command in moderator.COMMANDS:
    game.add_command(command)


# -- the archive ---


FOLDER = click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))


@main.group()
def archive() -> None:
    """The games' pages: a folder of files that any web server can serve."""


@archive.command("build")
@CONFIG
def build_archive(config: Path) -> None:
    """Bring up the pages of all games; `pbem run` and `pbem tick` do it for games that move.

    What is there stays; to make everything anew, remove the folder first. A game whose pages can't be made is named,
    with the reason; the others are brought up all the same, and the exit code is 1.
    """
    from pbem.bootstrap import archivist

    settings = read_settings(config)
    with opened(settings) as server:
        brought = archivist(server, settings).build()
    are = "1 game is" if len(brought.told) == 1 else f"{len(brought.told)} games are"
    click.echo(f"{are} in {settings.archive}. To look at them: {called()} archive serve {settings.archive}")
    for what, fault in brought.failed.items():
        click.echo(f"{what} could not be brought up: {type(fault).__name__}: {fault}", err=True)
    sys.exit(1 if brought.failed else 0)


@archive.command("verify")
@FOLDER
@CONFIG
def verify_archive(folder: Path | None, config: Path) -> None:
    """Prove the games in FOLDER (without one, this server's archive) from the published files alone.

    A line for each game tells whether its log is one chain and gives every published position, and whether its lots
    follow from its secret; if one does not, the exit code is 1.
    """
    from pbem.adapters.site.reading import Damaged
    from pbem.bootstrap import prove_archive

    folder = _archive_in(folder, config)
    code = 0
    try:
        for proof in prove_archive(folder):
            click.echo(str(proof))
            code = max(code, 1 if proof.fault else 0)
    except Damaged as problem:
        sys.exit(str(problem))
    sys.exit(code)


@archive.command("serve")
@FOLDER
@CONFIG
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Who may look: 0.0.0.0 is everybody.")
def serve_archive(folder: Path | None, config: Path, port: int, host: str) -> None:
    """Show the archive in FOLDER (without one, this server's) to a browser, until Ctrl-C."""
    from pbem.adapters.site.serving import web_server

    folder = _archive_in(folder, config)
    try:
        web = web_server(folder, host, port)
    except OSError as problem:
        sys.exit(f"{host}:{port} can't be used: {problem.strerror}.")
    with web:
        click.echo(f"http://{host}:{web.server_address[1]}/ shows {folder}; Ctrl-C ends it.")
        try:
            web.serve_forever()
        except KeyboardInterrupt:
            click.echo("")


def _archive_in(folder: Path | None, config: Path) -> Path:
    found = folder or read_settings(config).archive
    if not (found / "index.html").is_file():
        sys.exit(f"There is no archive in {found}; `{called()} archive build` makes one.")
    return found


# -- looking after a server ---


for command in operator.COMMANDS:
    main.add_command(command)


# -- small things ---


def _demo_folder(into: Path | None) -> Path:
    import tempfile

    folder = into or _new_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as problem:
        sys.exit(f"Nothing can be left in {folder} ({problem.strerror}): name another folder with --into.")
    return folder


def _new_folder() -> Path:
    """A folder beside us that is not there yet."""
    base = Path("pbem-demo")
    folders = (base, *(base.with_name(f"{base}-{number}") for number in range(2, 10_000)))
    return next(folder for folder in folders if not folder.exists())


def _tell(what: str, code: int) -> int:
    click.echo(what, err=True)
    return code
