"""The contract of `Store` and `Repository`, held by the fake and by the real thing alike."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from msgspec.structs import replace
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import inspect, select, text, update

from pbem.adapters.store import VERSION, migrations, schema, sql
from pbem.adapters.store.rows import KEYS
from pbem.adapters.store.sql import NewerDatabase, NoDriver, SqlStore
from pbem.adapters.store.urls import address_of, file_of, without_password
from pbem.host.ports import (
    Address,
    Conflict,
    Dead,
    Entrant,
    FiledOrder,
    Game,
    League,
    Mailed,
    Member,
    Noted,
    OutboxRow,
    Person,
    Press,
    RawLetter,
    Repository,
    SeasonBook,
    SeasonTable,
    Slot,
    Store,
    Taken,
    Vitals,
)
from tests.databases import DATABASES, books_of

ANNA = Member(person=Person(id=1, name="Anna Müller", address="anna@example.org"), seat="Anna", joined=1_000)
BEN = Member(person=Person(id=2, name="", address="ben@example.org", language="de"), seat="Ben", reports="mine", told=4)
GAME = Game(id="imp-1", status="inviting", setup=b'{"seats":2}', secret="c0ffee", created=900, members=(BEN, ANNA))
PAPER = FiledOrder(seat="Anna", kind="standing", key="taxation", text="standing: taxation", at=1_100)
PRESS = Press(number=1, at=1_150, seat="Anna", to=("Ben", "Carl"), text="Grüß dich!\nAnna, 3 > 2", answer="answer.7")
SLOT = Slot(key="Anna/turn/France/7", seat="Anna", opened=2_000)
LEAGUE = League(name="euro", settings=b'{"name":"euro"}', created=50)
SEASON = SeasonBook(tag="euro-1", league="euro", number=1, seed="c0ffee", terms=b"{}", due=100)
POST = OutboxRow(id="p1", to=ANNA.person.address, kind="report", data=b"{}", game="imp-1", created=10, due=10)


@pytest.fixture(params=DATABASES)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with closing(SqlStore(books_of(request.param, request))) as store:
        yield store


def begin(repository: Repository) -> None:
    """Enter the game and its people."""
    for member in (ANNA, BEN):
        person = member.person
        repository.add_person(person.name, person.address, person.id, language=person.language, zone=person.zone)
    repository.add_game(GAME)


@pytest.fixture
def table(store: Store) -> Store:
    """A store with one game in it."""
    change(store, begin)
    return store


def change(store: Store, what: Callable[[Repository], Any]) -> Any:
    """Do it in a transaction of its own, again when another writer was first."""
    while True:
        try:
            with store.transaction() as repository:
                return what(repository)
        except (Conflict, Taken):
            continue


def note(repository: Repository, letter: str, **facts: Any) -> None:
    usual = {"sender": ANNA.person.address, "subject": "Re: [imp-1]", "game": "imp-1", "fate": "read"}
    raw = RawLetter(uid=7, uidvalidity=3, arrived=facts.pop("arrived", 5), raw=b"")
    repository.note(letter, raw, **{**usual, **facts})


# -- transactions ---


def test_a_block_that_ends_well_is_kept(store: Store) -> None:
    change(store, begin)
    with store.transaction() as repository:
        assert repository.game("imp-1") == GAME


def test_a_block_that_raises_leaves_everything_as_it_was(table: Store) -> None:
    def spoil(repository: Repository) -> None:
        note(repository, "<1@example.org>")
        repository.save_game(replace(GAME, status="running", members=()))
        repository.append("imp-1", 0, b"begun")
        repository.file("imp-1", PAPER)
        repository.add_press("imp-1", PRESS)
        repository.put_slot("imp-1", SLOT)
        repository.post([POST])
        repository.set_polled(77)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), table.transaction() as repository:
        spoil(repository)
    with table.transaction() as repository:
        assert not repository.fate("<1@example.org>")
        assert repository.games() == [GAME]
        assert (repository.entries("imp-1"), repository.filed("imp-1"), repository.slots("imp-1")) == ([], [], [])
        assert repository.press("imp-1") == []
        assert (repository.due(99), repository.polled()) == ([], None)


def test_what_is_done_on_trial_is_taken_back(table: Store) -> None:
    with table.transaction() as repository:
        repository.file("imp-1", PAPER)
        with repository.trial() as tried:
            assert [*tried.filed("imp-1")] == [PAPER]
            tried.discard("imp-1", PAPER)
            tried.post([POST])
            assert tried.posted(["p1"])
            assert [*tried.filed("imp-1")] == []
        assert [*repository.filed("imp-1")] == [PAPER]
        assert not repository.posted(["p1"])
        repository.append("imp-1", 0, b"{}")
    with table.transaction() as repository:
        assert [*repository.entries("imp-1")] == [b"{}"]


def test_what_was_written_is_read_within_the_block(table: Store) -> None:
    with table.transaction() as repository:
        repository.append("imp-1", 0, b"begun")
        assert repository.entries("imp-1") == [b"begun"]


def test_a_transaction_inside_a_transaction_is_refused(store: Store) -> None:
    with store.transaction(), pytest.raises(RuntimeError, match="already"), store.transaction():
        pass
    with store.transaction() as repository:
        assert repository.polled() is None


def test_two_threads_that_read_and_then_write_lose_nothing(store: Store) -> None:
    change(store, lambda repository: repository.set_polled(0))

    def count(_: int) -> None:
        change(store, lambda repository: repository.set_polled((repository.polled() or 0) + 1))

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(count, range(100)))
    assert change(store, lambda repository: repository.polled()) == 100


def test_a_race_is_no_key_that_is_taken(store: Store) -> None:
    """Whoever was second is told so while others write, and not when he wrote one thing twice himself."""
    both = threading.Barrier(2)

    def race(number: int) -> str:
        try:
            with store.transaction() as repository:
                read = repository.polled() or 0
                with suppress(threading.BrokenBarrierError):
                    both.wait(0.2)  # passes only where both may be inside at once
                repository.set_polled(read + 1)
        except Conflict:
            return "race"
        except Taken:
            return "taken"
        return "written"

    change(store, lambda repository: repository.set_polled(0))
    with ThreadPoolExecutor(2) as threads:
        assert "taken" not in threads.map(race, range(2))
    with store.transaction() as repository:
        note(repository, "<1@x>")
        with pytest.raises(Taken):
            note(repository, "<1@x>")


def test_two_senders_never_take_the_same_row(store: Store) -> None:
    change(store, lambda repository: repository.post([replace(POST, id=f"p{number}") for number in range(40)]))
    sent: list[str] = []

    def take(repository: Repository) -> str | None:
        for row in repository.due(99, limit=1):
            assert repository.take(row, 999)
            return row.id
        return None

    def deliver(_: int) -> None:
        while (post := change(store, take)) is not None:
            sent.append(post)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(deliver, range(2)))
    assert sorted(sent) == sorted({f"p{number}" for number in range(40)})


# -- letters ---


def test_a_letter_is_seen_once_noted(store: Store) -> None:
    with store.transaction() as repository:
        assert not repository.fate("<1@example.org>")
        note(repository, "<1@example.org>", game=None)
        assert repository.fate("<1@example.org>")
        assert not repository.fate("<1@EXAMPLE.org>")


def test_a_letter_is_noted_once(store: Store) -> None:
    change(store, lambda repository: note(repository, "<1@example.org>"))
    with pytest.raises(Taken), store.transaction() as repository:
        note(repository, "<1@example.org>")


@pytest.mark.parametrize("bad", ["nul \0", "half a pair \udce9", "Grüße \U0001f600"])
def test_no_letter_is_too_strange_to_be_noted(store: Store, bad: str) -> None:
    with store.transaction() as repository:
        note(repository, bad, sender=bad, subject=bad, game=bad, fate=bad)
        assert repository.fate(bad)


# -- games ---


def test_a_game_comes_back_as_it_went_in(table: Store) -> None:
    with table.transaction() as repository:
        assert repository.game("imp-1") == GAME
        assert repository.game("imp-2") is None


def test_games_stand_by_age_and_tag_and_may_be_asked_for_by_status(table: Store) -> None:
    younger = replace(GAME, id="imp-0", created=950, status="running", members=())
    twin = replace(GAME, id="Imp-1")
    with table.transaction() as repository:
        repository.add_game(younger)
        repository.add_game(twin)
        assert repository.games() == [twin, GAME, younger]
        assert repository.games("running") == [younger]
        assert repository.games("finished") == []


def test_a_tag_is_one_games(table: Store) -> None:
    with pytest.raises(Taken), table.transaction() as repository:
        repository.add_game(replace(GAME, members=()))


def test_saving_replaces_status_set_up_and_members_and_nothing_else(table: Store) -> None:
    with table.transaction() as repository:
        carl = Member(person=repository.add_person("Carl", "carl@example.org", 5), seat="Carl", joined=3_000)
        changed = replace(GAME, status="running", setup=b"other", members=(ANNA, carl))
        repository.save_game(replace(changed, secret="other", created=1))
        assert repository.game("imp-1") == changed


def test_a_seat_belongs_to_one_member(table: Store) -> None:
    with pytest.raises(Taken), table.transaction() as repository:
        repository.save_game(replace(GAME, members=(ANNA, replace(BEN, seat="Anna"))))


@pytest.mark.parametrize(
    "write",
    [
        lambda repository: repository.save_game(GAME),
        lambda repository: repository.append("imp-1", 0, b"begun"),
        lambda repository: repository.file("imp-1", PAPER),
        lambda repository: repository.add_press("imp-1", PRESS),
        lambda repository: repository.put_slot("imp-1", SLOT),
    ],
    ids=["save_game", "append", "file", "add_press", "put_slot"],
)
def test_nothing_is_kept_for_a_game_that_does_not_exist(store: Store, write: Callable[[Repository], None]) -> None:
    with pytest.raises(LookupError), store.transaction() as repository:
        write(repository)


# -- entries ---


def test_entries_come_in_order_and_after_a_number(table: Store) -> None:
    with table.transaction() as repository:
        repository.add_game(replace(GAME, id="imp-2"))
        for number in (2, 0, 1, 10):
            repository.append("imp-1", number, b"\x00%d" % number)
        repository.append("imp-2", 0, b"another game")
        assert repository.entries("imp-1") == [b"\x000", b"\x001", b"\x002", b"\x0010"]
        assert repository.entries("imp-1", after=1) == [b"\x002", b"\x0010"]
        assert repository.entries("imp-1", after=10) == []


def test_a_number_is_one_entrys(table: Store) -> None:
    change(table, lambda repository: repository.append("imp-1", 0, b"first"))
    with table.transaction() as repository, pytest.raises(Taken):
        repository.append("imp-1", 0, b"second")
    with table.transaction() as repository:
        assert repository.entries("imp-1") == [b"first"]


# -- papers ---


def test_a_paper_replaces_the_one_for_the_same_seat_kind_and_key(table: Store) -> None:
    newer = replace(PAPER, text="standing: factory", at=1_200)
    others = [replace(PAPER, seat="Ben"), replace(PAPER, kind="draft"), replace(PAPER, key="import")]
    with table.transaction() as repository:
        for paper in (PAPER, *others, newer):
            repository.file("imp-1", paper)
        assert repository.filed("imp-1") == [others[1], others[2], newer, others[0]]


def test_a_paper_is_discarded_whatever_it_says(table: Store) -> None:
    other = replace(PAPER, kind="advance")
    with table.transaction() as repository:
        repository.file("imp-1", PAPER)
        repository.file("imp-1", other)
        repository.discard("imp-1", replace(PAPER, text="", at=0))
        repository.discard("imp-1", replace(PAPER, key="never filed"))
        assert repository.filed("imp-1") == [other]


# -- press ---


def test_press_comes_back_by_number_as_it_went_in(table: Store) -> None:
    with table.transaction() as repository:
        repository.add_game(replace(GAME, id="imp-2"))
        later = replace(PRESS, number=10, to=("all",), text="")
        for game, press in (("imp-1", later), ("imp-1", PRESS), ("imp-2", PRESS)):
            repository.add_press(game, press)
        assert repository.press("imp-1") == [PRESS, later]
        assert repository.press("imp-3") == []


def test_a_number_of_press_is_one_texts(table: Store) -> None:
    change(table, lambda repository: repository.add_press("imp-1", PRESS))
    with table.transaction() as repository, pytest.raises(Taken):
        repository.add_press("imp-1", replace(PRESS, text="second"))
    with table.transaction() as repository:
        assert repository.press("imp-1") == [PRESS]


# -- slots ---


def test_a_slot_is_replaced_by_its_key_and_closed(table: Store) -> None:
    started = replace(SLOT, started=2_010, deadline=88_410)
    second = replace(SLOT, key="Ben/turn/Italy/7", seat="Ben", opened=1_999)
    with table.transaction() as repository:
        for slot in (SLOT, second, started):
            repository.put_slot("imp-1", slot)
        assert repository.slots("imp-1") == [second, started]
        repository.close_slot("imp-1", SLOT.key)
        repository.close_slot("imp-1", "no such slot")
        assert repository.slots("imp-1") == [second]
        assert repository.slots("imp-2") == []


def test_due_slots_are_those_before_the_instant_earliest_first(table: Store) -> None:
    late, early, never = (replace(SLOT, key=key, due=at) for key, at in (("l", 9), ("e", 5), ("n", None)))
    with table.transaction() as repository:
        assert repository.next_due() is None
        repository.add_game(replace(GAME, id="imp-0"))
        for slot in (late, never, early):
            repository.put_slot("imp-1", slot)
        repository.put_slot("imp-0", late)
        assert repository.due_slots(9) == [("imp-1", early)]
        assert repository.due_slots(10) == [("imp-1", early), ("imp-0", late), ("imp-1", late)]
        assert repository.next_due() == 5


def test_instants_after_2038_are_kept(table: Store) -> None:
    with table.transaction() as repository:
        repository.put_slot("imp-1", replace(SLOT, due=2**33))
        assert repository.next_due() == 2**33


# -- outbox ---


def test_post_goes_out_by_due_instant_and_then_in_the_order_of_posting(store: Store) -> None:
    rows = [replace(POST, id=name, due=due) for name, due in (("z", 10), ("a", 10), ("m", 5), ("x", 11))]
    rows[1] = replace(rows[1], seat="Anna", game=None, attempts=2)
    z, a, m, _ = rows
    with store.transaction() as repository:
        repository.post(iter(rows))
        repository.post([])
        assert repository.next_post() == 5
        assert repository.due(4) == []
        assert repository.due(10, limit=2) == [m, z]
        assert repository.due(10) == [m, z, a]


def test_a_delivered_row_is_due_no_more(store: Store) -> None:
    with store.transaction() as repository:
        repository.post([POST])
        repository.delivered("p1", 12)
        repository.delivered("never posted", 12)
        assert repository.due(99) == []
        assert repository.dead() == []


def test_a_row_that_is_taken_counts_the_attempt_and_is_nobody_elses_for_a_while(store: Store) -> None:
    with store.transaction() as repository:
        repository.post([POST])
        assert repository.take(POST, 70)
        assert repository.due(69) == []
        assert repository.due(70) == [replace(POST, due=70, attempts=1)]


def test_a_row_is_taken_as_it_was_read_or_not_at_all(store: Store) -> None:
    with store.transaction() as repository:
        repository.post([POST])
        (read,) = repository.due(POST.due)
        assert not repository.take(replace(read, data=b"[]"), 70)
        assert repository.take(read, 70)
        assert not repository.take(read, 80)
        assert repository.due(70) == [replace(read, due=70, attempts=1)]
        repository.delivered(read.id, 70)
        assert not repository.take(replace(read, due=70, attempts=1), 80)


def test_a_postponed_row_waits(store: Store) -> None:
    with store.transaction() as repository:
        repository.post([POST])
        repository.postpone("p1", 70)
        repository.postpone("p1", 80)
        assert (repository.due(79), repository.next_post()) == ([], 80)
        assert repository.due(80) == [replace(POST, due=80)]


def test_a_row_that_is_put_back_waits_without_having_been_tried(store: Store) -> None:
    with store.transaction() as repository:
        repository.post([POST])
        assert repository.take(POST, 70)
        repository.put_back("p1", 80)
        assert repository.due(79) == []
        assert repository.due(80) == [replace(POST, due=80)]


def test_the_last_letters_about_a_game_are_found(store: Store) -> None:
    with store.transaction() as repository:
        for number, game in enumerate(("imp-1", "imp-2", "imp-1", None)):
            note(repository, f"<{number}@x>", game=game, arrived=1_000 + number)
    with store.transaction() as repository:
        assert [noted.id for noted in repository.last("imp-1", 9)] == ["<2@x>", "<0@x>"]
        assert [noted.id for noted in repository.last("imp-1", 1)] == ["<2@x>"]
        assert repository.last("imp-9", 9) == []


def test_moderators_are_kept_and_found(table: Store) -> None:
    with table.transaction() as repository:
        zoe = repository.add_person("Zoe", "zoe@example.org", 950)
        led = (Member(person=ANNA.person, seat="", reports="mine", told=7), Member(person=zoe, seat=""))
        repository.save_game(replace(GAME, moderators=led))
        repository.add_game(replace(GAME, id="imp-2", moderators=led[1:], created=901))
    with table.transaction() as repository:
        found = repository.game("imp-1")
        assert found is not None
        assert [one.person.name for one in found.moderators] == ["Anna Müller", "Zoe"]
        assert [game.moderators for game in repository.games()] == [led, led[1:]]
        assert [game.id for game in repository.games_of(zoe.id)] == []
        repository.save_game(replace(found, moderators=led[1:]))
        assert [game.moderators for game in repository.games()] == [led[1:], led[1:]]


def test_the_games_of_a_person_are_found(table: Store) -> None:
    with table.transaction() as repository:
        assert repository.games_of(ANNA.person.id) == [GAME]
        assert repository.games_of(99) == []


# -- people ---


def test_a_person_is_known_by_each_of_his_addresses(table: Store) -> None:
    second = Address(address="anna@work.example", person=1, added=500, verified=600)
    with table.transaction() as repository:
        repository.save_address(second)
        assert (
            repository.person_at("anna@work.example")
            == repository.person_at("anna@example.org")
            == repository.person(1)
            == ANNA.person
        )
        assert repository.addresses(1) == [Address(address="anna@example.org", person=1, added=1), second]
        repository.remove_address("anna@work.example")
        assert repository.person_at("anna@work.example") is None
        assert (repository.person_at("nobody@example.org"), repository.person(99)) == (None, None)


def test_people_wait_for_a_seat_in_the_order_in_which_they_came(table: Store) -> None:
    with table.transaction() as repository:
        anna = repository.add_person("Anna", "anna@waiting.test", 1)
        otto = repository.add_person("Otto", "otto@waiting.test", 1)
        repository.wait(otto.id, 5)
        repository.wait(anna.id, 6)
        repository.wait(otto.id, 7)
        assert repository.waiting() == [otto, anna]
        repository.wait_no_more(otto.id)
    with table.transaction() as repository:
        assert repository.waiting() == [anna]


def test_an_address_is_one_persons(table: Store) -> None:
    with pytest.raises(Taken), table.transaction() as repository:
        repository.add_person("Anton", "anna@example.org", 7)
    with pytest.raises(Taken), table.transaction() as repository:
        repository.save_address(Address(address="anna@example.org", person=2, added=7))


def test_what_is_known_of_a_person_changes_in_all_his_games(table: Store) -> None:
    changed = replace(ANNA.person, name="Anna", address="anna@work.example", language="it", zone="Europe/Rome", keys=3)
    with table.transaction() as repository:
        repository.save_person(changed)
        found = repository.game("imp-1")
        assert found is not None
        assert found.members == (BEN, replace(ANNA, person=changed))
        repository.save_address(Address(address="anna@example.org", person=1, added=1, verified=8, failures=2))
        assert repository.addresses(1) == [
            Address(address="anna@example.org", person=1, added=1, verified=8, failures=2)
        ]


def test_nobody_is_changed_who_is_not_there(store: Store) -> None:
    with pytest.raises(LookupError), store.transaction() as repository:
        repository.save_person(ANNA.person)


def test_a_buried_row_stays_in_the_books_with_the_reason(store: Store) -> None:
    with store.transaction() as repository:
        repository.post([replace(POST, id=name) for name in ("z", "a", "m")])
        repository.bury("a", "550 unknown")
        repository.bury("z", "too old")
        assert [row.id for row in repository.due(99)] == ["m"]
        assert [(row.id, row.reason) for row in repository.dead()] == [("z", "too old"), ("a", "550 unknown")]


def test_a_row_that_is_put_away_never_goes_out_and_was_not_sent(store: Store) -> None:
    with store.transaction() as repository:
        repository.post([POST])
        repository.put_away("p1")
        repository.delivered("p1", 12)
        assert (repository.due(99), repository.dead()) == ([], [])
        assert (repository.vitals(99).delivered, repository.posted(["p1"])) == (None, ["p1"])


def test_what_is_settled_stays_settled(store: Store) -> None:
    with store.transaction() as repository:
        repository.post([replace(POST, id=name) for name in ("sent", "dead")])
        repository.delivered("sent", 12)
        repository.bury("dead", "550 unknown")
        for post in ("sent", "dead"):
            repository.postpone(post, 1)
            repository.bury(post, "again")
            repository.delivered(post, 13)
        assert repository.due(99) == []
        assert [(row.id, row.reason) for row in repository.dead()] == [("dead", "550 unknown")]


def test_a_row_whose_id_is_taken_gets_the_next_that_is_free(store: Store) -> None:
    change(store, lambda repository: repository.post([POST]))
    change(store, lambda repository: repository.delivered("p1", 12))
    change(store, lambda repository: repository.post([replace(POST, id=name) for name in ("p0", "p1", "p1", "p0")]))
    for _ in range(5):
        change(store, lambda repository: repository.post([POST]))
    with store.transaction() as repository:
        posted = [row.id for row in repository.due(99)]
        assert posted == ["p0", "p1+2", "p1+3", "p0+2", *(f"p1+{number}" for number in range(4, 9))]


def test_a_row_is_known_by_its_id_whatever_became_of_it(store: Store) -> None:
    with store.transaction() as repository:
        assert not repository.posted(["p1"])
        repository.post([POST, replace(POST, id="sent"), replace(POST, id="dead")])
        repository.delivered("sent", 12)
        repository.bury("dead", "550 unknown")
        assert {*repository.posted(["p1", "sent", "dead"])} == {"p1", "sent", "dead"}


# -- letters as they came ---


RAW = RawLetter(uid=7, uidvalidity=3, arrived=5, raw=b"From: \xff\0\r\n\r\nhello", size=22, cut=11, again=1)


def test_a_letter_is_held_as_it_came(store: Store) -> None:
    with store.transaction() as repository:
        assert (repository.raw("<1@x>"), repository.noted("<1@x>"), repository.kept()) == (None, None, [])
        note(repository, "<1@x>")
        assert repository.raw("<1@x>") is None
        repository.keep("<1@x>", RAW, 100, kept=False)
        noted = Noted(
            id="<1@x>", arrived=5, sender=ANNA.person.address, subject="Re: [imp-1]", game="imp-1", fate="read"
        )
        assert (repository.raw("<1@x>"), repository.noted("<1@x>"), repository.kept()) == (RAW, noted, [])
        repository.keep("<1@x>", replace(RAW, again=2), 100, kept=True)
        assert repository.raw("<1@x>") == replace(RAW, again=2)
        assert repository.kept() == [replace(noted, kept=True)]


def test_a_letter_that_is_forgotten_may_come_again_and_one_that_is_dropped_may_not(store: Store) -> None:
    with store.transaction() as repository:
        for letter in ("<1@x>", "<2@x>"):
            note(repository, letter)
            repository.keep(letter, RAW, 100, kept=True)
        repository.forget("<1@x>")
        repository.drop("<2@x>")
        assert (repository.fate("<1@x>"), repository.fate("<2@x>")) == (None, "read")
        assert (repository.kept(), repository.raw("<2@x>")) == ([], None)
        note(repository, "<1@x>", arrived=6)
        assert [each.arrived for each in repository.kept()] == [6]


def test_letters_expire_and_later_those_that_a_person_should_look_at(store: Store) -> None:
    with store.transaction() as repository:
        for number, (at, kept) in enumerate([(99, False), (100, False), (99, True)]):
            note(repository, f"<{number}@x>", arrived=9 - number)
            repository.keep(f"<{number}@x>", RAW, at, kept=kept)
        assert repository.expire(100, 99) == 1
        assert repository.expire(100, 99) == 0
        assert [repository.raw(f"<{number}@x>") is None for number in range(3)] == [True, False, False]
        assert [each.id for each in repository.kept()] == ["<2@x>"]
        assert repository.expire(100, 100) == 1
        assert repository.kept() == []


def settled(repository: Repository, id_: str, *, out: bool, **facts: Any) -> None:
    """Post a row, which goes out or never does."""
    row = replace(POST, id=id_, **facts)
    repository.post([row])
    if out:
        repository.delivered(id_, row.due)
    else:
        repository.put_away(id_)


def test_mail_that_nobody_asks_for_is_let_go(store: Store) -> None:
    with store.transaction() as repository:
        begin(repository)
        repository.save_game(replace(GAME, status="running"))
        repository.add_game(replace(GAME, id="imp-2", members=()))
        repository.put_slot("imp-1", replace(SLOT, opened=30))
        found(repository)
        settled(repository, "old", out=True, created=10, due=40)
        settled(repository, "never", out=False, created=10, due=40)
        settled(repository, "young", out=True, created=10, due=99)
        settled(repository, "of_the_slot", out=True, created=30, due=40)
        settled(repository, "invites", out=True, created=10, due=40, game="imp-2")
        settled(repository, "of_no_game", out=True, created=10, due=40, game=None)
        settled(repository, "of_a_season", out=True, created=10, due=40, game="euro-1")
        settled(repository, "last", out=True, created=10, due=98)
        repository.post([replace(POST, id=name, due=40) for name in ("waits", "dead")])
        repository.bury("dead", "no such user")
    names = ("old", "never", "young", "of_the_slot", "invites", "of_no_game", "of_a_season", "last", "waits", "dead")
    old = {"never", "old", "of_no_game"}

    def gone(before: int, *, sent: bool) -> set[str]:
        with store.transaction() as repository:
            assert repository.shed(before, sent=sent, after=None, most=100) is None
            return {name for name in names if not repository.posted([name])}

    assert gone(40, sent=True) == set()
    assert gone(41, sent=False) == {"never"}
    assert gone(41, sent=True) == old
    with store.transaction() as repository:
        repository.close_slot("imp-1", SLOT.key)
        repository.set_season_due(SEASON.tag, None)
    assert gone(99, sent=True) == {*old, "of_the_slot", "of_a_season", "last"}
    assert gone(100, sent=True) == {*old, "of_the_slot", "of_a_season", "last"}, "it tells when mail went out last"


def test_mail_is_let_go_a_few_rows_at_a_time(store: Store) -> None:
    with store.transaction() as repository:
        begin(repository)
        for number in range(7):
            settled(repository, f"p{number}", out=True, due=number // 2, game=None if number % 3 else "imp-1")
    after, left = None, []
    for _ in range(3):
        with store.transaction() as repository:
            after = repository.shed(9, sent=True, after=after, most=3)
            left.append([number for number in range(7) if repository.posted([f"p{number}"])])
    assert left == [[0, 3, 4, 5, 6], [0, 3, 6], [0, 3, 6]]
    assert after is None


def test_letters_are_found_by_their_fate_and_filing_time(store: Store) -> None:
    with store.transaction() as repository:
        for number, (at, fate) in enumerate([(9, "a"), (7, "b"), (8, "c"), (5, "a")]):
            note(repository, f"<{number}@x>", arrived=at, fate=fate, sender=f"{number}@x")
        assert repository.filed_since(["a", "b"], 5) == [("1@x", 7), ("0@x", 9)]
        assert repository.filed_since(["d"], 0) == []


def test_the_mail_of_an_address_is_told_and_erased(store: Store) -> None:
    with store.transaction() as repository:
        for letter, sender in (("<1@x>", "Anna@Example.org"), ("<2@x>", "ben@example.org")):
            note(repository, letter, sender=sender)
            repository.keep(letter, RAW, 100, kept=True)
        repository.post([replace(POST, id=name) for name in ("sent", "queued", "dead")])
        repository.post([replace(POST, id="other", to="ben@example.org")])
        repository.delivered("sent", 50)
        repository.bury("dead", "550")
        assert [each.id for each in repository.letters_from("anna@example.org")] == ["<1@x>"]
        told = Mailed(id="sent", kind="report", game="imp-1", seat=POST.seat, created=10, sent=50, data=b"{}")
        assert repository.mail_to("ANNA@example.org") == [
            told,
            replace(told, id="queued", sent=None),
            replace(told, id="dead", sent=None),
        ]
        repository.erase_mail("anna@example.org")
        assert (repository.letters_from("anna@example.org"), repository.mail_to("anna@example.org")) == ([], [])
        assert (repository.fate("<1@x>"), repository.raw("<1@x>")) == ("read", None)
        assert (repository.dead(), [row.id for row in repository.due(99)]) == ([], ["other"])
        assert repository.posted(["queued"])
        assert [each.id for each in repository.kept()] == ["<2@x>"]


def test_dead_rows_are_shown_revived_and_cleared_away(store: Store) -> None:
    with store.transaction() as repository:
        repository.post([replace(POST, id=name) for name in ("z", "a", "sent", "queued")])
        assert repository.take(replace(POST, id="z"), 50)
        repository.delivered("sent", 12)
        repository.bury("z", "550 unknown")
        repository.bury("a", "too old")
        dead = Dead(id="z", to=POST.to, kind="report", game="imp-1", created=10, attempts=1, reason="550 unknown")
        assert repository.dead() == [dead, replace(dead, id="a", attempts=0, reason="too old")]
        repository.clear_away("a")
        for name in ("z", "a", "sent", "queued"):
            repository.revive(name, 70)
        assert repository.due(70) == [replace(POST, id="queued"), replace(POST, id="z", due=70)]
        repository.clear_away("z")
        repository.bury("z", "again")
        assert [row.reason for row in repository.dead()] == ["again"]
        assert repository.posted(["a"])


def test_the_vitals_are_counted(table: Store) -> None:
    with table.transaction() as repository:
        empty = repository.vitals(0)
        assert (empty.games, empty.queued, empty.oldest, empty.delivered) == ({"inviting": 1}, 0, None, None)
        repository.add_game(replace(GAME, id="imp-2", status="running"))
        repository.put_slot("imp-2", replace(SLOT, deadline=77))
        repository.put_slot("imp-2", replace(SLOT, key="other"))
        repository.post(
            replace(POST, id=name, created=1, due=at)
            for name, at in (("q", 8), ("r", 7), ("s", 1), ("t", 2), ("d", 3), ("planned", 101))
        )
        repository.delivered("s", 50)
        repository.delivered("t", 40)
        repository.bury("d", "550")
        note(repository, "<1@x>")
        repository.keep("<1@x>", RAW, 1, kept=True)
        note(repository, "<2@x>")
        repository.keep("<2@x>", RAW, 1, kept=False)
        for name in ("answered", "ignored", "answered"):
            repository.tally(name)
        repository.set_mark("post.down", 44)
        repository.set_mark("post.told", 45)
        repository.set_polled(60)
        found = repository.vitals(100)
    assert found == Vitals(
        games={"inviting": 1, "running": 1},
        awaited=2,
        next_deadline=77,
        queued=2,
        oldest=7,
        dead=1,
        kept=1,
        polled=60,
        delivered=50,
        letters={"answered": 2, "ignored": 1},
        down={"post": 44},
    )


# -- marks ---


def test_the_last_poll_is_remembered(store: Store) -> None:
    with store.transaction() as repository:
        assert repository.polled() is None
        repository.set_polled(50)
        repository.set_polled(60)
        assert repository.polled() == 60


def test_moves_are_noted_until_the_archive_has_them(store: Store) -> None:
    with store.transaction() as repository:
        repository.set_polled(50)
        assert repository.moved() == {}
        for game, seq in (("imp-2", 3), ("imp-10", 7), ("imp-2", 5)):
            repository.set_moved(game, seq)
        assert repository.moved() == {"imp-10": 7, "imp-2": 5}
        repository.settle_move("imp-2", 3)
        repository.settle_move("imp-10", 7)
        assert repository.moved() == {"imp-2": 5}
        assert repository.polled() == 50


# -- the database itself ---


# -- leagues ---


def found(repository: Repository) -> None:
    repository.add_league(LEAGUE)
    repository.add_season(SEASON)


def test_leagues_and_their_seasons_come_back_as_they_went_in(store: Store) -> None:
    change(store, found)
    with store.transaction() as repository:
        repository.add_season(replace(SEASON, tag="euro-2", number=2, due=None))
        repository.save_league(replace(LEAGUE, settings=b"{}"))
        assert repository.leagues() == [replace(LEAGUE, settings=b"{}")]
        assert repository.league("asia") is repository.season("asia-1") is None
        assert [each.tag for each in repository.seasons("euro")] == ["euro-1", "euro-2"]
        assert repository.season("euro-1") == SEASON


def test_a_season_is_founded_once(store: Store) -> None:
    change(store, found)
    for again in (SEASON, replace(SEASON, tag="euro-01")):
        with pytest.raises(Taken), store.transaction() as repository:
            repository.add_season(again)


def test_due_seasons_are_those_of_the_instant_the_earliest_first(store: Store) -> None:
    change(store, found)
    with store.transaction() as repository:
        repository.add_season(replace(SEASON, tag="euro-2", number=2, due=90))
        repository.add_season(replace(SEASON, tag="euro-3", number=3, due=None))
        assert repository.due_seasons(89) == []
        assert repository.due_seasons(100) == ["euro-2", "euro-1"]
        assert repository.next_season() == 90
        repository.set_season_due("euro-2", None)
        assert repository.next_season() == 100


def test_the_number_of_an_act_is_one_acts(store: Store) -> None:
    change(store, found)
    change(store, lambda repository: [repository.append_act("euro-1", seq, b"%d" % seq) for seq in (0, 1, 2)])
    with pytest.raises(Taken), store.transaction() as repository:
        repository.append_act("euro-1", 2, b"another")
    with store.transaction() as repository:
        assert repository.acts("euro-1") == [b"0", b"1", b"2"]
        assert repository.acts("euro-1", after=1) == [b"2"]


def test_what_an_entrant_has_said_is_replaced(table: Store) -> None:
    change(table, found)
    with table.transaction() as repository:
        said = Entrant(season="euro-1", person=1, luck="banana", apart="2", salt="x", reports="mine", told=4)
        repository.save_entrant(replace(said, luck=""))
        repository.save_entrant(said)
        assert repository.entrants("euro-1") == repository.seasons_of(1) == [said]
        assert repository.entrant("euro-1", 2) is None


def test_a_game_is_one_table(table: Store) -> None:
    change(table, found)
    own = SeasonTable(game="imp-1", season="euro-1", number=3)
    change(table, lambda repository: repository.add_table(own))
    with pytest.raises(Taken), table.transaction() as repository:
        repository.add_table(replace(own, number=4))
    with table.transaction() as repository:
        assert repository.table_of("imp-1") == own
        assert repository.table_of("imp-2") is None
        assert repository.tables_of("euro-1") == [own]


def test_seasons_that_moved_are_noted_until_the_archive_has_them(store: Store) -> None:
    with store.transaction() as repository:
        repository.set_season_moved("euro-1", 3)
        repository.set_moved("imp-1", 7)
        assert repository.moved_seasons() == {"euro-1": 3}
        assert repository.moved() == {"imp-1": 7}
        repository.settle_season("euro-1", 2)
        assert repository.moved_seasons() == {"euro-1": 3}
        repository.settle_season("euro-1", 3)
        assert repository.moved_seasons() == {}


def test_a_reopened_database_keeps_everything(database: str) -> None:
    with closing(SqlStore(database)) as store, store.transaction() as repository:
        begin(repository)
        repository.append("imp-1", 0, b"begun")
        repository.file("imp-1", PAPER)
        repository.add_press("imp-1", PRESS)
        repository.put_slot("imp-1", SLOT)
        repository.post([POST])
        repository.set_polled(60)
        note(repository, "<1@example.org>")
    with closing(SqlStore(database)) as store, store.transaction() as repository:
        assert repository.games() == [GAME]
        assert repository.entries("imp-1") == [b"begun"]
        assert (repository.filed("imp-1"), repository.slots("imp-1")) == ([PAPER], [SLOT])
        assert repository.press("imp-1") == [PRESS]
        assert (repository.due(99), repository.polled()) == ([POST], 60)
        assert repository.fate("<1@example.org>")


def test_daemons_that_start_together_make_one_database(database: str) -> None:
    together = threading.Barrier(4)

    def start(number: int) -> None:
        together.wait()
        with closing(SqlStore(database)) as store:
            change(store, lambda repository: repository.post([replace(POST, id=str(number))]))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(start, range(4)))
    with closing(SqlStore(database)) as store, store.transaction() as repository:
        assert len(repository.due(99)) == 4


@pytest.mark.parametrize("lock", ["BEGIN; SELECT * FROM sqlite_master", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_daemon_that_starts_waits_for_whoever_holds_the_new_file(tmp_path: Path, lock: str) -> None:
    """The change to WAL does not wait by itself, whatever the timeout says."""
    file = tmp_path / "pbem.db"
    holds, may_go = threading.Event(), threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            *first, last = lock.split("; ")
            for statement in first:
                other.execute(statement)
            other.execute(last).fetchall()
            holds.set()
            may_go.wait(10)

    with ThreadPoolExecutor(2) as threads:
        threads.submit(hold)
        holds.wait(10)
        started = threads.submit(SqlStore, f"sqlite:///{file}")
        with pytest.raises(TimeoutError):
            started.result(0.1)
        may_go.set()
        started.result(10).close()


def test_an_unfinished_transaction_dies_with_its_process(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'pbem.db'}"
    script = f"""
import os
from pbem.adapters.store.sql import SqlStore
store = SqlStore({url!r})
with store.transaction() as books: books.set_polled(1)
with store.transaction() as books: books.set_polled(2); os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    with closing(SqlStore(url)) as store, store.transaction() as repository:
        assert repository.polled() == 1


def test_books_are_of_no_use_after_the_block(database: str) -> None:
    with closing(SqlStore(database)) as store:
        with store.transaction() as repository:
            pass
        with pytest.raises(Exception, match="closed"):
            repository.polled()


def test_every_commit_of_sqlite_reaches_the_disk(tmp_path: Path) -> None:
    with closing(SqlStore(f"sqlite:///{tmp_path / 'pbem.db'}")) as store, store.statements() as books:
        pragmas = ("journal_mode", "synchronous", "foreign_keys")
        assert [books.run(f"PRAGMA {name}").scalar() for name in pragmas] == ["wal", 2, 1]


def test_postgres_without_its_driver_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(NoDriver, match="PostgreSQL needs psycopg"):
        SqlStore("postgresql://nobody@127.0.0.1/nowhere")


@pytest.mark.parametrize(
    ("url", "address", "shown"),
    [
        (
            "postgresql+psycopg://pbem@db:5432/pbem",
            "postgresql://pbem@db:5432/pbem",
            "postgresql+psycopg://pbem@db:5432/pbem",
        ),
        ("postgres://pbem:a%40b@db/pbem", "postgres://pbem:a%40b@db/pbem", "postgres://pbem:***@db/pbem"),
        (
            "postgresql://db/pbem?user=a&password=b&port=1",
            "postgresql://db/pbem?user=a&password=b&port=1",
            "postgresql://db/pbem?user=a&password=***&port=1",
        ),
        (
            "postgresql:///pbem?host=/run/postgresql",
            "postgresql:///pbem?host=/run/postgresql",
            "postgresql:///pbem?host=/run/postgresql",
        ),
    ],
)
def test_a_server_is_found_by_its_address_and_shown_without_a_password(url: str, address: str, shown: str) -> None:
    assert (address_of(url), without_password(url)) == (address, shown)
    conninfo_to_dict(address_of(url))  # libpq understands it
    assert file_of(url) is None


# -- versions ---


def tables_of(url: str) -> list[str]:
    with migrations.engine_at(url).connect() as connection:
        made = connection.execute(text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"))
        return [" ".join(row.sql.split()) for row in made]


def migrated(url: str, upto: str = "head") -> None:
    """Make the tables step by step, as an old database would get them."""
    with migrations.engine_at(url).begin() as connection:
        migrations.migrate(connection, upto)


def test_the_steps_and_the_schema_make_the_same_tables(database: str) -> None:
    migrated(database)
    with migrations.engine_at(database).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []


def test_what_takes_anothers_place_is_found_by_its_key() -> None:
    tables = {name: schema.metadata.tables[name] for name in KEYS}
    assert {name: tuple(each.name for each in table.primary_key) for name, table in tables.items()} == KEYS


def test_a_fresh_database_is_letter_for_letter_a_migrated_one(tmp_path: Path) -> None:
    fresh, stepwise = f"sqlite:///{tmp_path / 'fresh.db'}", f"sqlite:///{tmp_path / 'stepwise.db'}"
    SqlStore(fresh).close()
    migrated(stepwise)
    assert tables_of(fresh) == tables_of(stepwise)


def test_members_of_the_first_release_become_people(database: str) -> None:
    migrated(database, "0001")
    with migrations.engine_at(database).begin() as connection:
        connection.execute(
            text("""INSERT INTO games VALUES ('imp-1', 'running', '', '', 10), ('imp-2', 'inviting', '', '', 20)""")
        )
        connection.execute(
            text("""INSERT INTO members VALUES
            ('imp-1', 'anna', 0, 'anna@example.org', 'Anna', 11, 'de', 'Europe/Berlin'),
            ('imp-1', 'ben', 1, 'ben@example.org', 'Ben', 12, 'en', 'UTC'),
            ('imp-2', 'ann', 0, 'anna@example.org', 'Ann', NULL, 'it', 'Europe/Rome')""")
        )
        connection.execute(text("""INSERT INTO entries (game, seq, entry) VALUES ('imp-1', 0, ''), ('imp-1', 1, '')"""))
    with closing(SqlStore(database)) as store, store.transaction() as repository:
        anna, ben = repository.person_at("anna@example.org"), repository.person_at("ben@example.org")
        assert anna
        assert ben
        assert (anna.name, anna.language, anna.zone) == ("Ann", "it", "Europe/Rome")
        seated, invited = repository.games()
        assert seated.members == (
            Member(person=anna, seat="anna", joined=11, told=1),
            Member(person=ben, seat="ben", joined=12, told=1),
        )
        assert invited.members == (Member(person=anna, seat="ann", told=-1),)
        assert [each.verified for each in repository.addresses(anna.id)] == [11]
        repository.add_person("Carl", "carl@example.org", 30)


def test_a_migrated_database_is_opened(database: str) -> None:
    migrated(database)
    with closing(SqlStore(database)) as store, store.transaction() as repository:
        assert repository.games() == []


def test_the_version_is_that_of_the_last_step() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    steps = ScriptDirectory.from_config(config)
    assert steps.get_heads() == [VERSION]
    numbers = [step.revision for step in steps.walk_revisions()]
    assert numbers == sorted(numbers, reverse=True)


def come_to(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    for of in (sql, migrations):
        monkeypatch.setattr(of, "VERSION", version)


def test_an_older_database_is_migrated(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    SqlStore(database).close()
    asked: list[str] = []
    come_to(monkeypatch, "0998")
    monkeypatch.setattr(migrations, "migrate", lambda connection: asked.append(connection.dialect.name))
    SqlStore(database).close()
    assert asked == [database.partition(":")[0].partition("+")[0]]


def test_a_step_that_fails_leaves_the_database_as_it_was(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    SqlStore(database).close()

    def fail(connection: Any) -> None:
        connection.execute(text("DROP TABLE marks"))
        raise ZeroDivisionError

    come_to(monkeypatch, "0998")
    monkeypatch.setattr(migrations, "migrate", fail)
    with pytest.raises(ZeroDivisionError):
        SqlStore(database)
    with migrations.engine_at(database).connect() as connection:
        assert inspect(connection).has_table("marks")


def test_a_newer_database_is_refused_in_one_sentence(database: str) -> None:
    SqlStore(database).close()
    with migrations.engine_at(database).begin() as connection:
        connection.execute(update(schema.stamp).values(version_num="0999"))
    with pytest.raises(NewerDatabase, match=f"at version 0999 and this program knows only up to {VERSION}"):
        SqlStore(database)
    with migrations.engine_at(database).connect() as connection:
        assert connection.scalar(select(schema.stamp.c.version_num)) == "0999"


def test_alembic_is_not_imported_without_need(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'pbem.db'}"
    script = f"""
import sys
from pbem.adapters.store.sql import SqlStore
for start in ("fresh", "current"): SqlStore({url!r}).close()
sys.exit("alembic" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_what_a_clock_that_was_ahead_has_left_is_brought_back(store: Store) -> None:
    rows = [("fresh", 1_000, 1_060, "letter"), ("late", 90, 5_000, "letter"), ("later", 90, 5_000, "reminder")]
    with store.transaction() as repository:
        repository.set_polled(1_000)
        repository.set_mark("post.down", 50)
        repository.post([replace(POST, id=name, created=since, due=due, kind=kind) for name, since, due, kind in rows])
        repository.bring_back(100, 200)
    with store.transaction() as repository:
        assert (repository.polled(), repository.mark("post.down")) == (100, 50)
        assert {row.id: (row.created, row.due) for row in repository.due(9_000)} == {
            "fresh": (100, 160),
            "late": (90, 100),
            "later": (90, 5_000),
        }
