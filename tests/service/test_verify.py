"""`pbem verify`: an honest log is found honest; what was changed, in it or in the rules, is named where it begins."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from pbem.adapters.store.sql import SqlStore
from pbem.cli.main import main
from pbem.core.log import START, Cause, Entry, seal, write
from pbem.games import GAMES
from pbem.games.imperial.rules.edition import Edition
from pbem.host.archive.verify import Finding, verify_game
from pbem.host.commands.table import COMMANDS
from pbem.host.lobby.gathering import begin
from pbem.host.lobby.invitations import invite
from pbem.host.lobby.invitees import Invitee
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Game, Store
from pbem.host.session.session import LoadedGame
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import Games, UnitOfWork
from tests.fakes import MemoryStore
from tests.rules.tables import NAMES, NO_CARD, Match, correspond

KINDS = [
    Match(seed=11, players=4),
    Match(seed=12, players=3, edition="first_2006", start="experienced"),
    Match(seed=13, players=6, edition="manual", options=NO_CARD),
    Match(seed=14, players=5, edition="third_2010", start="experienced", options=NO_CARD),
]
PLAY = "seats anton bert\nflags anton austria_hungary, bert italy\ngiven treasury italy 7\nanton> austria: taxation\n"
SETTINGS = """\
mailbox: {host: 127.0.0.1, port: 1, security: none, user: pbem@pbem.test, password_env: PBEM_TEST_PASSWORD}
smtp: {host: 127.0.0.1, port: 2, security: none, from: pbem@pbem.test}
operator: operator@pbem.test
database: pbem.sqlite
"""


def played(desk: UnitOfWork, match: Match, most: int) -> Game:
    """A game that was begun by lot and played by letters and by the clock."""
    invited = [Invitee(address=f"{name}@players.test", name=name, seat=name) for name in NAMES[: match.players]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.host.session.unit_of_work.Games.new_secret", lambda _: f"{match.seed:064x}")
        game = invite(desk, Terms(setup=match.setup), invited, 0)
    begin(desk, game, 1)
    game = desk.game(game.id)
    correspond(desk.session(game), match, most)
    return game


class Case(msgspec.Struct, frozen=True):
    table: LoadedGame
    game: Game
    raws: list[bytes]

    def found(self, *, raws: list[bytes] | None = None, secret: str | None = None) -> Finding:
        game = msgspec.structs.replace(self.game, secret=secret or self.game.secret)
        return verify_game(game, self.raws if raws is None else raws, lambda _: self.table)

    @property
    def entries(self) -> list[Entry[Any, Any]]:
        return [self.table.rules.decoder().decode(raw) for raw in self.raws]

    def first(self, holds: Callable[[Any], bool]) -> int:
        """The first entry with such an event."""
        return next(entry.seq for entry in self.entries if any(map(holds, entry.events)))


def case_of(match: Match, most: int = 80) -> Case:
    games = Games(MemoryStore(), GAMES, COMMANDS)
    with games.work() as desk:
        game = played(desk, match, most)
        return Case(games.load(game), game, [*desk.repository.entries(game.id)])


@pytest.fixture(scope="module")
def case() -> Case:
    return case_of(KINDS[0])


def named(event: Any) -> str:
    return type(event).__name__


# -- honest ---


@pytest.mark.parametrize("match", KINDS, ids=lambda match: f"{match.edition}-{match.start}")
def test_an_honest_log_is_as_todays_rules_would_have_it(match: Match) -> None:
    case = case_of(match)
    assert str(case.found()) == f"imp-1: {len(case.raws)} entries, as today's rules would have it (rules 1)"
    assert {entry.cause.kind for entry in case.entries} >= {"opening", "letter", "lapse"}


def test_a_game_that_has_not_begun(case: Case) -> None:
    found = case.found(raws=[])
    assert found.honest
    assert str(found) == "imp-1: has not begun"


def test_a_position_that_was_laid_out_stands() -> None:
    games = Games(MemoryStore(), GAMES, COMMANDS)
    with games.work() as desk:
        game = played(desk, KINDS[0], 5)
        session = desk.session(game)
        Adjudicator(session).lay_out(9, [session.parser.given("treasury italy 17", 1)])
        correspond(session, KINDS[0], 20)
        raws = [*desk.repository.entries(game.id)]
    assert verify_game(game, raws, lambda _: games.load(game)).honest


def test_what_was_taken_back_is_left_out(case: Case) -> None:
    """After `rewind_to` the game goes on from where it was then."""
    entries = case.entries
    back = Entry(seq=40, at=99, cause=Cause(kind="moderator"), rules_version="1", rewind_to=9, prev=entries[39].hash)
    again = msgspec.structs.replace(entries[10], seq=41, prev=seal(back).hash)
    raws = [*case.raws[:40], write(seal(back)), write(seal(again))]
    assert case.found(raws=raws).honest
    stale = msgspec.structs.replace(entries[40], seq=41, prev=seal(back).hash)
    assert case.found(raws=[*raws[:41], write(seal(stale))]).seq == 41


def test_other_versions_of_the_rules_are_told(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.games.imperial.rules.game.VERSION", "2")
    assert str(case.found()).endswith("as today's rules would have it (rules 1, today's are 2)")


# -- a log that was changed ---


@pytest.mark.parametrize("seq", [0, 1, 57])
def test_a_changed_byte_is_named(case: Case, seq: int) -> None:
    raw = bytearray(case.raws[seq])
    place = raw.index(b'"at":') + 5
    raw[place] = ord("8") if raw[place] != ord("8") else ord("7")
    found = case.found(raws=[*case.raws[:seq], bytes(raw), *case.raws[seq + 1 :]])
    assert (found.seq, found.fault) == (seq, "it is not what was written: it does not fit its digest")


def test_every_byte_counts(case: Case) -> None:
    """Also one that leaves the same facts, and one that leaves none."""
    raws = case.raws
    for changed in (raws[9].replace(b'"seq":9', b'"seq": 9'), raws[9][:-1], b"[]", b"\xff", b"{}"):
        assert case.found(raws=[*raws[:9], changed, *raws[10:]]).seq == 9


def test_entries_that_are_missing_or_change_places(case: Case) -> None:
    raws = case.raws
    for changed in ([*raws[:9], *raws[10:]], [*raws[:9], raws[10], raws[9], *raws[11:]], raws[:9] + raws[8:]):
        found = case.found(raws=changed)
        assert (found.seq, found.fault) == (9, "it does not follow the entry before it: the chain is broken")


def test_a_chain_forged_to_the_end_is_found_by_the_rules(case: Case) -> None:
    seq = case.first(lambda event: named(event) == "MarkerMoved")
    entries, prev = case.entries, START
    raws = []
    for entry in entries:
        events = tuple(
            msgspec.structs.replace(e, paid=9) if named(e) == "MarkerMoved" and entry.seq == seq else e
            for e in entry.events
        )
        forged = seal(msgspec.structs.replace(entry, events=events, prev=prev))
        raws.append(write(forged))
        prev = forged.hash
    found = case.found(raws=raws)
    assert found.seq == seq
    assert found.fault == "today's rules would have MarkerMoved with paid 0 in place of 9"


def test_lots_follow_from_the_secret(case: Case) -> None:
    found = case.found(secret="another")
    assert (found.seq, found.about) == (0, "the opening")
    assert "secret gives" in found.fault


# -- rules that were changed ---


def test_a_changed_price_is_named_at_the_first_entry(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    seq = case.first(lambda event: named(event) == "MarkerMoved" and event.paid > 0)
    monkeypatch.setattr("pbem.games.imperial.rules.turn.price_of", lambda *_: 0)
    found = case.found()
    assert found.seq == seq
    assert "today's rules would have MarkerMoved with paid 0 in place of" in found.fault


def test_a_changed_chart_is_named_at_the_first_entry(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    seq = case.first(lambda event: named(event) == "PowerGained" and event.points > 0)
    monkeypatch.setattr(Edition, "points", lambda *_: 0)
    found = case.found()
    assert (found.seq, "PowerGained with points 0 in place of" in found.fault) == (seq, True)
    assert found.about.startswith("round ")
    assert "taxation" in found.about


def test_a_refusal_of_today_is_named(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.core.refusal import Illegal

    def never(*_: object) -> None:
        raise Illegal("space.too_far")

    monkeypatch.setattr("pbem.games.imperial.rules.turn.check_space", never)
    found = case.found()
    assert found.seq == case.first(lambda event: named(event) == "MarkerMoved")
    assert found.fault == "today's rules would refuse it: space.too_far"


# -- the command ---


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server's folder with two games in its database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "secret")
    (tmp_path / "pbem.yaml").write_text(SETTINGS)
    store: Store = SqlStore(f"sqlite:///{tmp_path / 'pbem.sqlite'}")
    games = Games(store, GAMES, COMMANDS)
    with games.work() as desk:
        played(desk, KINDS[0], 20)
        played(desk, KINDS[1], 20)
    store.close()
    return tmp_path


def verify(*words: str) -> Result:
    return CliRunner().invoke(main, ["verify", *words])


def test_all_games_or_those_that_are_named(folder: Path) -> None:
    result = verify()
    assert result.exit_code == 0, result.output
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == ["imp-1", "imp-2"]
    assert all(line.endswith("as today's rules would have it (rules 1)") for line in result.stdout.splitlines())
    assert verify("imp-2", "-c", "pbem.yaml").stdout.startswith("imp-2: ")


def test_a_changed_row_ends_with_1_and_the_other_game_is_told(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "pbem.sqlite")) as database, database:
        ((raw,),) = database.execute("select entry from entries where game = 'imp-1' and seq = 7")
        entry = json.loads(raw)
        changed = json.dumps({**entry, "at": entry["at"] + 1}).encode()
        database.execute("update entries set entry = ? where game = 'imp-1' and seq = 7", (changed,))
    result = verify()
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()
    assert first.startswith("imp-1: entry 7: it is not what was written")
    assert second.startswith("imp-2: ")


def test_no_such_game(folder: Path) -> None:
    result = verify("imp-9")
    assert result.exit_code == 1
    assert "there is no game imp-9" in result.output


def test_a_play_file(tmp_path: Path) -> None:
    file = tmp_path / "one.play"
    file.write_text(PLAY)
    result = verify(str(file))
    assert (result.exit_code, result.stdout) == (0, f"{file}: 3 entries, as today's rules would have it (rules 1)\n")
    file.write_text(PLAY + "  = nation france\n")
    assert verify(str(file)).exit_code == 1
    file.write_text(PLAY + "nobody> taxation\n")
    assert verify(str(file)).exit_code == 2


@pytest.mark.parametrize("play", sorted(Path("tests/plays/procedure").glob("late*.play")), ids=lambda play: play.stem)
def test_what_lateness_cost_is_decided_again(play: Path) -> None:
    result = verify(str(play))
    assert (result.exit_code, "as today's rules would have it" in result.stdout) == (0, True), result.output
