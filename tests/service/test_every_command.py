"""No combination of commands stops the daemon: whatever is written twice, or done and undone, letters and clocks go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from itertools import islice
from pkgutil import iter_modules

import pytest
from msgspec.structs import replace

from pbem.adapters.store.sql import SqlStore
from pbem.bootstrap import Server
from pbem.host import commands
from pbem.host.commands.table import COMMANDS
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.ports import MailFolder, Member, Store
from pbem.language.command import ORDER, Command
from tests.language.tables import reader
from tests.service.bureau import DAY, HOST, OPERATOR, Bureau
from tests.service.every_command import (
    MODERATOR,
    PAIRS,
    PLAYER,
    STRANGER,
    of_gatherings,
    of_moderators,
    of_players,
    of_strangers,
)

A_GAME = 12  # letters that are written in one game, before another takes its place
SCANS = tuple(f"SCAN {name}" for name in ("entries", "letters", "outbox", "raws"))
EVERY = 7  # of so many letters one is written in a plain run, and each in one of all tests
FEW = 15  # of so many letters one is written over a database

pytestmark = pytest.mark.timeout(600)

Letters = Iterable[tuple[str, str]]  # who writes, and what


def led(bureau: Bureau) -> Bureau:
    """With a moderator, and a petition and an objection on file where it has begun."""
    with bureau.server.games.work() as desk:
        game = desk.game("imp-1")
        zoe = desk.repository.add_person("Zoe", MODERATOR, 0)
        told = desk.session(game).position.seq if game.status == "running" else -1
        desk.repository.save_game(replace(game, moderators=(Member(person=zoe, seat="", told=told),)))
    if bureau.game.status == "running":
        bureau.write("bert", "petition clarify: what is a fleet?")
        bureau.write("claudia", "object R-1: I see it otherwise")
    return bureau


@pytest.fixture(scope="module")
def running(opened: Bureau) -> Bureau:
    return led(opened.copy())


@pytest.fixture(scope="module")
def gathering() -> Bureau:
    made = Bureau()
    made.invite(3)
    return led(made)


def public(bureau: Bureau) -> Bureau:
    """The same, and anybody may start games there."""
    policy = LobbyPolicy(open_to="anyone")
    bureau.restart_with(Server(bureau.store, bureau.clock, bureau.server.host, bureau.identity, policy=policy))
    return bureau


def write(bureau: Bureau, who: str, text: str) -> None:
    """Drop the letter, as an answer to the last one that came there, if any did; strangers write to us."""
    last = next((mail for mail in reversed(bureau.postman.to(who)) if mail.reply_to), None)
    known = who in (PLAYER, MODERATOR) or "@" not in who
    to = {} if known else {"to": last.reply_to if last and last.reply_to else HOST}
    bureau.drop(who, text, subject=last.subject if last and not known else "[imp-1]", **to)


def check_well(bureau: Bureau, letters: object) -> None:
    """The inbox is empty, nothing was a fault of ours, no id was given twice, and the poll was completed."""
    began = bureau.clock.advance(1)
    bureau.tick()
    with bureau.store.transaction() as repository:
        polled = repository.polled()
    ids = [mail.message_id for mail in bureau.postman.sent]
    state = (bureau.mailbox.inbox, bureau.mailbox.on(MailFolder.kept), polled, len(ids) - len(set(ids)))
    assert state == ([], [], began, 0), letters
    assert [mail.text for mail in bureau.alarms if "fault of ours" in mail.text] == [], letters


def check_time_runs_out(bureau: Bureau, letters: object) -> None:
    """Whoever is awaited now is not awaited for ever."""
    if bureau.game.status != "running":
        return
    before = {slot.key for slot in bureau.slots}
    bureau.write(OPERATOR, "resume: go on", subject="[imp-1]")
    for _ in range(4):
        bureau.tick(5 * DAY)
    assert bureau.game.status != "running" or not before or before != {slot.key for slot in bureau.slots}, letters
    check_well(bureau, letters)


each = pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.slow)])


def twice(who: str, sentences: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((who, f"{sentence}\n{sentence}") for sentence in sentences)


def test_every_module_of_commands_stands_in_the_table() -> None:
    modules = [import_module(f"{commands.__name__}.{found.name}") for found in iter_modules(commands.__path__)]
    there = {value.name for module in modules for value in vars(module).values() if isinstance(value, Command)}
    assert there == {*COMMANDS.by_name} - {ORDER.name}


def test_all_commands_of_the_language_are_among_them() -> None:
    found = {each.command.name for text in of_players() for each in reader().read(text.splitlines()).statements}
    assert found >= {*COMMANDS.by_name} - {"moderator"}


def check_each(bureau: Bureau, letters: Letters, every: int) -> None:
    """Some of every so many of them after each other, then some others where nothing has happened yet."""
    left = islice(letters, None, None, every)
    while some := [*islice(left, A_GAME)]:
        made = public(bureau.copy())
        with none_looked_through(made.store):
            for letter in some:
                write(made, *letter)
                made.tick()
        check_well(made, some)


@contextmanager
def none_looked_through(store: Store) -> Iterator[None]:
    """No statement goes through all of a table that grows with every letter and every turn."""
    assert isinstance(store, SqlStore)
    asked: list[str] = []
    driver = store._idle[0].own
    driver.set_trace_callback(asked.append)
    yield
    driver.set_trace_callback(None)
    plans = {
        row[3]: words
        for words in asked
        if words.startswith(("SELECT", "UPDATE", "DELETE"))
        for row in driver.execute(f"EXPLAIN QUERY PLAN {words}")
    }
    assert plans
    assert [(plan, words) for plan, words in plans.items() if plan.startswith(SCANS)] == []


@pytest.mark.slow
@each
def test_whatever_a_player_writes_twice_stops_nothing(running: Bureau, every: int) -> None:
    check_each(running, twice(PLAYER, of_players()), every)


@each
def test_whatever_a_moderator_does_twice_stops_nothing(running: Bureau, every: int) -> None:
    check_each(running, twice(MODERATOR, of_moderators()), every)


@each
def test_whatever_is_said_twice_before_a_game_begins_stops_nothing(gathering: Bureau, every: int) -> None:
    check_each(gathering, [*twice(PLAYER, of_gatherings()), *twice(MODERATOR, of_gatherings())], every)


@each
def test_whatever_a_stranger_writes_twice_stops_nothing(running: Bureau, gathering: Bureau, every: int) -> None:
    for bureau in (running, gathering):
        check_each(bureau, twice(STRANGER, of_strangers()), every)


@pytest.mark.slow
def test_what_is_done_and_undone_over_and_over_stops_nothing(running: Bureau) -> None:
    for who, do, undo in PAIRS:
        made = public(running.copy())
        for text in (do, undo, do, undo, f"{do}\n{undo}\n{do}\n{undo}"):
            write(made, who, text)
            made.tick()
        check_well(made, (who, do, undo))
        check_time_runs_out(made, (who, do, undo))


@pytest.mark.slow
def test_one_game_survives_them_on_either_store(database: str, lots: None) -> None:
    everybody = [*twice(PLAYER, of_players()), *twice(STRANGER, of_strangers()), *twice(MODERATOR, of_moderators())]
    with closing(SqlStore(database)) as store:
        bureau = public(Bureau(store))
        bureau.open(3)
        led(bureau)
        for who, do, undo in PAIRS:
            for text in (do, undo, do, undo):
                write(bureau, who, text)
        check_well(bureau, PAIRS)
        check_time_runs_out(bureau, PAIRS)
        for letter in everybody[::FEW]:
            write(bureau, *letter)
        check_well(bureau, everybody)
