"""What the commands share: the settings, the server, and how things are told."""

from __future__ import annotations

import sys
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pbem.adapters.logs import Form
    from pbem.adapters.store.sql import SqlStore
    from pbem.bootstrap import Server
    from pbem.settings import Settings

VERSION = "0.4.0"


def called() -> str:
    """How this program was called just now, for sentences that say what to call next."""
    context = click.get_current_context(silent=True)
    return (context and context.find_root().info_name) or "pbem"


def _check_there(config: Path) -> None:
    """Without settings it is told where to get some, and the program ends."""
    if not config.exists():
        sys.exit(f"There is no {config}; `{called()} init -c {config}` writes one to fill in.")


def _needed(context: click.Context, _option: click.Parameter, config: Path) -> Path:
    """Looked for before the command is begun, which imports what it works with; not where a shell completes one."""
    if not context.resilient_parsing:
        _check_there(config)
    return config


_config = partial(
    click.option,
    "--config",
    "-c",
    type=click.Path(path_type=Path),
    default=Path("pbem.yaml"),
    show_default=True,
    help="The server's settings.",
)
CONFIG = _config(callback=_needed)
ANY_CONFIG = _config()  # for commands that may do without
LOG_FORMAT = click.option("--log-format", type=click.Choice(["text", "json"]), help="Instead of log_format's.")


def tell_each(lines: Iterable[str], none: str) -> None:
    """Print the lines; where there is none, tell people so, and programs nothing."""
    told = False
    for line in lines:
        click.echo(line)
        told = True
    if not told:
        click.echo(none, err=True)


@contextmanager
def in_one_sentence(*problems: type[Exception], told: Callable[[Any], str] = str) -> Iterator[None]:
    """What can't be done for one of these reasons is told so, and the program ends."""
    try:
        yield
    except problems as problem:
        sys.exit(told(problem))


def read_settings(config: Path, *, mail: bool = False) -> Settings:
    """The settings; `mail` for commands that talk to the mail servers, and so need the passwords."""
    _check_there(config)
    from pbem.files import ConfigError
    from pbem.settings import Settings

    with in_one_sentence(ConfigError):
        return Settings.load(config, mail=mail)


@contextmanager
def opened(settings: Settings) -> Iterator[Server]:
    """The server of these settings, or a sentence that says why it can't be used."""
    from pbem.bootstrap import server

    with opened_books(settings) as repository:
        with told_of_keys():
            found = server(settings, repository)
        yield found


@contextmanager
def told_of_keys() -> Iterator[None]:
    """A key that can't be read, or is not that of the books, is told in a sentence."""
    from pbem.adapters.store.keys import WrongKey

    def lost(problem: WrongKey) -> str:
        return f"{problem}: put it back from a copy. If it is lost, `{called()} key renew` makes another."

    with in_one_sentence(OSError), in_one_sentence(WrongKey, told=lost):
        yield


@contextmanager
def opened_books(settings: Settings) -> Iterator[SqlStore]:
    """The database of these settings, or a sentence that says why it can't be used, or what it does not know."""
    from pbem.adapters.store.sql import NewerDatabase, NoDriver, SqlStore, Unusable
    from pbem.host.ports import Conflict, StoreDown, Unknown

    def down(problem: StoreDown | Conflict) -> str:
        return f"The database can't be used now: {problem}."

    with in_one_sentence(NewerDatabase, NoDriver, Unusable, OSError):
        store = SqlStore(settings.database)
    with closing(store), in_one_sentence(Unknown), in_one_sentence(StoreDown, Conflict, told=down):
        yield store


def log_to_stderr(settings: Settings, form: Form | None = None, *, verbose: bool = False) -> None:
    from pbem.adapters.logs import log_to_stderr as log
    from pbem.adapters.mail_accounts import secrets_of

    log(form or settings.log_format, verbose=verbose, secrets=secrets_of(settings))


def print_json(document: Any) -> None:
    import json

    click.echo(json.dumps(document, indent=2, ensure_ascii=False))
