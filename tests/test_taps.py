"""A whole game by mail with taps alone, from the invitation to the final letter, in three languages."""

from __future__ import annotations

from tests.service.bureau import HOST, address
from tests.taps import PLAYERS, Table, Tap, answers

# What the choices can't know: what another line of the same order takes away.
PETITION = "petition change: it is too slow\nset slot_hours = 48"  # the only thing that is typed
TAKEN = {"move.no_convoy", "destroy.defended", "destroy.too_few", "attack.no_target", "units.short", "treasury.short"}


def test_a_whole_game_is_played_with_taps_alone() -> None:
    table = Table(seed=3)
    table.join()
    table.rounds(20)
    petitioner = table.bureau.awaited[0][0]
    petition = Tap(answers(table.last(petitioner))[0].to, "", PETITION)
    table.send(petitioner, petition)
    table.vote()
    table.rounds(40)
    table.lose_tags()
    table.rounds()
    assert table.bureau.game.status == "finished"
    assert {"turn", "invest"} <= table.kinds
    assert {"played", "tried", "voted"} <= table.outcomes
    assert table.refused <= TAKEN
    assert {one.to == HOST for one in table.tapped} == {False, True}
    for name in PLAYERS:
        assert not answers(table.bureau.postman.to(address(name))[-1])
