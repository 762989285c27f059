"""What the commands share: the settings, the server, and how things are told."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.adapters.logs import Form
    from pbem.bootstrap import Server
    from pbem.settings import Settings

VERSION = "0.3.0"
CONFIG = click.option(
    "--config",
    "-c",
    type=click.Path(path_type=Path),
    default=Path("pbem.yaml"),
    show_default=True,
    help="The server's settings.",
)

LOG_FORMAT = click.option("--log-format", type=click.Choice(["text", "json"]), help="Instead of log_format's.")


def read_settings(config: Path) -> Settings:
    from pbem.files import Misfiled
    from pbem.settings import Settings

    try:
        return Settings.load(config)
    except FileNotFoundError:
        sys.exit(f"There is no {config}; `pbem init -c {config}` writes one to fill in.")
    except Misfiled as problem:
        sys.exit(str(problem))


@contextmanager
def opened(settings: Settings) -> Iterator[Server]:
    """The server of these settings, or a sentence that says why its database can't be used."""
    from pbem.adapters.store.sql import NewerDatabase, NoDriver, Unusable
    from pbem.bootstrap import server
    from pbem.service.ports import StoreDown

    try:
        found = server(settings)
    except (NewerDatabase, NoDriver, Unusable, OSError) as problem:
        sys.exit(str(problem))
    try:
        yield found
    except StoreDown as problem:
        sys.exit(f"The database can't be used now: {problem}.")
    finally:
        found.store.close()


def log_to_stderr(settings: Settings, form: Form | None = None, *, verbose: bool = False) -> None:
    from pbem.adapters.logs import log_to_stderr as log
    from pbem.bootstrap import secrets_of

    log(form or settings.log_format, verbose=verbose, secrets=secrets_of(settings))


def print_json(document: Any) -> None:
    import json

    click.echo(json.dumps(document, indent=2, ensure_ascii=False))
