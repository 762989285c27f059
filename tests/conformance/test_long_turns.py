"""A turn of many orders: one question that stays open until its player, or the clock, ends it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.core.game import Registry
from pbem.core.log import write
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.host.archive.playfile import Failed, PlayFileError
from pbem.host.archive.record_play import play_file
from pbem.host.archive.replay import Replay
from pbem.host.archive.verify import verify_play
from tests.conformance.fake_game import CLAIMS_GAME
from tests.conformance.fake_rules import CLAIMS
from tests.service.bureau import HOUR, Bureau, address

ALONE: Registry = {CLAIMS_GAME.id: CLAIMS_GAME}
HEAD = "game claims\nseats anton bert claudia\nbegins bert\n"
LENIENT = f"{HEAD}option policy lenient\n"


def played(text: str) -> Replay:
    """To the end, as it is and as its record tells it."""
    replay = Replay(text, ALONE, lambda refusal: f"{refusal.code} {refusal.facts}")
    replay.run()
    assert verify_play("claims", replay).honest
    return replay


def recorded(text: str) -> Replay:
    replay = played(text)
    again = played(play_file("claim-1", replay.equip(()), replay.record.entries))
    assert again.document() == replay.document()
    assert closings(again) == closings(replay)
    return replay


def closings(replay: Replay) -> list[tuple[str, int]]:
    acts = [entry.act or {} for entry in replay.record.entries]
    return [(each["seat"], each["late"]) for act in acts for each in act.get("closings", ())]


@pytest.fixture
def bureau(monkeypatch: pytest.MonkeyPatch) -> Bureau:
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, CLAIMS_GAME)  # type: ignore[attr-defined]
    desk = Bureau()
    desk.open(3, setup=Setup(game="claims"))
    return desk


def awaited(bureau: Bureau) -> str:
    (decision,) = bureau.document["awaiting"]
    return str(decision["seat"])


def claims_of(bureau: Bureau, seat: str) -> Sequence[str]:
    place = 2 * bureau.document["seats"].index(seat)
    return CLAIMS[place : place + 2]


# -- rollout and play ---


@pytest.mark.parametrize("word", ["rollout", "roll out", "done", "fertig", "fatto", "Rollout bert"])
def test_a_rollout_plays_the_draft_and_closes_the_question(word: str) -> None:
    recorded(f"""{HEAD}
bert> draft
  dig cedar 2
  wager 5
dice> 3 4
bert> {word}
  = ore.cedar 5
  = wagers.bert 5
  ? anton turn
dice> 1 1
anton> {word.split(maxsplit=1)[0]} anton
  ? bert turn
""")


@pytest.mark.parametrize("word", ["play", "spiele", "gioca"])
def test_a_play_leaves_the_question_open(word: str) -> None:
    recorded(f"""{HEAD}
bert> draft
  dig cedar 2
  dig dune 1
bert> {word}
  = ore.cedar 2
  = ore.dune 1
  ? bert turn
bert> {word}
  ! draft.absent
""")


@pytest.mark.parametrize("word", ["rollout", "fertig", "fatto"])
def test_nobody_ends_a_time_that_is_another_s(word: str) -> None:
    recorded(f"""{HEAD}
anton> {word}
  ! order.not_awaited
  ? bert turn
""")


def test_the_first_refused_order_stops_a_rollout(bureau: Bureau) -> None:
    who = awaited(bureau)
    one, other = claims_of(bureau, who)
    bureau.write(who, f"draft\ndig {one} 3\ndig {other} 2\nwager 5")
    bureau.write(who, f"dig {other} 7\nrollout")
    assert bureau.outcomes(who) == [("played", None), ("played", None), ("refused", "claim.dug")]
    assert [text for _, _, text in bureau.papers] == [f"dig {other} 2", "wager 5"]
    assert awaited(bureau) == who
    bureau.write(who, "cancel 1\nrollout")
    assert bureau.outcomes(who) == [("withdrawn", None), ("played", None), ("played", None)]
    assert not bureau.papers
    assert awaited(bureau) != who
    assert bureau.server.app.verify("imp-1").honest


def test_what_closes_the_question_on_the_draft_ends_the_rollout() -> None:
    """What would close it once more is not for the next question of whom it may be."""
    played(f"""{HEAD}
bert> draft
  rest
  wager 9
dice> 3 4
bert> rollout
  = wagers {{}}
  ? anton turn
""")


def test_a_rollout_that_waits_to_bind_is_played_with_the_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, CLAIMS_GAME)  # type: ignore[attr-defined]
    desk = Bureau()
    desk.open(3, setup=Setup(game="claims"), hold_minutes=5)
    who = awaited(desk)
    one, _ = claims_of(desk, who)
    desk.write(who, f"draft\ndig {one} 3\nwager 2")
    desk.write(who, "rollout")
    assert desk.outcomes(who) == [("binds", None)]
    desk.write(who, "undo")
    assert desk.outcomes(who) == [("undone", None)]
    desk.write(who, f"draft\ndig {one} 3\nwager 2")
    desk.write(who, "rollout")
    desk.tick(HOUR)
    orders = [each["order"]["type"] for entry in desk.entries for each in entry["answers"]]
    assert orders == ["Dig", "Wager", "Rollout"]
    assert awaited(desk) != who


def test_a_preview_of_a_rollout_ends_at_the_first_die(bureau: Bureau) -> None:
    who = awaited(bureau)
    one, other = claims_of(bureau, who)
    bureau.write(who, f"preview\ndig {one} 3\ndig {one} 2\ndig {other} 1\nundo\nrollout\nwager 1")
    assert bureau.outcomes(who) == [
        ("tried", None),
        ("refused", "claim.dug"),
        ("tried", None),
        ("tried", None),
        ("refused", "preview.die"),
        ("refused", "preview.die"),
    ]
    assert len(bureau.entries) == 1
    bureau.write(who, f"draft\ndig {one} 3")
    bureau.write(who, "preview\nrollout")
    assert [code for _, code in bureau.outcomes(who)] == [None, "preview.die"]
    assert len(bureau.papers) == 1


def test_a_draft_is_judged_up_to_the_first_die(bureau: Bureau) -> None:
    who = awaited(bureau)
    one, _ = claims_of(bureau, who)
    bureau.write(who, f"draft\ndig {one} 3\ndig {one} 1\ndrill {one}\ndig {one} 1")
    assert [code for _, code in bureau.outcomes(who)] == [None, "claim.dug", None, None]
    assert [text for _, _, text in bureau.papers] == [f"dig {one} 3", f"drill {one}", f"dig {one} 1"]
    bureau.write(who, "dig amber 0")
    assert len(bureau.papers) == 3, "what is refused is not kept behind what hangs on a die"
    bureau.write(who, "play")
    assert bureau.outcomes(who)[-1] == ("refused", "claim.dug")
    bureau.write(who, "cancel")
    assert not bureau.papers


# -- undo ---


def test_undo_takes_back_the_last_order_again_the_one_before() -> None:
    recorded(f"""{HEAD}
bert> dig cedar 2
  dig dune 3
bert> undo
  = ore.cedar 2
  = ore.dune 0
bert> undo
  = ore.cedar 0
bert> undo
  ! undo.barred
bert> dig cedar 4
  wager 2
bert> undo
  ! undo.barred
  = ore.cedar 4
anton> undo
  ! order.not_awaited
""")


# -- written ahead, and standing ---


def test_advance_orders_are_used_in_order_when_the_question_opens(bureau: Bureau) -> None:
    first = awaited(bureau)
    second = next(seat for seat in bureau.document["players"] if seat != first)
    one, other = claims_of(bureau, second)
    bureau.write(second, f"advance dig {one} 3\nadvance dig {one} 4\nadvance dig {other} 1\nadvance drill {one}")
    assert [code for _, code in bureau.outcomes(second)] == [None, None, None, "drill.early"]
    assert len(bureau.papers) == 3
    bureau.write(first, "rollout")
    assert awaited(bureau) == second
    assert (bureau.document["ore"][one], bureau.document["ore"][other]) == (3, 1)
    assert not bureau.papers
    bureau.write(second, f"advance wager 5\ndrill {one}")
    assert len(bureau.papers) == 1, "it is for the next turn"
    bureau.write(second, "rollout")
    bureau.tick(HOUR)
    assert not bureau.document["wagers"]
    while awaited(bureau) != second:
        bureau.write(awaited(bureau), "rollout")
    assert bureau.document["wagers"] == {second: 5}
    assert bureau.server.app.verify("imp-1").honest


def test_what_stands_in_the_position_is_played_at_once_whoever_is_asked() -> None:
    recorded(f"""{HEAD}
anton> standing watch cedar
  standing watch dune
  = watched.anton.cedar true
  = watched.anton.ember false
  = watched.bert {{}}
anton> standing watch cedar
  ! claim.watched
anton> standing none dig
  ! watch.only
bert> standing watch ember
  ? bert turn
anton> standing none watch
  = watched.anton {{}}
bert> dauernd keine
  = watched.bert {{}}
""")


def test_what_anybody_may_say_is_played_in_anothers_turn() -> None:
    recorded(f"""{HEAD}
anton> dig amber 1
  praise cedar
  praise amber
  praise dune
  praise cedar
  ! order.not_awaited
  ! claim.yours
  = praised.cedar.anton 2
  = praised.dune.anton 1
  ? bert turn
""")


def test_what_answers_no_question_may_stand_on_the_draft_of_ones_turn(bureau: Bureau) -> None:
    who = awaited(bureau)
    other = next(claim for claim, owner in bureau.document["owners"].items() if owner != who)
    bureau.write(who, f"draft\npraise {other}")
    assert [text for _, _, text in bureau.papers] == [f"praise {other}"]
    bureau.write(who, "rollout")
    assert bureau.document["praised"] == {other: {who: 1}}
    assert bureau.server.app.verify("imp-1").honest


def test_what_concerns_somebody_in_anothers_turn_is_a_letter_of_its_own(bureau: Bureau) -> None:
    who = awaited(bureau)
    other, owner = next((claim, owner) for claim, owner in bureau.document["owners"].items() if owner != who)

    mails = bureau.write(who, f"praise {other}")
    assert [mail.to for mail in mails if "Something that concerns you" in mail.subject] == [address(owner)]


def test_a_moderator_may_roll_out_for_a_player(bureau: Bureau) -> None:
    who = awaited(bureau)
    one, _ = claims_of(bureau, who)
    bureau.server.app.moderate("imp-1", [f"act for {who}: dig {one} 3"])
    bureau.server.app.moderate("imp-1", [f"act for {who}: rollout"])
    assert bureau.document["ore"][one] >= 3
    assert awaited(bureau) != who


def test_a_deputy_may_roll_out_and_undo(bureau: Bureau) -> None:
    who = awaited(bureau)
    one, _ = claims_of(bureau, who)
    other = next(seat for seat in bureau.document["players"] if seat != who)
    bureau.write(who, f"away until 20 Jan 2030 deputy {other}")
    bureau.write(other, f"as {who}: dig {one} 3\nas {who}: undo\nas {who}: rollout")
    assert awaited(bureau) != who


# -- time ---


@pytest.mark.parametrize(("hours", "late"), [(24, 0), (25, 1), (48, 2), (49, 2), (240, 10)])
def test_lateness_is_counted_when_the_question_closes(hours: int, late: int) -> None:
    replay = recorded(f"""{LENIENT}
bert> dig cedar 1
clock> +{hours}h
bert> dig dune 1
  ? bert turn
dice> 1 2
bert> rollout
  * closed seat=bert late={late}
  ? anton turn
""")
    assert closings(replay) == [("bert", late)]


@pytest.mark.parametrize(("moves", "late"), [("+24h\nclock> +1min", 1), ("+1440min", 0), ("+1441min", 1)])
def test_up_to_a_minute_is_in_time(moves: str, late: int) -> None:
    replay = played(f"{LENIENT}\nclock> {moves}\ndice> 1 2\nbert> rollout")
    assert closings(replay) == [("bert", late)]


@pytest.mark.parametrize("head", [HEAD, LENIENT])
def test_the_clock_ends_it_late_with_what_was_written(head: str) -> None:
    recorded(f"""{head}
bert> dig cedar 1
bert> draft
  drill cedar
  dig cedar 2
  dig dune 3
dice> 6 1 2
clock> lapse
  = ore.cedar 8
  = ore.dune 5
  * closed seat=bert late=1
  ? anton turn
""")


def test_the_clock_waits_for_what_is_in_time() -> None:
    played(f"{HEAD}clock> +24h\n  ? bert turn\ndice> 1 2\nclock> +1h\n  * closed seat=bert late=1\n")


def test_another_player_ends_it_when_it_is_late() -> None:
    recorded(f"""{HEAD}option policy on_request
clock> +24h
anton> rollout bert
  ! rollout.not_overdue
clock> +1min
dice> 1 2
anton> rollout bert
  * closed seat=bert late=1
""")


# -- dice, lots, paths ---


def test_dice_serve_as_many_orders_as_they_last() -> None:
    replay = recorded(f"""{HEAD}
dice> 4 2 6
dice> 1
bert> drill cedar
  drill cedar
  = ore.cedar 6
bert> drill amber
  ! claim.not_yours
bert> rollout
  = ore.cedar 12
  = ore.dune 1
""")
    draws = [draw for entry in replay.record.entries for draw in entry.draws]
    assert [draw.result + 1 for draw in draws] == [4, 2, 6, 1]
    assert len({draw.purpose for draw in draws}) == 4


def test_a_die_that_is_not_given_refuses() -> None:
    played(f"{HEAD}dice> 3\nbert> rollout\n  ! dice.none\n  ? bert turn\ndice> 4\nbert> rollout\n  = ore.dune 4")
    played(f"{HEAD}clock> lapse\n  ! dice.none\n  ? bert turn")
    with pytest.raises(Failed, match=r"dice\.none") as found:
        played(f"{HEAD}dice> 3\nclock> lapse")
    assert found.value.line == 5
    with pytest.raises(Failed, match="1 dice are left over"):
        played(f"{HEAD}dice> 3 4\nbert> drill cedar")


def test_a_secret_draws_the_dice_of_a_long_turn() -> None:
    text = f"{HEAD}secret autumn\nbert> drill cedar\n  drill dune\nbert> undo\n  ! undo.barred\nbert> rollout"
    once, again = played(text), played(text)
    assert [write(entry) for entry in once.record.entries] == [write(entry) for entry in again.record.entries]


def test_lots_may_be_texts_of_the_game() -> None:
    recorded("""game claims
seats anton bert claudia
begins bert
marks anton AS, bert 10H + road   # as they were drawn
  = marks.anton AS
  = marks.bert "10H + road"
  = marks.claudia null
""")
    with pytest.raises(PlayFileError, match="no header"):
        played(f"{HEAD}cards anton AS\n")


def test_what_is_left_out_deep_below_stands_for_what_the_game_says() -> None:
    played(f"""{HEAD}
given ore amber 7; ore birch 2
given ore cedar 1
  = ore.amber 7
  = ore.birch 2
  = praised.amber.bert 0
  = praised.amber {{}}
  = watched.anton.cedar false
  = marks {{}}
  = pairs.amber-birch ["anton"]
  = ore {{"amber": 7, "birch": 2, "cedar": 1, "dune": 0, "ember": 0, "fjord": 0}}
  = scores null
""")
    with pytest.raises(Failed, match="the state document has no scored there"):
        played(f"{HEAD}  = scored.anton 0\n")


def test_a_word_for_one_kind_alone_is_refused_where_none_stands_in_the_position() -> None:
    head = "seats anton bert\nflags anton austria_hungary, bert italy\n"
    Replay(f"{head}anton> standing none fight\n  ! standing.kind\n", GAMES, str).run()


# -- what is asked of the moderator, while the time of a turn stands still ---


def test_a_survey_waits_for_the_moderator_and_costs_no_time() -> None:
    replay = recorded(f"""{HEAD}
bert> survey cedar
  ? moderator ruling
  ? bert turn
bert> dig dune 1
  ! order.not_awaited
bert> ruling 2
  ! order.not_awaited
clock> +50h
  ? bert turn
clock> lapse
  ? moderator ruling
moderator> ruling 7
  ! ruling.most
moderator> ruling 5
  = ore.cedar 5
  ?! moderator ruling
moderator> ruling 5
  ! ruling.not_asked
clock> +23h
  ? bert turn
dice> 3 4
bert> rollout
  ? anton turn
""")
    assert closings(replay) == [("bert", 0)]


def test_a_survey_is_judged_by_who_ends_the_turn() -> None:
    recorded(f"""{HEAD}
bert> survey cedar
dice> 3 4
moderator> close turn 1: they are away
  = ore.cedar 4
  ? anton turn
""")


def test_nothing_on_file_answers_what_stands_still() -> None:
    recorded(f"""{HEAD}
anton> advance survey amber
anton> advance dig birch 4
dice> 3 4
bert> rest
  ? moderator ruling
  = ore.birch 0
moderator> ruling 2
  = ore.amber 2
  = ore.birch 4
  ? anton turn
""")
