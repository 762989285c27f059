"""How soon a command begins: by what it imports, since no test may depend on the speed of a machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pbem.adapters.store.sql import SqlStore
from pbem.cli.main import main

CHECKOUT = Path(__file__).parent.parent
SETTINGS = """\
mailbox: {host: localhost, user: pbem@pbem.test, password_env: PBEM_TEST_PASSWORD}
smtp: {host: localhost, from: pbem@pbem.test}
operator: operator@pbem.test
"""
NONE_THERE = "There is no pbem.yaml; `pbem init -c pbem.yaml` writes one to fill in."
# Gives several commands in one process, and then tells what has been imported.
GIVEN = """
import contextlib, io, sys
from pbem.cli.main import main
for line in sys.stdin.read().splitlines():
    print(line)
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            main(line.split("\\t"), prog_name="pbem")
        except SystemExit as end:
            print(end, file=sys.stderr)
print(*sys.modules)
"""
# Whose libraries take time, and who is asked to wait for them.
SETTINGS_READ = {"pydantic", "yaml"}
LANGUAGE = {"lark", "rapidfuzz"}
LETTERS = {"flufl", "asn1crypto", "PIL", "lxml", "authres", "publicsuffixlist", "pymap", "imapclient", "aiosmtpd"}
WORDED = {"jinja2", "css_inline", "resvg_py", "icalendar", "holidays", "rich"}
ALL = SETTINGS_READ | LANGUAGE | LETTERS | WORDED | {"sqlalchemy", "alembic", "psycopg"}


def given(*commands: Sequence[str], within: Path) -> tuple[set[str], str]:
    """What is imported when these commands were given there; what they said to people."""
    done = subprocess.run(
        [sys.executable, "-c", GIVEN],
        input="\n".join("\t".join(words) for words in commands),
        capture_output=True,
        text=True,
        check=True,
        cwd=within,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    return set(done.stdout.splitlines()[-1].split()), done.stderr


def libraries(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules} & ALL


def ours(modules: set[str]) -> set[str]:
    """Of ours, the parts of the house."""
    return {".".join(name.split(".")[1:3]) for name in modules if name.startswith("pbem.")}


def of_a_server(group: click.Group, *words: str) -> Iterator[Sequence[str]]:
    """All commands that do nothing without settings, with something in the place of all they ask for.

    Not those of the powers of who leads: they are made of a table that knows much of the host.
    """
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from of_a_server(command, *words, name)
        elif any(each.name == "config" and each.callback for each in command.params):
            given = [filled(each) for each in command.params if isinstance(each, click.Argument) and each.required]
            sure = ["--yes" for each in command.params if each.name == "yes"]
            yield *words, name, *given, *sure


def filled(asked: click.Argument) -> str:
    return "file" if isinstance(asked.type, click.Path) else "euro-3"


def test_help_waits_for_nothing(tmp_path: Path) -> None:
    loaded, _ = given(["--help"], ["game", "new", "--help"], ["letters", "--help"], within=tmp_path)
    assert libraries(loaded) == set()
    assert {part.partition(".")[0] for part in ours(loaded)} == {"cli", "core"}


def test_a_command_that_finds_no_settings_has_waited_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    commands = [*of_a_server(main), ["verify"], ["archive", "verify"], ["archive", "serve"]]
    loaded, told = given(*commands, within=tmp_path)
    assert len(commands) > 30
    assert told.splitlines() == [NONE_THERE] * len(commands)
    assert libraries(loaded) == set()
    assert {part.partition(".")[0] for part in ours(loaded)} == {"cli", "core"}


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """Whose books are made."""
    (tmp_path / "pbem.yaml").write_text(SETTINGS)
    SqlStore(f"sqlite:///{tmp_path / 'pbem.sqlite'}").close()
    return tmp_path


@pytest.mark.slow
def test_books_that_are_not_there_wait_for_who_makes_them(server: Path) -> None:
    (server / "pbem.sqlite").unlink()
    loaded, _ = given(["status"], within=server)
    assert libraries(loaded) == SETTINGS_READ | {"sqlalchemy"}


def test_status_waits_for_the_books_alone(server: Path) -> None:
    """Which are there, so that nobody waits for who makes them."""
    loaded, _ = given(["status"], within=server)
    assert libraries(loaded) == SETTINGS_READ
    assert {part for part in ours(loaded) if part.startswith("host.")} == {
        *("host.calendar", "host.housekeeping", "host.messages", "host.ports"),
    }
    assert not any(part.startswith(("games", "language", "mail", "render")) for part in ours(loaded))


def test_a_copy_and_a_unit_do_without_the_books(server: Path) -> None:
    assert (
        CliRunner().invoke(main, ["waiting", "list", "-c", str(server / "pbem.yaml")]).exit_code == 0
    )  # makes the key
    loaded, told = given(["backup", "copy.tar"], ["unit", "--cron"], ["unit"], within=server)
    assert (server / "copy.tar").exists(), told
    assert "sqlalchemy" not in libraries(loaded)


@pytest.mark.slow
def test_what_neither_reads_letters_nor_words_any_waits_for_neither(server: Path) -> None:
    loaded, _ = given(["game", "list"], ["league", "list"], ["waiting", "list"], ["clock"], within=server)
    assert libraries(loaded) == SETTINGS_READ | LANGUAGE


def test_what_is_left_at_the_end_is_not_looked_through_for_garbage() -> None:
    end = "import atexit, gc, sys; atexit.register(lambda: print(gc.get_freeze_count() > 10_000))"  # called last
    code = f"{end}; from pbem.cli.main import start; sys.argv[1:] = ['--version']; start('pbem')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=CHECKOUT)
    assert done.stdout.splitlines()[-1] == "True"
