"""A game with dice, secrets, many orders a turn and a seat that appears goes through all that Imperial goes through."""

from __future__ import annotations

import pytest

from pbem.core.game import Registry
from pbem.core.log import write
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.host.archive.playfile import PlayFileError
from pbem.host.archive.record_play import play_file
from pbem.host.archive.replay import Failed, Replay
from pbem.host.archive.verify import verify_play
from tests.conformance.fake_game import CLAIMS_GAME
from tests.service.bureau import Bureau

ALONE: Registry = {CLAIMS_GAME.id: CLAIMS_GAME}
HEAD = "game claims\nseats anton bert claudia\nbegins bert\n"
PLAY = f"""{HEAD}
given ore amber 7
  = ore.amber 7

bert> dig cedar 2
  ? bert turn
  = ore.cedar 2
bert> dig cedar 1
  ! claim.dug
bert> preview
  dig dune 3
  rest
  wager 9
  ! preview.die
  = ore.dune 0
dice> 4 6
bert> wager 5
  rest
  = ore.cedar 6
  * TurnEnded seat=bert
  ? anton turn
dice> 1 1
clock> lapse
anton> for P-1
  ! petition.unknown
  ? bert turn
dice> 3 3 1 1
bert> rest
anton> rest
dice> 2 5
claudia> rest
  = finished true
  = ore.ember 2
  = wagers.bert 5
"""


def played(text: str) -> Replay:
    replay = Replay(text, ALONE, lambda refusal: f"{refusal.code} {refusal.facts}")
    replay.run()
    return replay


def test_a_play_file_rolls_its_own_dice() -> None:
    replay = played(PLAY)
    assert verify_play("claims", replay).honest
    entries = [entry for entry in replay.record.entries if entry.draws]
    assert [draw.purpose for draw in entries[0].draws] == [
        f"{entries[0].seq} find cedar",
        f"{entries[0].seq} find dune",
    ]
    record = play_file("claim-1", replay.equip(()), [e for e in replay.record.entries if e.cause.kind != "given"])
    again = played(record)
    assert [write(entry) for entry in played(record).record.entries] == [write(entry) for entry in again.record.entries]
    assert again.document()["wagers"] == replay.document()["wagers"]


@pytest.mark.parametrize(
    ("more", "line", "told"),
    [
        ("bert> rest", 4, "a die is needed for find cedar"),
        ("dice> 1 2 3\nbert> rest", 5, "1 dice are left over"),
        ("dice> 9 9\nbert> rest", 5, "a die is needed"),
    ],
)
def test_dice_that_do_not_fit(more: str, line: int, told: str) -> None:
    with pytest.raises(Failed, match=told) as found:
        played(HEAD + more)
    assert found.value.line == line


@pytest.mark.parametrize(("text", "told"), [(f"{HEAD}dice> six", "no face"), (f"{HEAD}flags anton italy", "no header")])
def test_what_is_no_line_of_this_game(text: str, told: str) -> None:
    with pytest.raises(PlayFileError, match=told):
        played(text)


# -- by mail ---


@pytest.fixture
def bureau(monkeypatch: pytest.MonkeyPatch) -> Bureau:
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, CLAIMS_GAME)  # type: ignore[attr-defined]
    desk = Bureau()
    desk.open(3, setup=Setup(game="claims", edition="", board="", setup=""))
    return desk


def test_a_whole_game_by_mail(bureau: Bureau) -> None:
    for _ in range(5):
        (seat,) = (decision["seat"] for decision in bureau.document["awaiting"])
        bureau.write(seat, "rest")
    assert bureau.game.status == "finished"
