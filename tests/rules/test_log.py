"""The log holds everything: it reads back, folds to the same position, and is the same bytes everywhere."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given

from pbem.core.chance import Lots
from pbem.core.log import Cause, Count, Entry, fold, write
from pbem.core.seat import Sight
from pbem.games import GAMES
from pbem.host.archive.record_play import play_text
from pbem.host.archive.replay import Replay
from pbem.host.commands.table import COMMANDS
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Game
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import Games, UnitOfWork
from tests.fakes import MemoryStore, broken_link
from tests.rules.tables import Match, adjudicated, correspond, encoded, examples, matches

ROOT = Path(__file__).parents[2]
GIVEN = ROOT / "tests" / "plays" / "battle" / "line_became_impossible.play"
LESS_BONUS = (("taxation", "money_first"), ("lateness", "bonus"), ("swiss_bank", "yes"), ("investor_card", "no"))


def replayed() -> Replay:
    replay = Replay(GIVEN.read_text(encoding="utf-8"), GAMES, str)
    replay.run()
    return replay


def decoded(rules: Any, entries: list[Entry[Any, Any]]) -> list[Entry[Any, Any]]:
    return [rules.decoder().decode(write(entry)) for entry in entries]


@examples(6)
@given(match=matches())
def test_a_log_reads_back_and_folds_to_the_same_position(match: Match) -> None:
    game, record, session = adjudicated(match)
    entries = decoded(game, record.entries)
    assert entries == record.entries
    assert broken_link(map(write, entries)) is None
    state = fold(game.blank(match.setup), entries, game.apply)
    assert encoded(state) == encoded(session.state)
    assert game.view(state, Sight.ALL) == game.view(session.state, Sight.ALL)


def test_every_key_stands_in_order_and_is_text() -> None:
    """In a position that was laid out, the prices of bonds are the keys."""
    for entry in [*replayed().record.entries, *adjudicated(Match(seed=1, players=3), 60)[1].entries]:
        plain = msgspec.to_builtins(entry, str_keys=True, order="sorted")
        assert write(entry) == msgspec.json.encode(plain)
        digested = msgspec.json.encode({**plain, "hash": ""})
        assert entry.hash == hashlib.sha256(digested).hexdigest()


def test_given_positions_read_back() -> None:
    replay = replayed()
    entries = decoded(replay.session.rules, replay.record.entries)
    assert entries == replay.record.entries
    state = fold(replay.session.rules.blank(replay.play.setup), entries, replay.session.rules.apply)
    assert replay.session.rules.view(state, Sight.ALL) == replay.document()


def test_a_changed_entry_breaks_the_chain() -> None:
    entries = adjudicated(Match(seed=1, players=3), 30)[1].entries
    changed = [*entries[:5], msgspec.structs.replace(entries[5], at=entries[5].at + 1), *entries[6:]]
    assert broken_link(map(write, changed)) == 5
    assert broken_link(map(write, [*entries[:5], *entries[6:]])) == 5


# -- the record as a play file ---


@pytest.mark.slow
@examples(1)
@given(match=matches(crowded=False))
@example(match=Match(seed=11691, players=3, edition="first_2006", options=LESS_BONUS))
def test_a_record_replays_to_the_same_document(match: Match) -> None:
    """Letters, drafts, orders written early and time that runs out: the record plays them all again."""
    games = Games(MemoryStore(), GAMES, COMMANDS)
    with games.work() as desk:
        game = written_down(desk, match, 150)
        session, text = desk.session(game), play_text(desk, game)
        document = session.rules.view(session.state, Sight.ALL)
    replay = Replay(text, GAMES, lambda refusal: f"{refusal.code} {refusal.facts}")
    replay.run()
    assert replay.document() == document


def written_down(desk: UnitOfWork, match: Match, most: int) -> Game:
    """A game in the books, played by letters and by the clock."""
    terms = msgspec.json.encode(Terms(setup=match.setup))
    game = Game(id="imp-1", status="running", setup=terms, secret=str(match.seed), created=0, members=())
    desk.repository.add_game(game)
    session = desk.session(game)
    Adjudicator(session).open(0, Lots(game.secret, game.id), {})
    correspond(session, match, most)
    return game


@pytest.mark.parametrize("sealed", [(), (1,), (2, 3, 7), (1, 2, 3, 4), (9,)])
def test_a_number_tells_the_place_and_the_place_the_number(sealed: tuple[int, ...]) -> None:
    count, places = Count(), []
    for seq in range(10):
        is_sealed = seq in sealed
        number = count.next(sealed=is_sealed)
        entry: Entry[Any, Any] = Entry(seq=seq, at=0, cause=Cause(kind="act"), rules_version="1", number=number)
        count = count.after(entry)
        places += [] if is_sealed else [seq]
    assert [count.place(number) for number in range(len(places))] == places
    assert [count.number(place) for place in places] == [*range(len(places))]
