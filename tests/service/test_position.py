"""Where a game stands after what was done beside the orders, and after it was taken back."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.games import GAMES
from pbem.host.archive.verify import verify_game
from pbem.host.commands.table import COMMANDS
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.session.acts import Corrected, Rewound
from pbem.host.session.position import Position
from pbem.host.session.unit_of_work import Games
from tests.service.bureau import Bureau


def positions(bureau: Bureau) -> list[Position]:
    with bureau.server.games.work() as desk:
        return bureau.server.games.positions(desk.repository, desk.game("imp-1"))


def test_a_rewound_game_stands_where_it_stood_and_what_was_done_stays_done(bureau: Bureau) -> None:
    for who, nation in (("anton", "austria"), ("bert", "italy"), ("claudia", "france")):
        bureau.write(who, f"{nation}: taxation")
    course = positions(bureau)
    then, before = course[2], course[-1]
    with bureau.server.games.work() as desk:
        session = desk.session(desk.game("imp-1"))
        Adjudicator(session).rewind(bureau.clock.now(), then, Rewound(by="operator", turn=then.turn, why="a test"))
        assert session.state == then.state
    cold = Games(bureau.store, GAMES, COMMANDS)
    for games in (bureau.server.games, cold):
        with games.work() as desk:
            now = games.position(desk.repository, desk.game("imp-1"))
        goes_on = {"seq": 0, "prev": "", "count": then.count, "done": ()}
        assert replace(now, **goes_on) == replace(then, **goes_on)
        assert (now.seq, now.done[:-1], now.done[-1].turn) == (before.seq + 1, before.done, before.turn)
        assert now.count.last == before.count.last + 1, "no two entries are called alike"


def test_a_corrected_position_is_verified_as_it_stands() -> None:
    bureau = Bureau()
    bureau.open()
    with bureau.server.games.work() as desk:
        game = desk.game("imp-1")
        session = desk.session(game)
        line = session.parser.given("treasury italy 17", 1)
        Adjudicator(session).correct(bureau.clock.now(), [line], Corrected(by="operator", lines=("treasury italy 17",)))
        raws = [*desk.repository.entries("imp-1")]
        assert verify_game(game, raws, lambda _: bureau.server.games.load(game)).honest
    assert positions(bureau)[-1].done[0].act == Corrected(by="operator", lines=("treasury italy 17",))
