"""What the archive is given: what everybody may see, when he may see it; and a fault in it never stops the mail."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pbem.core.chance import commitment
from pbem.core.log import START, Entry, seal, write
from pbem.core.seat import Setup
from pbem.daemon import Daemon
from pbem.games import GAMES
from pbem.host.archive.archivist import Archivist, Brought
from pbem.host.archive.proof import Page, Proof, Published, prove
from pbem.host.archive.published import GameArchive, Held, volume
from pbem.host.clock.slots import note
from pbem.host.commands.table import COMMANDS
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.reporting.publish import publish
from pbem.host.session.acts import Ended, Rewound
from pbem.host.session.unit_of_work import Games
from tests.service.bureau import HOUR, OPERATOR, Bureau

SECRET_CASH = Setup(options={"cash": "secret"})


def volume_of(bureau: Bureau, held: Held | None = None) -> GameArchive | None:
    with bureau.server.games.work() as desk:
        return volume(desk, desk.game("imp-1"), held or Held())


def told(bureau: Bureau, held: Held | None = None) -> GameArchive:
    found = volume_of(bureau, held)
    assert found is not None
    return found


def rewind(bureau: Bureau, turns: int) -> None:
    """Take the game back to where it stood that many turns ago."""
    with bureau.server.games.work() as desk:
        game = desk.game("imp-1")
        course = bureau.server.games.positions(desk.repository, game)
        then = next(p for p in course if p.turn == course[-1].turn - turns)
        Adjudicator(desk.session(game)).rewind(
            bureau.clock.now(), then, Rewound(by="operator", turn=then.turn, why="A test.")
        )
        publish(desk, game, bureau.clock.now())


def end(bureau: Bureau) -> None:
    """Let Austria-Hungary move once more, and end the game."""
    bureau.given("turn austria_hungary")
    bureau.finish()


def published(new: GameArchive) -> Published:
    """A whole volume as an archive has it."""
    return Published(
        **new.shared(),
        sealed=new.log is None,
        turns=tuple(Page(last=t.last, digest=t.digest, position=plain(t.after)) for t in new.turns),
        log=new.log or (),
        record=new.record,
    )


def plain(view: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(view))


def proof(new: GameArchive) -> Proof:
    return prove(published(new), GAMES)


# -- what is told, and when ---


def test_an_invitation_is_not_told(desk: Bureau) -> None:
    desk.invite()
    assert volume_of(desk) is None
    with desk.store.transaction() as repository:
        assert repository.moved() == {}


def test_the_opening_is_told_at_once(bureau: Bureau) -> None:
    new = told(bureau)
    (opening,) = new.turns
    assert (new.game, new.finished, new.secret, new.kept) == ("imp-1", False, None, 0)
    assert new.setup.seats == ("anton", "bert", "claudia", "daniel", "emil", "fritz")
    assert [draw.purpose for draw in opening.drawings[0].draws][:2] == ["seat 1", "seat 2"]
    assert opening.events[0]["type"] == "Seated"
    assert new.log == tuple(json.dumps(e, separators=(",", ":"), ensure_ascii=False).encode() for e in bureau.entries)
    assert new.record is not None
    assert new.commitment == commitment(bureau.game.secret)


def test_a_turn_is_told_with_its_orders_as_written(bureau: Bureau) -> None:
    filed = bureau.clock.advance(HOUR)
    bureau.write("anton", "austria: factory lemberg")
    turn = told(bureau).turns[1]
    assert [(one.seat, one.text, one.cause, one.at) for one in turn.sent] == [
        ("anton", "austria_hungary: factory lemberg", "letter", filed)
    ]
    assert (turn.number, turn.round, turn.at) == (1, 1, filed)
    assert turn.after["nations"]["austria_hungary"]["treasury"] < turn.before["nations"]["austria_hungary"]["treasury"]
    assert [each.seat for each in turn.awaited] == ["bert"]


def test_only_what_an_archive_lacks_is_told(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation")
    first = told(bureau)
    held = Held(digests=tuple(turn.digest for turn in first.turns), logged=len(first.log))
    bureau.write("bert", "italy: taxation")
    new = told(bureau, held)
    assert (new.kept, [turn.number for turn in new.turns], len(new.log)) == (2, [2], 1)
    same = told(bureau, Held(digests=(*held.digests, new.turns[0].digest), logged=held.logged + 1))
    assert (same.kept, [turn.number for turn in same.turns], same.log) == (2, [2], ())


def a_battle_is_asked(bureau: Bureau) -> None:
    """Austria-Hungary has entered where two others stand, and both are asked."""
    armies = ["army italy west_balkan 1", "army russia west_balkan 1", "army austria_hungary budapest 1"]
    bureau.given(*armies, "rondel austria_hungary production_1")
    bureau.write("anton", "austria: maneuver_1\n  A budapest - west balkan")
    assert [kind for _, kind, _ in bureau.awaited] == ["battle", "battle"]


def test_nothing_of_a_turn_is_told_while_answers_are_sealed(bureau: Bureau) -> None:
    a_battle_is_asked(bureau)
    before = told(bureau)
    bureau.write("bert", "fight")
    after = told(bureau)
    assert len(bureau.entries) > len(after.log)
    assert (before.turns, before.log, before.record) == (after.turns, after.log, after.record)
    assert "BattleAnswered" not in str(after)
    bureau.write("fritz", "peace")
    assert [event["type"] for event in told(bureau).turns[-1].events].count("BattleAnswered") == 2
    assert len(told(bureau).log) == len(bureau.entries)


def test_secret_cash_keeps_the_log_until_the_end(desk: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.terms = lambda **terms: replace(Bureau.terms(desk, **terms), setup=SECRET_CASH)  # type: ignore[method-assign]
    desk.open()
    desk.write("anton", "austria: taxation")
    new = told(desk)
    assert (new.log, new.record) == (None, None)
    assert {row["cash"] for turn in new.turns for row in turn.after["players"].values()} == {None}
    assert str(proof(new)) == "imp-1: 2 turns; its log is sealed while it would tell a secret"
    end(desk)
    over = told(desk, Held(digests=tuple(turn.digest for turn in new.turns)))
    assert len(over.log) == len(desk.entries)
    assert over.record is not None
    assert over.turns[-1].after["players"]["anton"]["cash"] is not None
    monkeypatch.setattr("pbem.host.archive.proof.draw", lambda *_: 0)  # as all lots of the test
    assert proof(told(desk)).fault == ""


def test_the_secret_is_told_at_the_end(bureau: Bureau) -> None:
    bureau.finish()
    new = told(bureau)
    assert (new.finished, new.secret) == (True, bureau.game.secret)


def test_no_address_and_no_letter_is_told(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation", id_="<anton.schmidt@secret-home.test>")
    everything = str(told(bureau))
    assert "@" not in everything
    assert "secret-home" not in everything


@pytest.mark.parametrize("anonymous", ["until_end", "always"])
def test_an_anonymous_game_tells_of_nobody(desk: Bureau, anonymous: str) -> None:
    """Not even by a number, before its end; and after it only if the players learn it, too."""
    desk.open(anonymous=anonymous)
    assert (told(desk).people, told(desk).who) == ({}, {})
    desk.given("power austria_hungary 24", "rondel austria_hungary maneuver_2", "factory trieste", "factory prague")
    ((seat, _, _),) = desk.awaited
    desk.write(next(m.person.address for m in desk.game.members if m.seat == seat), "austria: taxation")
    over = told(desk)
    assert over.finished
    opened = anonymous == "until_end"
    assert over.people == ({m.seat: m.person.id for m in desk.game.members} if opened else {})
    assert over.who == ({m.seat: m.person.name for m in desk.game.members} if opened else {})


def test_what_was_taken_back_is_told_no_more(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.write("bert", "italy: taxation")
    first = told(bureau)
    held = Held(digests=tuple(turn.digest for turn in first.turns), logged=len(first.log))
    rewind(bureau, 1)
    back = told(bureau, held)
    assert (back.kept, [turn.number for turn in back.turns], len(back.log)) == (1, [1], 1)
    assert proof(told(bureau)).fault == ""
    bureau.write("bert", "italy: factory none")
    again = told(bureau, Held(digests=held.digests, logged=4))
    assert (again.kept, [turn.number for turn in again.turns], len(again.log)) == (2, [2], 1)
    assert [done.act for done in again.turns[0].done if isinstance(done.act, Rewound)] == [
        Rewound(by="operator", turn=2, why="A test.")
    ]
    assert proof(told(bureau)).fault == ""


def test_press_to_all_is_told_with_the_turn_in_which_it_came(bureau: Bureau) -> None:
    bureau.clock.advance(HOUR)
    bureau.write("bert", "press to all: who pays for the fleet? write to me: bert@secret-home.test")
    bureau.write("bert", "press to anton: not a word to the others")
    assert [(one.seat, one.text) for one in told(bureau).press] == [
        ("bert", "who pays for the fleet? write to me: …@…")
    ]
    bureau.clock.advance(HOUR)
    bureau.write("anton", "austria: taxation")
    bureau.clock.advance(HOUR)
    bureau.write("claudia", "press to all: not me")
    new = told(bureau)
    assert [[one.seat for one in turn.press] for turn in new.turns] == [[], ["bert"]]
    assert [one.text for one in new.press] == ["not me"]
    assert "not a word" not in str(new)


# -- proofs ---


@pytest.fixture(scope="module")
def whole(opened: Bureau) -> Published:
    """A game that is over, as it was published."""
    bureau = opened.copy()
    for who, nation in (("anton", "austria"), ("bert", "italy")):
        bureau.write(who, f"{nation}: taxation")
    end(bureau)
    return published(told(bureau))


def forged(whole: Published, place: int, old: bytes, new: bytes) -> tuple[bytes, ...]:
    assert old in whole.log[place]
    return (*whole.log[:place], whole.log[place].replace(old, new), *whole.log[place + 1 :])


@pytest.fixture
def all_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lots of the test are no lots of the secret."""
    for place in ("pbem.core.chance.draw", "pbem.host.archive.proof.draw"):
        monkeypatch.setattr(place, lambda *_: 0)


def test_what_was_published_is_proved(whole: Published, all_first: None) -> None:
    found = prove(whole, GAMES)
    assert str(found) == "imp-1: 5 turns, 6 entries: the log gives every position, and its lots follow from its secret"
    kept_back = replace(whole, sealed=True, log=(), record=None)
    assert prove(kept_back, GAMES).fault == "its log is kept back, but there is nothing secret in it"
    assert prove(replace(whole, secret=None), GAMES).fault == "the game is over, but the secret of its lots is not told"
    hushed = replace(whole, secret=None, finished=False)
    assert prove(hushed, GAMES).fault == "the game is over, but the secret of its lots is not told"
    assert prove(replace(whole, flaw="torn"), GAMES).fault == "torn"


def test_lots_that_are_not_in_the_log_are_missed(whole: Published, all_first: None) -> None:
    """A log that was written anew, with a chain of its own, in which other cards were dealt than were drawn."""
    prev, log = START, []
    for raw in whole.log:
        entry = seal(replace(msgspec.json.decode(raw, type=Entry[Any, Any]), draws=(), prev=prev))
        prev = entry.hash
        log.append(write(entry))
    digests = [json.loads(raw)["hash"] for raw in log]
    turns = tuple(replace(page, digest=digests[page.last]) for page in whole.turns)
    assert prove(replace(whole, log=tuple(log), turns=turns), GAMES).fault == "the opening is not what the secret gives"


def test_the_lots_are_proved(desk: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    desk.open(players=4)
    ((seat, _, nation),) = desk.awaited
    desk.given(f"power {nation} 24", f"rondel {nation} maneuver_2", f"flag tunis {nation}", f"flag norway {nation}")
    desk.write(seat, f"{nation}: taxation")
    new = published(told(desk))
    assert str(prove(new, GAMES)).endswith("the log gives every position, and its lots follow from its secret")
    other = "0" * 64
    assert prove(replace(new, secret=other), GAMES).fault == "the secret is not the one that was promised"
    swapped = replace(new, secret=other, commitment=commitment(other))
    assert "the secret gives" in prove(swapped, GAMES).fault


FORGERIES: dict[str, tuple[Any, str]] = {
    "an entry": (
        lambda whole: replace(whole, log=forged(whole, 1, b"taxation", b"investor")),
        "entry 1: it is not what was written: it does not fit its digest",
    ),
    "an entry left out": (
        lambda whole: replace(whole, log=whole.log[:1] + whole.log[2:]),
        "entry 1: it does not follow the entry before it: the chain is broken",
    ),
    "no JSON": (lambda whole: replace(whole, log=(b"{", *whole.log[1:])), "entry 0: it is damaged: it can't be read"),
    "entries at the end left out": (
        lambda whole: replace(whole, log=whole.log[:-1]),
        "the log tells 4 turns, but 5 are published",
    ),
    "a turn left out": (
        lambda whole: replace(whole, turns=whole.turns[:-1]),
        "the log tells 5 turns, but 4 are published",
    ),
    "a position": (
        lambda whole: replace(
            whole, turns=(replace(whole.turns[0], position={**whole.turns[0].position, "round": 2}), *whole.turns[1:])
        ),
        "turn 0: the position is not what the log gives",
    ),
    "a digest": (
        lambda whole: replace(
            whole, turns=(whole.turns[0], replace(whole.turns[1], digest="0" * 64), *whole.turns[2:])
        ),
        "turn 1 ends with another entry than the log has there",
    ),
    "the play file": (
        lambda whole: replace(whole, record=(whole.record or "").replace("taxation", "investor")),
        "the play file is not what the log tells",
    ),
    "the set-up": (
        lambda whole: replace(whole, setup=replace(whole.setup, edition="first_2006")),
        "turn 0: the position is not what the log gives",
    ),
    "an edition there is not": (
        lambda whole: replace(whole, setup=replace(whole.setup, edition="fourth")),
        "today's rules fail on it: ConfigError: editions: there is no 'fourth'",
    ),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forgery_is_found(whole: Published, kind: str) -> None:
    forge, fault = FORGERIES[kind]
    assert prove(forge(replace(whole, secret=None)), GAMES).fault.startswith(fault)


# -- bringing an archive up ---


class Shelves:
    """A library in memory that can be told to fail."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, list[int]]] = []
        self.failing: set[str] = set()
        self.index_fails = False
        self.indexed = 0

    def held(self, game: str) -> Held:
        return Held()

    def keep(self, volume: GameArchive) -> None:
        if volume.game in self.failing:
            raise OSError("no room")
        self.kept.append((volume.game, [turn.number for turn in volume.turns]))

    @contextmanager
    def writing(self) -> Iterator[Shelves]:
        yield self
        if self.index_fails:
            raise OSError("no room at all")
        self.indexed += 1


@pytest.fixture
def library(bureau: Bureau) -> Shelves:
    """The bureau's daemon keeps this library."""
    library = Shelves()
    server = bureau.server
    log = type("Log", (), {"exception": lambda *_, **__: None})()
    archivist = Archivist(server.games, library, server.clock, server.host, log)
    bureau.daemon = Daemon(server, bureau.mailbox, bureau.postman, 60.0, archivist)
    bureau.tick()
    library.kept.clear()
    return library


def moved(bureau: Bureau) -> Mapping[str, int]:
    with bureau.store.transaction() as repository:
        return repository.moved()


def test_a_game_that_moved_is_brought_up_in_the_same_round(bureau: Bureau, library: Shelves) -> None:
    bureau.write("anton", "austria: taxation")
    assert library.kept == [("imp-1", [0, 1])]
    assert moved(bureau) == {}
    indexed = library.indexed
    bureau.tick()
    assert (len(library.kept), library.indexed) == (1, indexed)


def test_a_letter_that_ends_no_turn_moves_nothing(bureau: Bureau, library: Shelves) -> None:
    bureau.write("bert", "advance italy: taxation")
    bureau.write("anton", "status")
    assert library.kept == []


def test_press_to_all_moves_the_game(bureau: Bureau, library: Shelves) -> None:
    bureau.write("bert", "press to anton: psst")
    assert library.kept == []
    bureau.write("bert", "press to all: hear, hear")
    assert library.kept == [("imp-1", [0])]


def test_press_before_the_game_moves_nothing(bureau: Bureau, library: Shelves) -> None:
    bureau.invite(players=2)
    bureau.write("bert", "press to all: shall we?", subject="[imp-2] you are invited")
    assert moved(bureau) == {}


def test_a_game_that_is_ended_by_hand_is_told_whole(bureau: Bureau, library: Shelves, all_first: None) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.write("bert", "give italy 1")
    with bureau.server.games.work() as desk:
        game = desk.game("imp-1")
        note(desk.session(game), bureau.clock.now(), Ended(by="operator", why="Nobody writes."))
        publish(desk, game, bureau.clock.now())
    bureau.tick()
    assert library.kept == [("imp-1", [0, 1])] * 2
    new = told(bureau)
    assert (new.finished, len(new.log), new.secret) == (True, len(bureau.entries), bureau.game.secret)
    assert [done.act for done in new.done] == [Ended(by="operator", why="Nobody writes.")]
    assert proof(new).fault == ""


def test_what_was_taken_back_moves_the_game(bureau: Bureau, library: Shelves) -> None:
    bureau.write("anton", "austria: taxation")
    rewind(bureau, 1)
    bureau.tick()
    assert library.kept == [("imp-1", [0, 1]), ("imp-1", [0])]


@pytest.mark.parametrize("where", ["a game", "the lists"])
def test_a_fault_stops_no_mail_and_is_told_once(bureau: Bureau, library: Shelves, where: str) -> None:
    library.failing, library.index_fails = ({"imp-1"}, False) if where == "a game" else (set(), True)
    sent = bureau.write("anton", "austria: taxation")
    assert len(sent) == 6  # a report to each
    bureau.tick()
    bureau.write("bert", "italy: taxation")
    bureau.tick()
    assert [mail.subject for mail in bureau.alarms] == ["[pbem] The adjudicator needs a person"]
    assert "archive" in bureau.alarms[0].text
    assert list(moved(bureau)) == ["imp-1"]
    library.failing, library.index_fails = set(), False
    library.kept.clear()
    bureau.tick()
    assert library.kept == [("imp-1", [0, 1, 2])]
    assert moved(bureau) == {}


def test_a_game_that_fails_does_not_keep_back_the_others(bureau: Bureau, library: Shelves) -> None:
    bureau.invite(players=2)
    for name in ("anton", "bert"):
        bureau.write(name, "join", subject="[imp-2] you are invited")
    library.kept.clear()
    library.failing = {"imp-1"}
    bureau.write("anton", "austria: taxation")
    with bureau.store.transaction() as repository:
        repository.set_moved("imp-2", 0)
    bureau.tick()
    assert library.kept == [("imp-2", [0])]
    assert list(moved(bureau)) == ["imp-1"]


def test_all_games_can_be_brought_up_at_once(bureau: Bureau, library: Shelves) -> None:
    bureau.write("anton", "austria: taxation")
    library.kept.clear()
    log = type("Log", (), {"exception": lambda *_, **__: None})()
    cold = Games(bureau.store, GAMES, COMMANDS)
    archivist = Archivist(cold, library, bureau.clock, bureau.server.host, log)
    bureau.invite(players=3)  # has not begun
    assert archivist.build() == Brought(told=("imp-1",), failed={})
    assert library.kept == [("imp-1", [0, 1])]
    library.failing = {"imp-1"}
    brought = archivist.build()
    assert (brought.told, [*map(str, brought.failed.values())]) == ((), ["no room"])


def test_the_operator_hears_of_a_fault_once_however_often_the_program_is_started(
    bureau: Bureau, library: Shelves
) -> None:
    """Cron starts a new one each time; when it has been well again, the next fault is news."""

    def update() -> None:
        log = type("Log", (), {"exception": lambda *_, **__: None})()
        Archivist(Games(bureau.store, GAMES, COMMANDS), library, bureau.clock, bureau.server.host, log).update()

    library.failing = {"imp-1"}
    bureau.write("anton", "austria: taxation")
    for _ in range(3):
        update()
    bureau.tick()
    assert len(bureau.alarms) == 1
    library.failing = set()
    update()
    library.failing = {"imp-1"}
    bureau.tick(after=HOUR)
    bureau.write("bert", "italy: taxation")
    bureau.tick()
    assert len(bureau.alarms) == 2


def test_the_operator_is_named(bureau: Bureau, library: Shelves) -> None:
    library.failing = {"imp-1"}
    bureau.write("anton", "austria: taxation")
    bureau.tick()
    assert bureau.alarms[0].to == OPERATOR
