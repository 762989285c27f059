"""Games on a board that is made for them (map.md, section 6)."""

from __future__ import annotations

import pytest

from pbem.core.seat import Seat, Setup
from pbem.games import GAMES
from pbem.games.empire.data.editions import drawn, empire
from pbem.host.archive.replay import Replay
from tests.service import season
from tests.service.bureau import NAMES, Bureau, address

SEATS = (Seat("anton"), Seat("bert"))


def test_a_full_game_by_mail_gets_a_board_of_its_own() -> None:
    bureau = Bureau()
    people = [f"{name}={address(name)}" for name in NAMES[:2]]
    kinds = ("full", "full", "training")
    games = [bureau.server.new_game(bureau.terms(setup=Setup(game="empire", setup=kind)), people) for kind in kinds]
    with bureau.server.games.work() as desk:
        boards = [desk.session(desk.game(game.id)).terms.setup.board for game in games]
    assert boards[0].startswith("random-2-")
    assert boards[0] != boards[1]
    assert boards[2] == "training"


def test_each_table_of_a_league_gets_a_board_of_its_own() -> None:
    """And keeps it: another process plays on the same one."""
    options = {**season.PATIENT, "setup": "full"}
    few = {"entry": {"least": 3}, "groups": {"size": 3, "least": 3}}
    bureau = season.SeasonBureau(season.settings(game="empire", options=options, table={"players": 2}, **few), people=3)
    bureau.begun()
    games = [bureau.table_game(table.number) for table in bureau.running]
    with bureau.server.games.work() as desk:
        boards = [desk.session(desk.game(game.id)).terms.setup.board for game in games]
    bureau.restart()
    with bureau.server.games.work() as desk:
        again = [desk.session(desk.game(game.id)).terms.setup.board for game in games]
    assert all(board.startswith("random-2-") and not board.endswith("-random") for board in boards)
    assert again == boards
    assert len({*boards}) == len(boards) > 1


def test_a_seed_is_a_board() -> None:
    one, other = (drawn(Setup(game="empire", setup="full", board="random", seats=SEATS), 2, seed) for seed in "ab")
    assert (one.board, other.board) == ("random-2-a", "random-2-b")
    maps = [empire(each).setting.map for each in (one, one, other)]
    assert maps[0] is maps[1]
    assert maps[0].land != maps[2].land


def test_a_named_board_stays() -> None:
    setup = Setup(game="empire", setup="full", board="training", seats=SEATS)
    assert drawn(setup, 2, "a").board == "training"


def test_a_play_may_be_on_a_random_board() -> None:
    play = "game empire\nsetup full\nseats anton bert\nsecret s\n"
    replay = Replay(play, GAMES, str)
    replay.run()
    assert replay.document()["board"] == "random-2-random"


@pytest.mark.parametrize("board", ["random-9-a", "random-2-", "random-2-A", "utopia"])
def test_a_board_that_is_not_there(board: str) -> None:
    with pytest.raises(ValueError, match="there is no"):
        empire(Setup(game="empire", setup="full", board=board, seats=SEATS))
