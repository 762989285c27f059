"""The record of a game is the game: as a play file, as a chain of digests, and as a fold of what is stored."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.bootstrap import sentence
from pbem.core.log import fold, write
from pbem.core.seat import Setup, Sight
from pbem.games import GAMES
from pbem.games.imperial.bots import BOTS
from pbem.host.archive.record_play import play_file
from pbem.host.archive.replay import Replay
from pbem.host.archive.verify import verify_play
from pbem.host.clock.time_sheet import sheet
from pbem.host.session.unit_of_work import read_entries
from tests.fakes import broken_link
from tests.service.bureau import DAY, HOUR, Bureau, address

SEEDS = [*range(1, 4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 13))]
LATE: Sequence[dict[str, Any]] = (  # what becomes of it when somebody is late
    {},
    {"setup": Setup(options={"lateness": "fee"}), "grace_hours": 30},
    {"setup": Setup(options={"lateness": "bonus"}), "policy": "on_request", "slot_hours": 20},
    {"setup": Setup(options={"lateness": "fee"}), "policy": "on_request"},
)
SHORT, LONG = 25, 45  # letters and lapses in one game: battles come late


class Table:
    """Bots that write, dither, file orders early and let time run out, each as the dice will have it."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.bureau = Bureau()
        self.bureau.server.games.secrets = self.dice  # the lots, too
        self.bureau.open(2 + seed % 5, **LATE[seed % len(LATE)])
        self.bot = BOTS["random" if seed % 3 else "greedy"]

    def play(self, steps: int) -> None:
        for _ in range(steps):
            if self.bureau.game.status == "finished":
                return
            self._step()

    def _step(self) -> None:
        with self.bureau.server.games.work() as desk:
            session = desk.session(desk.game("imp-1"))
            rules: Any = session.rules
            decision = self._any(session.pending())
            order = self.bot(rules, session.state, decision, self.dice.randrange)
            seats = list(session.state.seats)
            nation = self._any([n for n, seat in session.state.government.items() if seat])
            governor = session.state.government[nation]
            text = _written(rules, order)
        match self.dice.randrange(12):
            case 0:
                self._lapse()
            case 1 if text:
                self._write(decision.seat, f"draft\n{text}")
                self._lapse()
            case 2 if text:
                self._write(decision.seat, f"draft\n{text}")
                self._write(decision.seat, "play")
            case 3:
                self._write(governor, f"advance {nation}: {self._any(['production', 'taxation', 'investor'])}")
            case 4:
                self._write(self._any(seats), self._any(["standing fight", "standing peace", "standing none"]))
            case 5:
                self._write(self._any(seats), "standing invest italy 4 else france 4 else russia 2 else none")
            case 6:
                self._write(self._any(seats), f"give {nation} 1")
            case 7 if text:
                self._write(decision.seat, f"Dear all,\n{text}\nnonsense afterwards")
            case 9 | 10 if text:
                self.bureau.tick(DAY * self.dice.randrange(3) + HOUR)
                self._write(decision.seat, text)
            case 8 if text:
                self._write(decision.seat, f"{text}\ngive {nation} 1")
            case _ if text:
                self._write(decision.seat, text)
            case _:
                self._lapse()

    def _write(self, who: str, words: str) -> None:
        self.bureau.clock.advance(self.dice.randrange(HOUR))
        self.bureau.mailbox.add(_letter(self.bureau, who, words), self.bureau.clock.now())
        self.bureau.daemon.tick()

    def _lapse(self) -> None:
        """Whoever is awaited is late; where the clock does not end it another player does, or the moderator."""
        self.bureau.tick(self.dice.choice([1, 2]) * DAY + 7 * HOUR + 1)
        if self.bureau.overdue:
            late = self.bureau.overdue[0]
            other = next(name for name in ("anton", "bert") if name != late)
            self._write(other, f"rollout {late}")

    def _any(self, things: Any) -> Any:
        return things[self.dice.randrange(len(things))]


def _letter(bureau: Bureau, who: str, words: str) -> bytes:
    bureau.letters += 1
    head = f"From: {address(who)}\nTo: {bureau.way_back(who)}\nSubject: [imp-1]\nMessage-ID: <{bureau.letters}@players.test>\n"
    return f"{head}\n{words}\n".encode()


def _written(rules: Any, order: Any) -> str:
    try:
        text: str = rules.notation.write(order)
    except ValueError:
        return ""
    return text


@cache
def played(seed: int) -> Table:
    """A game of so many steps, which nobody changes any more."""
    made = Table(seed)
    made.play(LONG if seed % 4 == 2 else SHORT)
    return made


@pytest.fixture(params=SEEDS, scope="module")
def table(request: pytest.FixtureRequest) -> Table:
    return played(request.param)


def test_the_record_replays_to_exactly_the_same_document(table: Table) -> None:
    record = table.bureau.server.app.record("imp-1")
    replay = Replay(record, GAMES, sentence)
    replay.run()
    assert replay.document() == table.bureau.document, record


def test_the_hash_chain_holds_and_the_stored_entries_fold_to_the_same_document(table: Table) -> None:
    with table.bureau.store.transaction() as repository:
        game = repository.game("imp-1")
        assert game is not None
        table_ = table.bureau.server.games.load(game)
        entries = read_entries(table_.rules, repository, "imp-1")
    assert broken_link(map(write, entries)) is None
    state = fold(table_.rules.blank(table_.terms.setup), entries, table_.rules.apply)
    assert table_.rules.view(state, Sight.ALL) == table.bureau.document


@pytest.mark.parametrize(
    "play",
    [
        "grace",
        "late_stays_legal_on_request",
        "rolled_out_by_another",
        "moderator_closes",
        "rolled_out_with_a_witness",
        "lateness_set",
        "slot_keeps_its_hours",
        "policy_set",
        "set_policy",
        "overdue_till_the_clock_may_end_it",
        "late_in_quiet_hours",
    ],
)
def test_a_replay_of_the_record_counts_the_same(play: str) -> None:
    """Who was late, by how much, who ended it, and what it cost."""
    first = Replay(Path(f"tests/plays/procedure/{play}.play").read_text(), GAMES, sentence)
    first.run()
    record = play_file("imp-1", first.equip(()), first.record.entries)
    again = Replay(record, GAMES, sentence)
    again.run()
    assert again.document() == first.document(), record
    assert _lateness(again) == _lateness(first), record
    assert not verify_play("again", again).fault


def _lateness(replay: Replay) -> list[tuple[str, str, int]]:
    return [(row.seat, row.by, row.late) for row in sheet(replay.session.position.done)]


def test_the_games_of_this_module_hold_all_that_a_record_must_tell() -> None:
    """Else the tests above prove little: every cause of an entry, and battles among the questions."""
    causes: set[str] = set()
    kinds: set[str] = set()
    for seed in (2, 4):
        table = played(seed)
        causes |= {entry["cause"]["kind"] for entry in table.bureau.entries}
        kinds |= {a["decision"]["kind"] for e in table.bureau.entries for a in e["answers"] if a["decision"]}
    assert causes >= {"opening", "letter", "draft", "advance", "lapse"}
    assert kinds >= {"turn", "invest", "battle"}


def test_the_games_of_this_module_have_those_that_are_late() -> None:
    events: set[str] = set()
    ended: set[bool] = set()
    for seed in (1, 2, 3):
        table = played(seed)
        events |= {event["type"] for entry in table.bureau.entries for event in entry["events"]}
        kept = [entry for entry in table.bureau.entries if (entry["act"] or {}).get("type") == "time_kept"]
        ended |= {entry["act"]["by"] in ("clock", entry["answers"][0]["seat"]) for entry in kept}
    assert events >= {"LateFeePaid", "TurnDelayed"}
    assert ended == {True, False}


def test_a_game_that_has_not_begun_has_no_record() -> None:
    bureau = Bureau()
    bureau.invite(2)
    with pytest.raises(LookupError, match="imp-1 has not begun"):
        bureau.server.app.record("imp-1")


def test_a_game_there_is_not_has_no_record() -> None:
    with pytest.raises(LookupError, match="there is no game imp-7"):
        Bureau().server.app.record("imp-7")
