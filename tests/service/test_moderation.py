"""The powers of a moderator, by mail: who may use them, what they do, and who is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.host.archive.replay import Replay
from pbem.host.archive.verify import verify_game
from pbem.host.ports import Mail, Member
from tests.service.bureau import DAY, HOUR, NAMES, Bureau, address, prefix

MODERATOR = "zoe@players.test"


@pytest.fixture
def led(bureau: Bureau) -> Bureau:
    """A game with a moderator who does not play."""
    appoint(bureau, MODERATOR)
    return bureau


def appoint(bureau: Bureau, *addresses: str) -> None:
    with bureau.server.games.work() as desk:
        people = [desk.repository.person_at(each) or desk.repository.add_person("Zoe", each, 0) for each in addresses]
        game = desk.game("imp-1")
        told = desk.session(game).position.seq if game.status == "running" else -1
        led = (Member(person=person, seat="", told=told) for person in people)
        desk.repository.save_game(replace(game, moderators=(*game.moderators, *led)))


def told(mails: Sequence[Mail]) -> list[str]:
    """Who got a letter that is no answer."""
    return sorted(prefix(mail for mail in mails if not mail.answers))


def acts(bureau: Bureau) -> list[dict[str, Any]]:
    done = [entry["act"] for entry in bureau.entries if entry.get("act")]
    return [act for act in done if act["type"] != "time_kept"]


def check_record(bureau: Bureau) -> None:
    """The log is what was written, today's rules would have the same, and its record plays to the same position."""
    with bureau.server.games.work() as desk:
        game, raws = desk.game("imp-1"), [*desk.repository.entries("imp-1")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        found = verify_game(game, raws, lambda done: bureau.server.games.load(game, done))
    assert found.honest, str(found)
    played = Replay(bureau.server.app.record("imp-1"), GAMES, lambda refusal: refusal.code)
    played.run()
    assert played.document() == bureau.document


# -- who may ---


def test_a_moderator_tells_everybody_something(led: Bureau) -> None:
    sent = led.write(MODERATOR, "announce: The game pauses over Christmas.\n\nEnjoy it!")
    assert sorted(prefix(sent)) == sorted([*NAMES, "zoe"])
    letter = led.postman.to(address("bert"))[-1]
    assert "The game pauses over Christmas." in letter.text
    assert "Enjoy it!" in letter.text
    assert "The moderator Zoe" in letter.text
    assert acts(led) == [
        {"type": "announced", "by": "moderator Zoe", "text": "The game pauses over Christmas.\nEnjoy it!"}
    ]


def test_a_player_has_no_powers(bureau: Bureau) -> None:
    bureau.write("anton", "moderator: close turn 1: he sleeps")
    assert bureau.outcomes("anton") == [("refused", "power.not_yours")]
    assert acts(bureau) == []


def test_the_operator_presides_over_all_games(bureau: Bureau) -> None:
    with bureau.server.games.work() as desk:
        desk.repository.add_person("", "operator@pbem.test", 0)
    bureau.write("operator@pbem.test", "announce: Hello")
    assert acts(bureau) == [{"type": "announced", "by": "operator", "text": "Hello"}]


def test_a_moderator_proves_himself_with_his_token(led: Bureau) -> None:
    led.write(MODERATOR, "announce: Hello", to="pbem@pbem.test")
    assert acts(led) == []
    assert led.replies(MODERATOR)[-1].problem == "identity.no_token"


def test_one_who_plays_too_parts_what_he_writes_as_a_moderator(bureau: Bureau) -> None:
    appoint(bureau, address("anton"))
    bureau.write("anton", "austria: taxation\nmoderator\nannounce: I moderate and play")
    assert bureau.outcomes("anton") == [("played", None), ("done", None)]


# -- what can't be read ---


@pytest.mark.parametrize(
    ("letter", "outcomes"),
    [
        ("rewind to turn x: why", [("refused", "power.unreadable")]),
        ("announce: a\nrewind to turn x", [("done", None)]),
        ("rewind to turn x: b\nclose turn 1: c", [("refused", "power.unreadable"), ("held", None)]),
        ("close turn 7: c\nannounce: a", [("refused", "close.other_turn"), ("held", None)]),
        ("close turn 1", [("refused", "power.why")]),
        ("Dear all\nannounce: a", [("done", None), ("passed", None)]),
        ("end", []),
        ("beende", [("refused", "power.why")]),
        ("announce", [("refused", "press.empty")]),
        ("rewind to turn 1: I want it", [("refused", "rewind.nothing")]),
        ("rewind to turn 2: I want it", [("refused", "rewind.unknown")]),
        ("rewind to turn 0: I want it", [("refused", "rewind.unknown")]),
        ("roll forward: I want it", [("refused", "forward.nothing")]),
        ("correct treasury atlantis 3: lost", [("refused", "name.unknown")]),
        ("option lapse = free_step: faster", [("refused", "option.consent")]),
        ("option lapse = never with consent of all: x", [("refused", "option.value")]),
        ("option lapse = skip with consent of all: x", [("refused", "option.same")]),
        ("option colour = red with consent of all: x", [("refused", "option.unknown")]),
        ("option cash = secret with consent of all: x", [("refused", "option.fixed")]),
        ("option slot_hours = many with consent of all: x", [("refused", "option.value")]),
        ("act for nobody: austria: taxation", [("refused", "name.unknown")]),
        ("act for anton: austria: tennis", [("refused", "name.unknown")]),
        ("act for anton: italy: taxation", [("refused", "nation.not_yours")]),
        ("act for anton: status", [("refused", "power.only_orders")]),
    ],
)
def test_what_can_not_be_done_changes_nothing(led: Bureau, letter: str, outcomes: list[Any]) -> None:
    before = led.document
    led.write(MODERATOR, letter)
    found = led.outcomes(MODERATOR)
    assert found == outcomes
    assert led.document == before


# -- in the place of a player ---


def test_orders_for_a_player_are_marked_and_he_gets_a_copy(led: Bureau) -> None:
    sent = led.write(MODERATOR, "act for anton, he phoned me: austria: import F trieste\n  A lemberg")
    assert led.outcomes(MODERATOR) == [("done", None)]
    assert {mail.to for mail in sent} >= {address(name) for name in NAMES}
    copy = next(mail for mail in sent if mail.to == address("anton"))
    assert "he phoned me" in copy.text
    assert [entry["cause"]["kind"] for entry in led.entries[-2:]] == ["act", "moderator"]
    check_record(led)


# -- closing ---


def test_a_closed_turn_is_named_so_that_it_can_not_race(led: Bureau) -> None:
    led.write("anton", "austria: taxation")
    led.write(MODERATOR, "close turn 1: anton sleeps")
    assert led.outcomes(MODERATOR) == [("refused", "close.other_turn")]
    sent = led.write(MODERATOR, "schließe Zug 2: Bert schläft")
    assert led.document["nation"] == "france"
    report = " ".join(next(mail.text for mail in sent if "MOVE ORDER" in mail.text).split())
    assert "The time of bert was ended by hand." in report
    assert "Ended by the moderator" in report
    assert "(“Bert schläft”)" in report
    assert "ran out" not in report
    check_record(led)


# -- rewinding ---


def play_on(bureau: Bureau) -> None:
    for who, nation in (("anton", "austria"), ("bert", "italy"), ("claudia", "france")):
        bureau.write(who, f"{nation}: taxation")


def test_a_game_is_rewound_and_everybody_gets_the_position(led: Bureau) -> None:
    play_on(led)
    sent = led.write(MODERATOR, "rewind to turn 2: the wrong map")
    assert sorted(prefix(sent)) == sorted([*NAMES, "zoe"])
    assert led.awaited == [("bert", "turn", "italy")]
    (slot,) = led.slots
    assert (slot.seat, slot.started) == ("bert", led.clock.now())
    letter = led.postman.to(address("bert"))[-1]
    assert "the wrong map" in letter.text
    assert letter.subject.startswith("[imp-1")
    led.write("bert", "italy: import A rome")
    assert led.document["nation"] == "france"
    assert led.document["nations"]["france"]["rondel"] is None
    check_record(led)


def test_reminders_come_again_after_a_rewinding(led: Bureau) -> None:
    play_on(led)
    for why in ("the wrong map", "once more"):
        led.clock.advance(60)
        led.write(MODERATOR, f"rewind to turn 2: {why}")
        led.write("bert", "italy: taxation")
    assert led.awaited == [("claudia", "turn", "france")]
    (slot,) = led.slots
    assert slot.deadline is not None
    sent = led.at(slot.deadline - 6 * 3_600)
    assert prefix(sent) == ["claudia"]


def test_an_answer_to_a_letter_from_before_is_refused(led: Bureau) -> None:
    play_on(led)
    before = next(mail for mail in reversed(led.postman.to(address("daniel"))) if mail.reply_to)
    led.write(MODERATOR, "rewind to turn 3: the wrong map")
    led.write("claudia", "france: taxation")
    led.write("daniel", "britain: taxation", to=before.reply_to or "")
    assert led.outcomes("daniel") == [("refused", "turn.past")]


def test_papers_of_what_was_taken_back_are_thrown_away_and_named(led: Bureau) -> None:
    led.write("fritz", "standing peace")
    led.clock.advance(60)
    play_on(led)
    led.clock.advance(60)
    led.write("emil", "advance germany: taxation")
    led.write(MODERATOR, "rewind to turn 2: the wrong map")
    assert [kind for _, kind, _ in led.papers] == ["standing"]
    assert "Germany: taxation" in led.postman.to(address("emil"))[-1].text
    assert "Germany: taxation" not in led.postman.to(address("fritz"))[-1].text


def test_a_rewinding_is_itself_taken_back_until_something_new_is_played(led: Bureau) -> None:
    play_on(led)
    before = led.document
    led.write(MODERATOR, "rewind to turn 2: the wrong map")
    led.write(MODERATOR, "roll forward: the map was right after all")
    assert led.document == before
    led.write(MODERATOR, "roll forward: again")
    assert led.outcomes(MODERATOR) == [("refused", "forward.nothing")]
    led.write("daniel", "britain: taxation")
    assert led.outcomes("daniel") == [("played", None)]
    check_record(led)
    assert "italy: taxation" in led.server.app.record("imp-1")


def test_what_is_new_is_not_overwritten_by_rolling_forward(led: Bureau) -> None:
    play_on(led)
    led.write(MODERATOR, "rewind to turn 2: the wrong map")
    led.write("bert", "italy: import A rome")
    led.write(MODERATOR, "roll forward: a slip")
    assert led.outcomes(MODERATOR) == [("refused", "forward.nothing")]


# -- corrections, options, the end ---


def test_a_position_is_corrected_and_shown(led: Bureau) -> None:
    led.write(MODERATOR, "correct treasury italy 17; cash bert 5: I had mistyped it")
    assert led.document["nations"]["italy"]["treasury"] == 17
    assert led.document["players"]["bert"]["cash"] == 5
    letter = led.postman.to(address("fritz"))[-1]
    assert "treasury italy 17" in letter.text
    check_record(led)


def test_an_option_counts_from_its_act_on(led: Bureau) -> None:
    led.write(MODERATOR, "option lapse = free_step with consent of all players: it is dull to be skipped")
    led.write(MODERATOR, "option slot_hours = 48 with consent of all players: it is summer")
    assert led.outcomes(MODERATOR) == [("done", None)]
    led.write("anton", "austria: taxation")
    (slot,) = led.slots
    assert slot.deadline == led.clock.now() + 48 * 3_600
    assert [act["key"] for act in acts(led)] == ["lapse", "slot_hours"]
    assert [(act["was"], act["value"]) for act in acts(led)] == [("skip", "free_step"), ("24", "48")]
    check_record(led)


def test_a_game_that_is_ended_is_over_for_everybody(led: Bureau) -> None:
    sent = led.write(MODERATOR, "end: nobody has time any more")
    assert led.game.status == "finished"
    assert led.slots == []
    assert all(led.game.secret in mail.text for mail in sent if not mail.answers)
    led.write("anton", "austria: taxation")
    assert led.replies("anton")[-1].problem == "game.over"


# -- the clock ---


def test_a_pause_is_told_to_all_and_moves_the_deadline(led: Bureau) -> None:
    before = led.slot
    sent = led.write(MODERATOR, "pause 2 days: the server moves")
    assert set(NAMES) <= {*told(sent)}
    assert "the server moves" in led.postman.to(address("bert"))[-1].text
    assert led.slot.deadline == (before.deadline or 0) + 2 * DAY
    assert led.tick(3 * DAY - HOUR) != []
    assert led.awaited == [("anton", "turn", "austria_hungary")]


def test_a_pause_without_an_end_lasts_until_somebody_ends_it(led: Bureau) -> None:
    led.write(MODERATOR, "pausiere: Urlaub")
    assert led.slot.deadline is None
    led.tick(30 * DAY)
    assert led.awaited == [("anton", "turn", "austria_hungary")]
    led.write(MODERATOR, "riprendi: di nuovo qui")
    assert led.slot.deadline is not None
    check_record(led)


def test_a_deadline_is_moved_with_its_reminders(led: Bureau) -> None:
    before = led.slot
    sent = led.write(MODERATOR, "extend anton 12h: he is on a train")
    assert set(NAMES) <= {*told(sent)}
    assert led.slot.deadline == (before.deadline or 0) + 12 * HOUR
    assert [mail.to for mail in led.at((before.deadline or 0) - HOUR + 60)] == []
    assert prefix(led.at((before.deadline or 0) + 60)) == ["anton"]
    led.write(MODERATOR, "deadline anton in the past: why not")
    assert led.outcomes(MODERATOR)[0][0] == "refused"
    led.write(MODERATOR, "deadline anton 2027-03-01 18:00: a long journey")
    assert led.slot.deadline == 1_803_924_000
    assert acts(led)[-1] == {
        "type": "deadline_set",
        "by": "moderator Zoe",
        "seat": "anton",
        "until": 1_803_924_000,
        "why": "a long journey",
    }


def test_nothing_is_moved_that_does_not_run(led: Bureau) -> None:
    for line, code in (
        ("extend bert 12h: why", "deadline.not_awaited"),
        ("deadline anton 2020-01-01: why", "deadline.past"),
        ("resume: why", "resume.nothing"),
        ("extend anton soon: why", "power.unreadable"),
    ):
        led.write(MODERATOR, line)
        assert led.outcomes(MODERATOR) == [("refused", code)], line
    assert acts(led) == []


# -- what is secret ---


def test_a_correction_of_secret_cash_is_told_without_the_amount() -> None:
    bureau = Bureau()
    bureau.open(setup=Setup(options={"cash": "secret"}))
    appoint(bureau, MODERATOR)
    sent = [mail for mail in bureau.write(MODERATOR, "correct cash bert 31415: a slip") if not mail.answers]
    bureau.write("anton", "history")
    assert {mail.to for mail in sent} >= {address("anton"), address("bert")}
    assert "has corrected the position." in " ".join(bureau.postman.to(address("anton"))[-1].text.split())
    told = {mail.to for mail in bureau.postman.sent if "31415" in mail.text or "31415" in mail.html}
    assert address("bert") in told
    assert told <= {address("bert"), MODERATOR}
