"""The command line: what it writes, what it says, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.adapters.clock import SystemClock
from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server, identity
from pbem.cli.common import opened, read_settings
from pbem.cli.main import main
from pbem.cli.serving import PROVIDERS
from pbem.demo import HOST, PASSWORD, Company, Office
from pbem.host.lobby.gathering import begin
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.session.anonymity import NAMES
from pbem.host.session.identity import Identity
from pbem.settings import Settings
from tests.servers import free_ports

CHECKOUT = Path(__file__).parent.parent
LETTERS = CHECKOUT / "tests" / "letters"
PEOPLE = ("anton=anton@pbem.test", "bert=bert@pbem.test")
SETTINGS = """\
mailbox: {{host: 127.0.0.1, port: {imap}, security: none, user: pbem@pbem.test, password_env: PBEM_TEST_PASSWORD}}
smtp: {{host: 127.0.0.1, port: {smtp}, security: none, from: pbem@pbem.test}}
operator: operator@pbem.test
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which commands are given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_TEST_PASSWORD", PASSWORD)
    return tmp_path


@pytest.fixture
def settings(folder: Path) -> Path:
    """The settings of a server whose mail servers are not there."""
    imap, smtp = free_ports(2)
    (folder / "pbem.yaml").write_text(SETTINGS.format(imap=imap, smtp=smtp))
    return folder / "pbem.yaml"


@pytest.fixture
def office(folder: Path) -> Iterator[Office]:
    """Mail servers, and the settings of a server that uses them."""
    people = [HOST, "operator@pbem.test", "anton@pbem.test", "bert@pbem.test"]
    with EmbeddedMailServer(dict.fromkeys(people, PASSWORD), SystemClock()) as post:
        (folder / "pbem.yaml").write_text(SETTINGS.format(imap=post.imap_port, smtp=post.smtp_port))
        yield Office(host=post.host, imap_port=post.imap_port, smtp_port=post.smtp_port)


def pbem(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def said(*words: str) -> str:
    """What a command that must go well says."""
    result = pbem(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*words: str) -> str:
    """What a command says that must fail: one sentence, no traceback."""
    result = pbem(*words)
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code not in (0, None)
    assert "Traceback" not in result.output
    return result.output.strip()


def cron() -> None:
    """`pbem tick` in a process of its own."""
    environment = {**os.environ, "PBEM_VENV": "", "PYTHONPATH": str(CHECKOUT)}
    subprocess.run([sys.executable, "-m", "pbem", "tick"], check=True, env=environment)


# -- help ---


def test_help_names_every_command() -> None:
    shown = said("--help")
    for command in ("demo", "selftest", "replay", "init", "run", "tick", "game", "archive", "letters"):
        assert f"\n  {command} " in shown


@pytest.mark.parametrize("words", [["game"], ["letters"], ["archive"], ["run"], ["tick"], ["init"], ["game", "new"]])
def test_every_command_has_help(words: list[str]) -> None:
    assert "Usage:" in said(*words, "--help")


def test_the_selftest_runs_where_the_tests_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """And compiles them once, wherever it is started from."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    asked = []

    def run(command: list[str], *, cwd: Path, env: Mapping[str, str], check: bool) -> subprocess.CompletedProcess[str]:
        asked.append((command[-1], cwd, env.get("PYTHONDONTWRITEBYTECODE")))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    said("selftest", "tests/test_cli.py")
    assert asked == [("tests/test_cli.py", CHECKOUT, None)]


def test_the_module_can_be_run() -> None:
    environment = {**os.environ, "PBEM_VENV": ""}
    command = [sys.executable, "-m", "pbem", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.startswith("pbem ")


# -- settings ---


def test_init_writes_settings_that_load(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "pbem.yaml is written" in said("init")
    for name in ("PBEM_IMAP_PASSWORD", "PBEM_SMTP_PASSWORD"):
        monkeypatch.setenv(name, "sesame")
    assert Settings.load(folder / "pbem.yaml").clock.slot_hours == 24


def test_init_leaves_what_is_there(settings: Path) -> None:
    before = settings.read_text()
    assert "is there already" in refused("init")
    assert settings.read_text() == before


def test_init_into_a_folder_that_is_not_there_says_so(folder: Path) -> None:
    assert "nowhere" in refused("init", "-c", "nowhere/pbem.yaml")


@pytest.mark.parametrize("words", [["run"], ["tick"], ["game", "list"], ["game", "new", *PEOPLE]])
def test_missing_settings_are_told_with_the_way_to_get_them(folder: Path, words: list[str]) -> None:
    shown = refused(*words)
    assert "pbem.yaml" in shown
    assert "pbem init" in shown


def test_only_who_talks_to_the_mail_servers_needs_the_passwords(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PBEM_TEST_PASSWORD")
    for words in (["run"], ["tick"], ["check"], ["letters", "drop", "x"], ["person", "erase", "x@pbem.test", "--yes"]):
        assert "password_env" in refused(*words)
    said("game", "new", *PEOPLE)
    for words in (["status"], ["game", "list"], ["game", "show", "imp-1"], ["letters", "list"], ["verify"], ["unit"]):
        said(*words)
    said("backup", "copy.tar")
    assert "password_env" not in refused("restore", "copy.tar")


def test_a_demo_that_can_leave_nothing_says_so(folder: Path) -> None:
    (folder / "file").write_text("")
    assert "file/demo (Not a directory): name another folder with --into" in refused("demo", "--into", "file/demo")


def test_a_demo_that_can_not_be_played_says_so(folder: Path) -> None:
    assert "Empire is for 2 to 4 players here, not 5" in refused("demo", "--game", "empire", "--players", "5")
    assert "there is no chess; there is imperial, empire" in refused("demo", "--game", "chess")
    assert not [*folder.glob("pbem-demo*")]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_init_knows_hosts_and_ports_of_providers(folder: Path, monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    said("init", "--for", provider)
    for name in ("PBEM_IMAP_PASSWORD", "PBEM_SMTP_PASSWORD"):
        monkeypatch.setenv(name, "sesame")
    for name in ("imap-token", "smtp-token"):
        (folder / name).write_text("token")
    found = Settings.load(folder / "pbem.yaml")
    assert "example.org" not in found.mailbox.host + found.smtp.host
    assert (found.mailbox.oauth is None) == (provider != "outlook")


def test_a_database_of_another_kind_is_not_taken_for_postgresql(settings: Path) -> None:
    settings.write_text(settings.read_text() + "database: mysql://pbem@localhost/pbem\n")
    assert "or begin with postgresql://" in refused("status")


def test_sentences_name_the_program_as_it_was_called(folder: Path) -> None:
    environment = {**os.environ, "PBEM_VENV": "", "PYTHONPATH": str(CHECKOUT)}
    command = [sys.executable, "-m", "pbem", "status"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stderr == "There is no pbem.yaml; `python3 -m pbem init -c pbem.yaml` writes one to fill in.\n"
    assert "`pbem init -c" in refused("status")


# -- the key ---


def test_a_key_that_is_lost_or_another_is_not_replaced_in_silence(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    said("game", "new", *PEOPLE)
    key = settings.parent / "pbem.key"
    good = key.read_text()
    key.unlink()
    assert "is missing: put it back from a copy" in refused("game", "list")
    assert not key.exists()
    assert f"The key of these books, {key}, is missing" in pbem("check").output
    key.write_text("ab" * 32)
    assert "is not the key of these books" in refused("status")
    key.write_text(good)
    said("status")
    told = said("key", "renew", "--yes")
    assert "The old key is" in told
    assert key.read_text() != good
    said("status")


def test_a_database_that_cannot_be_opened_is_told(settings: Path) -> None:
    settings.write_text(settings.read_text() + "database: nowhere/pbem.sqlite\n")
    assert "nowhere/pbem.sqlite" in refused("game", "list")


def test_a_file_that_is_no_database_is_told(settings: Path) -> None:
    (settings.parent / "pbem.sqlite").write_text("This is no database, but a rather long text. " * 100)
    assert "pbem.sqlite" in refused("game", "list")


# -- games ---


def test_a_game_is_entered_listed_and_shown(settings: Path) -> None:
    assert said("game", "new", *PEOPLE).startswith("imp-1: 2 invitations wait")
    assert said("game", "list").split() == ["imp-1", "inviting", "anton,", "bert"]
    assert said("game", "show", "imp-1").splitlines() == [
        "imp-1: inviting",
        "  anton <anton@pbem.test> has not answered",
        "  bert <bert@pbem.test> has not answered",
    ]


def test_an_anonymous_game_has_neutral_names(settings: Path) -> None:
    said("game", "new", *PEOPLE, "--anonymous", "always", "--press", "public")
    seats = said("game", "list").partition("inviting")[2].replace(",", " ").split()
    assert {*seats} < {*NAMES}
    assert len(seats) == 2


def test_bots_may_hold_seats(settings: Path) -> None:
    said("game", "new", *PEOPLE, "--bots", "yes")
    assert "'maybe' is not one of" in pbem("game", "new", *PEOPLE, "--bots", "maybe").output
    with opened(read_settings(settings)) as server, server.games.work() as desk:
        assert desk.loaded(desk.game("imp-1")).terms.bots == "yes"


def test_the_operator_presides(settings: Path) -> None:
    said("game", "new", *PEOPLE, "--moderator", "Zoe=zoe@pbem.test")
    assert said("game", "do", "imp-1", "seat carl carl@pbem.test") == "done  seat carl carl@pbem.test\n"
    failed = CliRunner().invoke(main, ["game", "do", "imp-1", "start", "announce: hello"])
    assert failed.exit_code == 1
    assert "refused  start: The game can’t begin with 1 player." in failed.output
    assert "held  announce: hello" in failed.output
    assert "no game imp-2" in refused("game", "do", "imp-2", "start")


def test_without_games_the_list_is_empty(settings: Path) -> None:
    assert said("game", "list") == ""


def test_names_come_from_addresses(settings: Path) -> None:
    said("game", "new", "anton.meier@pbem.test", "anton@elsewhere.test")
    assert "anton, anton2" in said("game", "list")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["anton"], "'anton' is no address"),
        (["anton@pbem.test"], "2 to 6 players"),
        (["anton@pbem.test", "anton@pbem.test"], "own address"),
        (["anton@pbem.test", "bert@"], "is no address"),
        (["anton@pbem.test", "jörg@pbem.test"], "plain ASCII"),
        ([*PEOPLE, "--edition", "newest"], "newest"),
        ([*PEOPLE, "--game", "newest"], "there is no newest"),
        ([*PEOPLE, "--option", "colour=red"], "colour"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_a_sentence(settings: Path, words: list[str], sentence: str) -> None:
    assert sentence in refused("game", "new", *words)
    assert said("game", "list") == ""


def test_a_slot_of_no_hours_is_refused(settings: Path) -> None:
    result = pbem("game", "new", *PEOPLE, "--slot-hours", "0")
    assert result.exit_code == 2
    assert "0" in result.output


@pytest.mark.parametrize("words", [["show"], ["show", "--json"], ["record"]])
def test_a_game_there_is_not_is_told(settings: Path, words: list[str]) -> None:
    assert "here is no game imp-9" in refused("game", *words, "imp-9")


def test_a_game_that_has_not_begun_has_no_record(settings: Path) -> None:
    said("game", "new", *PEOPLE)
    assert "has not begun" in refused("game", "record", "imp-1")


# -- letters ---


@pytest.mark.parametrize("name", ["gmail_en_top", "auto_sieve"])
def test_a_letter_is_shown_as_it_is_read(name: str) -> None:
    wanted: dict[str, Any] = json.loads((LETTERS / f"{name}.json").read_text())
    assert json.loads(said("letters", "read", str(LETTERS / f"{name}.eml"), "--json")) == wanted


def test_a_letter_is_shown_to_people_too() -> None:
    shown = said("letters", "read", str(LETTERS / "gmail_en_top.eml"))
    assert shown.startswith("from: ")
    assert "not read: " in shown


def test_a_letter_that_is_not_there_is_told() -> None:
    result = pbem("letters", "read", "nowhere.eml")
    assert result.exit_code == 2
    assert "nowhere.eml" in result.output


# -- ticks ---


def test_tick_without_a_mailbox_says_so_and_fails(settings: Path) -> None:
    said("game", "new", *PEOPLE)
    assert "out of reach" in refused("tick")


@pytest.mark.slow
def test_ticks_from_cron_play_a_game(office: Office) -> None:
    """Invitations, the opening and a first turn; then the game is shown and its record replays."""
    said("game", "new", *PEOPLE)
    host = HostIdentity(domain="pbem.test", operator="operator@pbem.test")
    store = SqlStore("sqlite:///pbem.sqlite")
    company = Company(
        office, Server(store, SystemClock(), host, identity(Settings.load(Path("pbem.yaml")), store)), players=2
    )
    for _ in range(4):
        cron()
        company.look()
    company.close()
    store.close()
    cron()
    shown = said("game", "show", "imp-1")
    assert shown.startswith("imp-1: running, turn ")
    assert "UTC" in shown
    document = json.loads(said("game", "show", "imp-1", "--json"))
    assert document["awaiting"]
    Path("imp-1.play").write_text(said("game", "record", "imp-1"))
    assert json.loads(said("replay", "imp-1.play", "--json")) == document
    assert said("archive", "verify").startswith("imp-1: ")  # each round has kept it


# -- the archive ---


@pytest.fixture
def archived(settings: Path) -> Path:
    """The folder with the pages of a game that has just begun."""
    said("game", "new", *PEOPLE)
    store = SqlStore(f"sqlite:///{settings.parent / 'pbem.sqlite'}")
    with store.transaction() as repository:
        game = repository.game("imp-1")
    assert game is not None
    host = HostIdentity(domain="pbem.test", operator="operator@pbem.test")
    server = Server(store, SystemClock(), host, Identity(key=b"a key for tests", address=HOST))
    with server.games.work() as desk:
        begin(desk, game, 1_800_000_000)
    store.close()
    shown = said("archive", "build")
    assert (
        shown
        == f"1 game is in {settings.parent / 'archive'}. To look at them: pbem archive serve {settings.parent / 'archive'}\n"
    )
    return settings.parent / "archive"


def test_an_archive_is_built_and_proved(archived: Path) -> None:
    line = "imp-1: 1 turn, 1 entry: the log gives every position, and its secret is told at the end\n"
    assert said("archive", "verify") == line
    (archived.parent / "pbem.yaml").unlink()
    for command in (["archive", "verify"], ["prove"]):
        assert said(*command, str(archived)) == line


def test_notes_on_games_that_are_over_can_be_made_at_once(archived: Path) -> None:
    """Whatever the settings say of them; once."""
    settings = archived.parent / "pbem.yaml"
    settings.write_text(settings.read_text() + "archive_notes: false\n")
    said("game", "end", "imp-1", "--why", "it was a trial")
    assert "has its notes" not in said("archive", "build")
    assert said("archive", "build", "--notes").startswith("imp-1 has its notes.\n")
    assert (archived / "imp-1" / "notes.json").exists()
    assert "has its notes" not in said("archive", "build", "--notes")


def test_an_archive_that_was_tampered_with_is_not_proved(archived: Path) -> None:
    log = archived / "imp-1" / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b"anton", b"bruno", 1))
    found = CliRunner().invoke(main, ["archive", "verify", str(archived)])
    assert (found.exit_code, found.output) == (
        1,
        "imp-1: 1 turn, 1 entry: entry 0: it is not what was written: it does not fit its digest\n",
    )
    (archived / "imp-1" / "game.json").write_text("{")
    assert "imp-1: game.json can't be read" in refused("archive", "verify", str(archived))


def test_an_archive_that_is_not_there_is_missed(folder: Path) -> None:
    for command in ("verify", "serve"):
        assert "There is no archive in nowhere" in refused("archive", command, "nowhere")


@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGTERM])
def test_an_archive_is_served_until_interrupted(archived: Path, ends: signal.Signals) -> None:
    """Also where SIGINT is ignored, as in what a shell's script starts with `&`, and what nohup starts."""
    (port,) = free_ports(1)
    command = [sys.executable, "-u", "-m", "pbem", "archive", "serve", str(archived), "--port", str(port)]
    environment = {**os.environ, "PBEM_VENV": "", "PYTHONPATH": str(CHECKOUT)}
    with _deaf_to_sigint(), subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            assert f"http://127.0.0.1:{port}/ shows" in process.stdout.readline()
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/imp-1/") as answer:
                assert "imp-1" in answer.read().decode()
            taken = refused("archive", "serve", str(archived), "--port", str(port))
            assert f"127.0.0.1:{port} can't be used" in taken
            process.send_signal(ends)
            assert process.wait() == 0
        finally:
            process.kill()


@contextmanager
def _deaf_to_sigint() -> Iterator[None]:
    """What is started here ignores the signal."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def test_where_the_archive_is_found_is_an_address_of_the_web(settings: Path) -> None:
    text = settings.read_text()
    settings.write_text(text + "archive_url: games.example.org\n")
    assert "should be where people find the archive" in refused("archive", "build")
    settings.write_text(text + "archive_url: https://games.example.org\narchive_language: de\n")
    assert Settings.load(settings).archive_url == "https://games.example.org/"
