"""The commands for whoever looks after a server, on the books of one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pbem.adapters.clock import SystemClock
from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server
from pbem.demo import HOST, Office
from pbem.host.lobby.gathering import begin
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Mail, OutboxRow, RawLetter
from pbem.host.session.identity import Identity
from tests.test_cli import CHECKOUT, PEOPLE, folder, office, refused, said, settings

__all__ = ["folder", "office", "settings"]

ODD = b'From: "Eve" <eve@pbem.test>\r\nSubject: \x1b[2J boo\r\nMessage-ID: <odd@pbem.test>\r\n\r\nhello\r\n'


@pytest.fixture
def store(settings: Path) -> SqlStore:
    """The books of the server, with one letter that waits in each direction."""
    said("game", "new", *PEOPLE)
    store = SqlStore(f"sqlite:///{settings.parent / 'pbem.sqlite'}")
    raw = RawLetter(uid=1, uidvalidity=1, arrived=1_800_000_000, raw=ODD, size=len(ODD))
    with store.transaction() as repository:
        repository.note("<odd@pbem.test>", raw, sender="eve@pbem.test", subject="\x1b[2J boo", game=None, fate="fault")
        repository.keep("<odd@pbem.test>", raw, 1_800_000_000, kept=True)
        lost = OutboxRow(id="imp-1.invitation.anton", to="anton@pbem.test", kind="letter", data=b"{}", created=5, due=5)
        repository.post([OutboxRow(id="lost", to=lost.to, kind="report", data=b"{}", created=5, due=5)])
        repository.bury("lost", "550 5.1.1 unknown")
    return store


def test_letters_that_need_a_person_are_listed_and_shown(store: SqlStore) -> None:
    kept, lost = said("letters", "list").splitlines()
    name = kept.split()[0]
    assert "\x1b" not in kept
    assert "fault" in kept
    assert "eve@pbem.test" in kept
    assert lost.startswith("lost  given up report")
    assert "550 5.1.1 unknown" in lost
    assert [each["name"] for each in json.loads(said("letters", "list", "--json"))] == [name, "lost"]
    shown = said("letters", "show", name)
    assert "id: <odd@pbem.test>" in shown
    assert "  hello" in shown.splitlines()
    assert said("letters", "show", "<odd@pbem.test>", "--raw").encode() in (ODD, ODD.replace(b"\r\n", b"\n"))
    assert "lost" in said("letters", "show", "lost")


def test_a_letter_is_tried_again_and_another_dropped(store: SqlStore) -> None:
    name = said("letters", "list").split()[0]
    assert said("letters", "retry", name, "lost") == f"{name}: letter.no_game\nlost: waits to be sent again\n"
    assert said("letters", "list") == ""
    with store.transaction() as repository:
        repository.bury("lost", "550")
    assert said("letters", "drop", "lost") == "lost: dropped\n"
    assert said("letters", "list") == ""


def test_a_letter_is_dropped_though_the_mailbox_is_away(store: SqlStore) -> None:
    told = said("letters", "drop", "<odd@pbem.test>")
    assert "dropped" in told
    assert "pbem-kept stays there: the mailbox of" in told
    assert [line.split()[0] for line in said("letters", "list").splitlines()] == ["lost"]


@pytest.mark.parametrize("words", [["show", "x"], ["retry", "x"], ["drop", "x"]])
def test_a_letter_there_is_not_is_told(store: SqlStore, words: list[str]) -> None:
    assert "No letter that waits is called x" in refused("letters", *words)


# -- the waiting list ---


def test_people_are_put_on_the_waiting_list_and_struck_off(store: SqlStore) -> None:
    first, second = (person.rpartition("=")[2] for person in PEOPLE[:2])
    assert said("waiting", "add", second) == "Waits for a seat; asked for 0 games now.\n"
    said("waiting", "add", first)
    assert sorted(line.split()[0] for line in said("waiting", "list").splitlines()) == sorted([first, second])
    said("waiting", "remove", second)
    assert said("waiting", "list").split()[0] == first
    assert "Nobody here has the address" in refused("waiting", "add", "nobody@pbem.test")


# -- how it does ---


def test_the_status_is_one_page(store: SqlStore) -> None:
    with store.transaction() as repository:
        repository.set_mark("mailbox.down", 1_800_000_000)
    shown = said("status")
    for line in (
        "games              1 inviting",
        "awaited            0 answers",
        "last poll          never",
        "! mailbox",
    ):
        assert line in shown
    assert "waiting to go out  2 letters, the oldest for " in shown
    assert "! given up         1 letters of ours" in shown
    document = json.loads(said("status", "--json"))
    assert (document["games"], document["queued"], document["dead"], document["kept"]) == ({"inviting": 1}, 2, 1, 1)
    assert document["database_bytes"] > 10_000
    assert document["down"] == {"mailbox": 1_800_000_000}
    with store.transaction() as repository:
        repository.set_polled(1_000_000_000)
    assert "! last poll        Sun 09 Sep" in said("status")


def test_books_that_are_ahead_of_the_computers_clock_are_told_of_and_put_right(store: SqlStore) -> None:
    now = SystemClock().now()
    assert "The computer's clock shows" in said("clock")
    with store.transaction() as repository:
        repository.set_polled(now + 400 * 86_400)
    assert "! clock            the last look for letters is noted for" in said("status")
    assert "pbem clock --believe" in refused("clock")
    assert "taken for right" in said("clock", "--believe")
    assert "!" not in said("clock")
    with store.transaction() as repository:
        assert now <= (repository.polled() or 0) <= SystemClock().now()


SAMPLE = re.compile(r'(# (HELP|TYPE) pbem_\w+ .+|pbem_\w+(\{\w+="\w+"\})? -?\d+)')


def test_each_round_leaves_health_and_metrics(office: Office) -> None:
    file = Path("pbem.yaml")
    file.write_text(file.read_text() + "health_file: health.json\nmetrics_file: pbem.prom\n")
    said("game", "new", *PEOPLE)
    said("tick")
    health = json.loads(Path("health.json").read_text())
    assert health["queued"] == 0
    assert health["polled"] <= health["delivered"] <= health["at"]
    lines = Path("pbem.prom").read_text().splitlines()
    assert [line for line in lines if not SAMPLE.fullmatch(line)] == []
    for line in ('pbem_games{status="inviting"} 1', 'pbem_letters_total{fate="answered"} 0', "pbem_queue_letters 0"):
        assert line in lines
    assert sorted(path.name for path in Path().iterdir() if path.name.startswith(".")) == []


def test_a_health_file_that_cannot_be_written_stops_nothing(office: Office) -> None:
    file = Path("pbem.yaml")
    file.write_text(file.read_text() + "health_file: nowhere/health.json\n")
    said("game", "new", *PEOPLE)
    said("tick")
    assert json.loads(said("status", "--json"))["queued"] == 0


# -- copies ---


def test_a_backup_is_put_back(store: SqlStore) -> None:
    store.close()
    assert "Keep it as you keep a password" in said("backup", "copy.tar")
    assert "is there already" in refused("restore", "copy.tar")
    said("letters", "drop", "lost")
    assert "The books are as they were" in said("restore", "copy.tar", "--force")
    assert "lost" in said("letters", "list")


@pytest.mark.parametrize(("words", "program"), [(["backup", "copy.tar"], "pg_dump"), (["restore", "c"], "pg_restore")])
def test_a_postgres_has_its_own_program(settings: Path, words: list[str], program: str) -> None:
    (settings.parent / "c").write_text("")
    settings.write_text(settings.read_text() + "database: postgresql://pbem@localhost/pbem\n")
    assert program in refused(*words)


@pytest.mark.slow
def test_the_backup_drill(office: Office) -> None:
    """As it stands in the page; then the copy is run instead of the original, and nothing has changed."""
    said("game", "new", *PEOPLE)
    with closing(SqlStore("sqlite:///pbem.sqlite")) as store:
        identity = HostIdentity(domain="pbem.test", operator="operator@pbem.test")
        server = Server(store, SystemClock(), identity, Identity(key=b"a key for tests", address=HOST))
        with server.games.work() as desk:
            begin(desk, desk.game("imp-1"), SystemClock().now())
    page = (CHECKOUT / "docs" / "operate" / "backup.md").read_text("utf-8")
    (drill,) = re.findall(r"^```sh\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert sh(drill).endswith("imp-1: 1 entries, as today's rules would have it (rules 1)\n")
    before = said("game", "show", "imp-1", "--json")
    os.chdir("drill")
    said("tick")
    assert said("game", "show", "imp-1", "--json") == before


def sh(text: str) -> str:
    """What the shell prints, with the program as it is here for `pbem`."""
    bare = {name: os.environ[name] for name in ("PATH", "PBEM_TEST_PASSWORD")}
    program = f'pbem() {{ {sys.executable} -m pbem "$@"; }}\n'
    environment = {**bare, "PBEM_VENV": "", "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        ["/bin/sh", "-ec", program + text], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


# -- keeping it running ---


needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd's systemd-analyze")


@needs_systemd
@pytest.mark.parametrize("folder_name", ["plain", "with a 100%$blank"])
def test_the_unit_is_one_that_systemd_takes(settings: Path, tmp_path: Path, folder_name: str) -> None:
    there = tmp_path / folder_name
    there.mkdir()
    config = settings.rename(there / "pbem.yaml")
    file = tmp_path / "pbem.service"
    file.write_text(said("unit", "-c", str(config)))
    command = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "pbem.service" in line]
    assert ours == []
    assert done.returncode == 0, done.stderr
    assert "ProtectSystem=strict" in file.read_text()


def test_the_unit_for_root_is_run_by_somebody_with_fewer_rights(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    assert {"User=pbem", "# Make the user first: useradd --system pbem, and give them"} <= {
        line.partition(" the folders")[0] for line in said("unit").splitlines()
    }
    monkeypatch.setattr("getpass.getuser", lambda: "anna")
    assert "User=anna" in said("unit")
    assert "useradd" not in said("unit")


def test_a_copy_into_a_folder_that_is_not_there(store: SqlStore) -> None:
    assert "There is no folder /nowhere: make it" in refused("backup", "/nowhere/copy.tar")


@pytest.mark.slow
def test_the_command_of_the_cron_line_goes_round_once(office: Office) -> None:
    said("game", "new", *PEOPLE)
    *_, line = said("unit", "--cron").splitlines()
    command = line.removeprefix("*/5 * * * * ").replace(r"\%", "%")
    assert command != line
    bare = {**{name: os.environ[name] for name in ("PATH", "PBEM_TEST_PASSWORD")}, "PBEM_VENV": ""}
    done = subprocess.run(["/bin/sh", "-c", command], env=bare, cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(said("status", "--json"))["queued"] == 0


# -- people ---


def test_a_person_is_shown_exported_erased_and_given_new_tokens(store: SqlStore) -> None:
    assert said("person", "show", "anton@pbem.test").splitlines() == [
        "anton (en, UTC)",
        "  anton@pbem.test  our letters go here; not verified",
        "  imp-1  inviting  as anton",
    ]
    assert json.loads(said("person", "export", "anton@pbem.test"))["games"][0]["game"] == "imp-1"
    assert "prove nothing any more" in said("person", "tokens", "anton@pbem.test")
    assert "a substitute must have the seat first" in refused("person", "erase", "anton@pbem.test", "--yes")
    assert "Nobody here has the address" in refused("person", "show", "zoe@pbem.test")
    with store.transaction() as repository:
        repository.add_person("Eve", "eve@pbem.test", 5)
    assert "Nothing was erased: the mailbox of" in refused("person", "erase", "eve@pbem.test", "--yes")
    told = said("person", "erase", "eve@pbem.test", "--yes", "--books-only")
    assert "0 games keep the seat" in told
    assert "in the mailbox's folders" in told
    assert "Nobody here" in refused("person", "show", "eve@pbem.test")
    assert "from nobody" in said("letters", "show", "<odd@pbem.test>")


def test_who_is_erased_leaves_the_mailbox_too(office: Office) -> None:
    said("game", "new", "bert=bert@pbem.test", "carl=carl@pbem.test")
    postmen = [office.transport(who, SystemClock()) for who in ("anton@pbem.test", "bert@pbem.test")]
    for postman in postmen:
        postman.send(Mail(message_id=f"<{id(postman)}@pbem.test>", to=HOST, subject="hello", text="who am I?\n"))
        postman.close()
    said("tick")
    with closing(SqlStore("sqlite:///pbem.sqlite")) as store, store.transaction() as repository:
        repository.add_person("Anton", "anton@pbem.test", 5)
    assert "their letters in the mailbox (1); 0 games" in said("person", "erase", "anton@pbem.test", "--yes")
