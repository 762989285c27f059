"""A daemon that is killed at any step at all: afterwards everything is as if it had not been.

Each letter is applied once; each mail is delivered once, or again with the same Message-ID. A few steps are tried here;
with PBEM_DEEP=200 every one of them, and so many daemons that die several times.
"""

from __future__ import annotations

import json
import random
import shutil
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from imapclient import IMAPClient
from sqlalchemy import create_engine, text

from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.store.schema import metadata
from pbem.adapters.store.sql import SqlStore
from tests import servers
from tests.crashing import LEASE, PASSWORD
from tests.depth import DEEP
from tests.fakes import FakeClock
from tests.scripted import SmtpScript
from tests.service.bureau import DAY, HOST, HOUR, NAMES, OPERATOR, Bureau, address

CHECKOUT = Path(__file__).resolve().parent.parent
NOON = 1_700_000_000  # in the past, because Dovecot turns a future INTERNALDATE into now
SECRET = f"{15:064x}"
PLAYERS = {name: f"{name}@{name}.test" for name in NAMES[:3]}  # so that mails to them may go at once
PEOPLE = (*PLAYERS.values(), address("zoe"), OPERATOR)
LINES = 3
APART = {"attempts", "uid", "uidvalidity"}  # how often a mail was tried, and where a letter lay

Kills = Mapping[int, Sequence[int]]  # in each phase, the last steps of so many lives


class Phase(NamedTuple):
    """What lies in the mailbox at an instant."""

    now: int
    letters: Sequence[bytes]


# -- what is played ---


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sequence[Phase]]:
    """A game that has just begun, and letters about it."""
    folder = tmp_path_factory.mktemp("template")
    store = SqlStore(f"sqlite:///{folder / 'pbem.sqlite'}")
    bureau = Bureau(store)
    bureau.clock.set(NOON - HOUR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.host.session.unit_of_work.Games.new_secret", lambda _: SECRET)
        begin(bureau)
    phases = phases_of(bureau)
    store.close()
    return folder / "pbem.sqlite", phases


def begin(bureau: Bureau) -> None:
    """A game among people at several domains."""
    bureau.server.new_game(bureau.terms(), [f"{name}={where}" for name, where in PLAYERS.items()])
    for where in PLAYERS.values():
        bureau.write(where, "join", subject="[imp-1] you are invited")


def phases_of(bureau: Bureau) -> list[Phase]:
    first = PLAYERS[bureau.awaited[0][0]]
    italy = next(PLAYERS[seat] for seat, held in governments(bureau).items() if "italy" in held)
    france = next(PLAYERS[seat] for seat, held in governments(bureau).items() if "france" in held)
    move = bureau.letter(first, "austria: import A lemberg", id_="<move@players.test>")
    return [
        Phase(
            NOON,
            [
                bureau.letter(italy, "standing peace\nadvance italy: import A rome"),
                move,
                move,  # twice
                bureau.letter("zoe", "hello, may I play?", subject="hello"),
                bureau.letter(first, "I am away", Auto_Submitted="auto-replied"),
                bureau.letter(france, "france: factory vienna\nnonsense"),
                bureau.letter(france, "france: import A paris"),
            ],
        ),
        Phase(NOON + DAY - HOUR, []),
        Phase(NOON + DAY + HOUR // 2, [bureau.letter(first, "status"), bureau.letter(first, "x" * 200_000)]),
        Phase(NOON + 4 * DAY, [bureau.letter(first, "status")]),  # nobody has looked for letters meanwhile
    ]


def governments(bureau: Bureau) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for nation, facts in bureau.document["nations"].items():
        found.setdefault(facts["government"], []).append(nation)
    return found


# -- where it is played ---


class Ground:
    """Mail servers on which the same is played again and again."""

    host = servers.HOST
    imap = smtp = 0
    deaths: Sequence[str] = ()  # at which steps daemons die in the short test

    @contextmanager
    def cleared(self) -> Iterator[None]:
        """Empty mailboxes for everybody, as long as the block lasts."""
        raise NotImplementedError

    @contextmanager
    def client(self, who: str) -> Iterator[IMAPClient]:
        with IMAPClient(self.host, self.imap, ssl=False, timeout=600) as client:
            client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.plain_login(who, PASSWORD)
            yield client

    def plant(self, letters: Sequence[bytes], arrived: int) -> None:
        with self.client(HOST) as client:
            for raw in letters:
                client.append("INBOX", raw, msg_time=datetime.fromtimestamp(arrived, UTC))

    def letters(self, who: str, folder: str = "INBOX") -> list[EmailMessage]:
        with self.client(who) as client:
            client.select_folder(folder, readonly=True)
            raws = [part[b"BODY[]"] for part in client.fetch(client.search(), ["BODY.PEEK[]"]).values()]
        return [message_from_bytes(raw, EmailMessage, policy=policy.default) for raw in raws]


class Embedded(Ground):
    """The post office inside this process."""

    deaths = (
        "letter in hand",
        "before commit",
        "after commit",
        "before shelving",
        "after shelving",
        "before mail",
        "after mail",
        "after line of SMTP",
        "before line of IMAP",
    )

    @contextmanager
    def cleared(self) -> Iterator[None]:
        with EmbeddedMailServer(dict.fromkeys((HOST, *PEOPLE), PASSWORD), FakeClock(NOON)) as office:
            self.imap, self.smtp = office.imap_port, office.smtp_port
            yield


class OnDovecot(Ground):
    """Dovecot, and a mail server before it that delivers before it says 250."""

    deaths = ("after looking", "after line of IMAP", "after commit", "before line of SMTP")

    def __init__(self, server: servers.Dovecot, smtp: SmtpScript) -> None:
        self.imap, self.smtp = server.imap_port, smtp.port
        self._server = server
        self._letters = smtp.letters
        smtp.on_delivery = self._deliver
        for who in (HOST, *PEOPLE):
            server.open_account(who, PASSWORD)

    def _deliver(self) -> None:
        letter = self._letters[-1]
        for recipient in letter.recipients:
            self._server.deliver(recipient, letter.raw)

    @contextmanager
    def cleared(self) -> Iterator[None]:
        for folder in (self._server.home / "mail").iterdir():
            shutil.rmtree(folder)
        yield


@pytest.fixture(params=["embedded", pytest.param("dovecot", marks=pytest.mark.dovecot)])
def ground(request: pytest.FixtureRequest) -> Iterator[Ground]:
    if request.param == "embedded":
        yield Embedded()
        return
    with SmtpScript() as smtp:
        yield OnDovecot(request.getfixturevalue("dovecot"), smtp)


# -- lives and deaths ---


class Daemons:
    """Daemons that live until their last step."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.crashing"]
        self._process = subprocess.Popen(
            command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def live(self, ground: Ground, database: Path, now: int, last: int | None = None, *, lines: int = 1) -> bool:
        """One life, with so many lines to the mail server; did it end too early?"""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        facts = {
            "host": ground.host,
            "imap": ground.imap,
            "smtp": ground.smtp,
            "now": now,
            "last": last,
            "lines": lines,
        }
        life = {**facts, "database": str(database), "steps": str(database.with_name("steps"))}
        self._process.stdin.write(json.dumps(life) + "\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        assert told["killed"] or told["code"] == 0
        return bool(told["killed"])

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def daemons() -> Iterator[Daemons]:
    with closing(Daemons()) as made:
        yield made


class Outcome(NamedTuple):
    """All that can be seen of a game that was played."""

    tables: dict[str, list[Any]]
    mailboxes: dict[str, dict[str, tuple[str, str, str]]]  # by person and Message-ID: date, subject, text
    copies: Counter[str]  # how often a mail came, by person and Message-ID
    shelves: dict[str, Counter[str]]
    steps: list[list[str]]
    deaths: int


def played(
    daemons: Daemons,
    ground: Ground,
    template: tuple[Path, Sequence[Phase]],
    folder: Path,
    kills: Kills,
    lines: int = 1,
) -> Outcome:
    database = folder / "pbem.sqlite"
    shutil.copy(template[0], database)
    steps, deaths = [], 0
    with ground.cleared():
        for number, phase in enumerate(template[1]):
            ground.plant(phase.letters, phase.now)
            for last in kills.get(number, ()):
                deaths += daemons.live(ground, database, phase.now, last, lines=lines)
                run_out(database, phase.now)
            assert not daemons.live(ground, database, phase.now, lines=lines)
            steps.append(json.loads((folder / "steps").read_text()))
        outcome = looked_at(ground, database, steps, deaths)
    for file in folder.glob("pbem.sqlite*"):
        file.unlink()
    return outcome


def run_out(database: Path, now: int) -> None:
    """What was under way when the daemon died is anybody's, at the same instant."""
    engine = create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        leases = text("update outbox set due = :now where state = 'queued' and due = :until")
        connection.execute(leases, {"now": now, "until": now + LEASE})
    engine.dispose()


def looked_at(ground: Ground, database: Path, steps: list[list[str]], deaths: int) -> Outcome:
    mailboxes: dict[str, dict[str, tuple[str, str, str]]] = {}
    copies: Counter[str] = Counter()
    for who in PEOPLE:
        letters = ground.letters(who)
        copies.update(f"{who} {letter['Message-ID']}" for letter in letters)
        mailboxes[who] = {str(letter["Message-ID"]): _shown(letter) for letter in letters}
    assert ground.letters(HOST) == []
    shelves = {folder: Counter(str(each["Subject"]) for each in ground.letters(HOST, folder)) for folder in FOLDERS}
    return Outcome(tables_of(database), mailboxes, copies, shelves, steps, deaths)


FOLDERS = ("PBEM/Done", "PBEM/Kept")


def _shown(letter: EmailMessage) -> tuple[str, str, str]:
    body = letter.get_body(("plain",))
    return str(letter["Date"]), str(letter["Subject"]), str(body.get_content()) if body else ""


def tables_of(database: Path) -> dict[str, list[Any]]:
    """Every row, apart from what a death may change."""
    engine = create_engine(f"sqlite:///{database}")
    with engine.connect() as connection:
        found = {}
        for table in metadata.tables:
            rows = connection.execute(text(f"select * from {table}")).mappings()
            found[table] = sorted(repr({k: v for k, v in row.items() if k not in APART}) for row in rows)
    engine.dispose()
    return found


def check_same(outcome: Outcome, plain: Outcome, *, deaths: int, lines: int = 1) -> None:
    """Nothing lost, nothing applied twice; what came twice is the same letter, and was under way at a death.

    Over each line one may be.
    """
    assert outcome.deaths == deaths
    assert outcome.tables == plain.tables
    assert outcome.mailboxes == plain.mailboxes
    assert outcome.shelves == plain.shelves
    assert sum(outcome.copies.values()) - len(outcome.copies) <= deaths * lines


def some_step(steps: Sequence[Sequence[str]], name: str, dice: random.Random) -> tuple[int, int]:
    """One of the steps with this name: its phase and its number."""
    return dice.choice(
        [(phase, n) for phase, taken in enumerate(steps) for n, each in enumerate(taken, 1) if each == name]
    )


@pytest.mark.slow
def test_a_daemon_killed_at_any_step_leaves_everything_as_if_it_had_not_been(
    ground: Ground, daemons: Daemons, template: tuple[Path, Sequence[Phase]], tmp_path: Path
) -> None:
    plain = played(daemons, ground, template, tmp_path, {})
    check_play(plain)
    dice = random.Random(5)
    for name in ground.deaths:
        phase, last = some_step(plain.steps, name, dice)
        outcome = played(daemons, ground, template, tmp_path, {phase: [last]})
        check_same(outcome, plain, deaths=1)
    for kills in ([dice.randrange(1, 60) for _ in range(4)] for _ in range(2)):  # letters and mails that go together
        outcome = played(daemons, ground, template, tmp_path, {0: kills})
        check_same(outcome, plain, deaths=outcome.deaths)


@pytest.mark.slow
def test_a_daemon_killed_while_mails_go_over_several_lines_leaves_what_one_line_would(
    daemons: Daemons, template: tuple[Path, Sequence[Phase]], tmp_path: Path
) -> None:
    ground = Embedded()
    plain = played(daemons, ground, template, tmp_path, {})
    many = played(daemons, ground, template, tmp_path, {}, LINES)
    check_same(many, plain, deaths=0)
    dice = random.Random(8)
    for name in ("before commit", "after commit", "before mail", "after mail", "after line of SMTP"):
        phase, last = some_step(many.steps, name, dice)
        outcome = played(daemons, ground, template, tmp_path, {phase: [last]}, LINES)
        check_same(outcome, plain, deaths=outcome.deaths, lines=LINES)
    for _ in range(2):
        kills = {phase: [dice.randrange(1, 80) for _ in range(2)] for phase in range(len(plain.steps))}
        outcome = played(daemons, ground, template, tmp_path, kills, LINES)
        check_same(outcome, plain, deaths=outcome.deaths, lines=LINES)


def check_play(plain: Outcome) -> None:
    """What is played has something of everything in it."""
    assert sum(map(len, plain.steps)) > 300
    assert len({*plain.steps[0]}) >= 11
    assert max(plain.copies.values()) == 1
    fates = " ".join(plain.tables["letters"])
    for word in ("answered", "letter.no_game", "ignored auto_submitted", "letter.too_long"):
        assert word in fates
    for word in ("lapse", "outage"):
        assert word in " ".join(plain.tables["entries"])
    assert len(plain.tables["papers"]) == 1  # the advance order was used, the standing one stays


@pytest.mark.skipif(not DEEP, reason="PBEM_DEEP asks for it")
@pytest.mark.timeout(7_200)
def test_every_step_is_tried(
    ground: Ground, daemons: Daemons, template: tuple[Path, Sequence[Phase]], tmp_path: Path
) -> None:
    plain = played(daemons, ground, template, tmp_path, {})
    for phase, taken in enumerate(plain.steps):
        for last in range(1, len(taken) + 1):
            outcome = played(daemons, ground, template, tmp_path, {phase: [last]})
            check_same(outcome, plain, deaths=1)


@pytest.mark.skipif(not DEEP, reason="PBEM_DEEP asks for it")
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("lines", [1, LINES])
def test_daemons_that_die_several_times(
    ground: Ground, daemons: Daemons, template: tuple[Path, Sequence[Phase]], tmp_path: Path, lines: int
) -> None:
    if lines > 1 and isinstance(ground, OnDovecot):
        pytest.skip("the mail server before Dovecot is for one at a time")
    dice = random.Random(11)
    plain = played(daemons, ground, template, tmp_path, {})
    for _ in range(DEEP):
        kills = {
            phase: [dice.randrange(1, 60) for _ in range(dice.randrange(1, 8))] for phase in range(len(plain.steps))
        }
        outcome = played(daemons, ground, template, tmp_path, kills, lines)
        check_same(outcome, plain, deaths=outcome.deaths, lines=lines)
