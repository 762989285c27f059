"""What a moderator can't do by a word alone: consent that is looked up, a game that stays in good hands, no own cause."""

from __future__ import annotations

import pytest

from pbem.host.calendar.moments import parse_moment
from pbem.host.clock.time_sheet import sheet
from pbem.host.ports import Slot
from tests.service.bureau import DAY, HOUR, NAMES, Bureau, address
from tests.service.test_moderation import MODERATOR, acts, appoint, check_record, told

NEW = "nina@elsewhere.test"


@pytest.fixture
def led(bureau: Bureau) -> Bureau:
    """A game with a moderator who does not play."""
    appoint(bureau, MODERATOR)
    return bureau


# -- consent ---


def test_consent_is_looked_up(led: Bureau) -> None:
    for asked, votes in (
        ("petition change Slower\nSET slot_hours = 48", ()),
        ("petition change Beer", "for"),
        ("petition change slot_hours\nSET slot_hours = 48", "for"),
        ("petition change lateness should be fee", "for"),
    ):
        led.write("anton", asked)
        number = sum(act["type"] == "petitioned" for act in acts(led))
        for voter in NAMES[1:4] if votes else ():
            led.write(voter, f"for P-{number}")
        if number == 1:
            for voter in NAMES[1:5]:
                led.write(voter, "against P-1")
    led.write(MODERATOR, "option slot_hours = 24 with consent of all players: as before")
    for line, code in (
        ("slot_hours = 48 with consent of P-7", "option.no_petition"),
        ("slot_hours = 48 with consent of P-1 and all players", "option.not_passed"),
        ("slot_hours = 48 with consent of P-2", "option.other_petition"),
        ("slot_hours = 36 with consent of P-3", "option.other_petition"),
        ("lateness = fee with consent of all players", "option.grave"),
        ("slot_hours = 48 with consent of anton, gustav", "name.unknown"),
        ("slot_hours = 48 with consent of P-3", None),
        ("slot_hours = 48 mit Zustimmung von p 3", None),
        ("slot_hours = 48 with consent of anton and bert", None),
        ("lateness = fee with consent of P-4", None),
    ):
        made = led.copy()
        made.write(MODERATOR, f"option {line}: it is summer")
        assert made.outcomes(MODERATOR) == [("refused", code) if code else ("done", None)], line
        assert len(acts(made)) == len(acts(led)) + (code is None), line
        check_record(made)


def test_what_only_the_moderator_says_is_told_so(led: Bureau) -> None:
    led.write(MODERATOR, "option slot_hours = 48 with consent of all players: it is summer")
    assert "Agreed, says the moderator: all players" in " ".join(led.postman.to(address("bert"))[-1].text.split())


# -- who leads ---


@pytest.mark.parametrize("power", ["hand over to", "promote"])
def test_whom_nobody_knows_has_to_say_yes_first(led: Bureau, power: str) -> None:
    led.write(MODERATOR, f"{power} {NEW}")
    assert led.outcomes(MODERATOR) == [("refused", "power.why")]
    sent = led.write(MODERATOR, f"{power} {NEW}: I move house")
    assert {*told(sent)} >= {*NAMES, "nina"}
    assert [one.person.address for one in led.game.moderators] == [MODERATOR]
    (letter,) = led.postman.to(NEW)
    led.write(NEW, "pause 2 days: I may", to=letter.reply_to or "")
    led.write(MODERATOR, "announce: I still lead")
    assert led.outcomes(MODERATOR) == [("done", None)]
    led.write(NEW, "accept", to=letter.reply_to or "")
    left = [] if power == "hand over to" else [MODERATOR]
    assert [one.person.address for one in led.game.moderators] == [*left, NEW]
    assert [act["type"] for act in acts(led)] == ["nominated", "announced", "promoted"]
    led.write(NEW, "announce: Here I am", to=led.postman.to(NEW)[-1].reply_to or "")
    assert led.outcomes(NEW) == [("done", None)]
    check_record(led)


def test_who_declines_leads_nothing(led: Bureau) -> None:
    led.write(MODERATOR, f"hand over to {NEW}: I move house")
    led.write(NEW, "decline", to=led.postman.to(NEW)[-1].reply_to or "")
    assert [one.person.address for one in led.game.moderators] == [MODERATOR]
    led.write(NEW, "accept", to=led.postman.to(NEW)[-1].reply_to or "")
    assert [one.person.address for one in led.game.moderators] == [MODERATOR]


def test_who_is_known_leads_at_once(led: Bureau) -> None:
    for line, code in (
        ("hand over to nobody: why", "promote.unknown"),
        ("hand over to Zoe: why", "promote.already"),
        ("promote anton: he helps", None),
        ("hand over to anton: I travel", None),
    ):
        led.write(MODERATOR, line)
        assert led.outcomes(MODERATOR) == [("refused", code) if code else ("done", None)], line
    assert [one.person.address for one in led.game.moderators] == [address("anton")]


# -- who plays ---


@pytest.mark.parametrize("empty", [False, True])
def test_whom_nobody_knows_sits_down_when_they_have_said_yes(led: Bureau, empty: bool) -> None:
    if empty:
        led.write(MODERATOR, "eject bert: rude")
    sent = led.write(MODERATOR, f"ersetze bert durch {NEW}: er zieht um")
    assert led.outcomes(MODERATOR) == [("asked", None)]
    assert "until they say yes, all stays as it is" in " ".join(led.answers(MODERATOR)[-1].text.split())
    assert {*told(sent)} >= {*NAMES, "nina"} - ({"bert"} if empty else set())
    assert NEW not in str(led.entries)
    (letter,) = led.postman.to(NEW)
    assert "take over the seat of bert" in letter.subject
    led.write("anton", "austria: taxation")
    led.write(NEW, "italy: taxation", to=letter.reply_to or "")
    assert led.awaited == [("bert", "turn", "italy")]
    led.write(MODERATOR, f"replace bert by {NEW}: once more")
    assert led.outcomes(MODERATOR)[0][0] == "refused"
    led.write(NEW, "accept", to=letter.reply_to or "")
    assert led.replies(NEW)[-1].problem == "accept.seated"
    (seated,) = [act for act in acts(led) if act["type"] == "seated"]
    assert seated | {"person": 0} == {
        "type": "seated", "by": "moderator Zoe", "seat": "bert", "person": 0, "why": "er zieht um"
    }  # fmt: skip
    led.write(NEW, "italy: taxation", to=led.postman.to(NEW)[-1].reply_to or "")
    assert led.outcomes(NEW) == [("played", None)]
    check_record(led)


def test_a_seat_that_another_has_taken_is_asked_of_nobody(led: Bureau) -> None:
    led.server.app.moderate("imp-1", [f"replace bert by {NEW}: he moves"])
    led.tick()
    (letter,) = led.postman.to(NEW)
    led.know("otto@elsewhere.test")
    led.write(MODERATOR, "replace bert by otto@elsewhere.test: he waits")
    assert led.outcomes(MODERATOR) == [("done", None)]
    led.write(NEW, "accept", to=letter.reply_to or "")
    assert led.game.members[1].person.address == "otto@elsewhere.test"


def test_who_would_rather_not_play_does_not(led: Bureau) -> None:
    led.write(MODERATOR, f"replace bert by {NEW}: he moves")
    sent = led.write(NEW, "decline", to=led.postman.to(NEW)[-1].reply_to or "")
    assert led.replies(NEW)[-1].problem == "nominee.declined"
    assert any("Somebody would rather not play bert" in mail.subject for mail in sent)
    assert led.game.members[1].person.address == address("bert")


# -- no own cause ---


def test_no_moderator_rules_on_himself(bureau: Bureau) -> None:
    appoint(bureau, address("anton"), MODERATOR)
    bureau.write("bert", "petition replace anton")
    bureau.write("anton", "petition change Beer")
    bureau.write("anton", "austria: taxation")
    bureau.write("bert", "object R-1: too much")
    for line in (
        "reject P-1: no",
        "reject P-2: no",
        "validate P-1",
        "dismiss O-1: no",
        "uphold O-1: yes",
        "strike anton 1: why",
        "extend anton 12h: why",
    ):
        bureau.write("anton", f"moderator\n{line}")
        assert bureau.outcomes("anton") == [("refused", "power.own_cause")], line
    bureau.write(MODERATOR, "dismiss O-1: the report is right\nreject P-1: no reason is given")
    assert bureau.outcomes(MODERATOR) == [("done", None)] * 2


# -- the sheet ---


def rows(bureau: Bureau, seat: str) -> list[tuple[int, bool]]:
    (answer,) = bureau.write("fritz", "move order")
    assert answer.text
    with bureau.server.games.work() as desk:
        done = desk.session(desk.game("imp-1")).position.done
        return [(row.late, row.void) for row in sheet(done) if row.seat == seat]


def test_a_row_of_the_sheet_is_struck_with_its_lateness(led: Bureau) -> None:
    led.tick(DAY + HOUR)
    assert rows(led, "anton") == [(1, False)]
    for line, code in (("strike anton 2: why", "strike.nothing"), ("streiche anton 1: unsere Post lag", None)):
        led.write(MODERATOR, line)
        assert led.outcomes(MODERATOR) == [("refused", code) if code else ("done", None)]
    assert rows(led, "anton") == [(1, True)]
    (answer,) = led.write("fritz", "move order")
    assert "void" in answer.text
    assert "Late so far" not in answer.text
    led.write(MODERATOR, "strike anton 1: once more")
    assert led.outcomes(MODERATOR) == [("refused", "strike.void")]
    check_record(led)


def test_a_turn_taken_back_counts_for_nothing_until_it_is_rolled_forward(lots: None) -> None:
    bureau = Bureau()
    bureau.open(forced_limit=1)
    appoint(bureau, MODERATOR)
    bureau.tick(DAY + HOUR)
    assert rows(bureau, "anton") == [(1, False)]
    assert "petitioned" in [act["type"] for act in acts(bureau)]
    bureau.write(MODERATOR, "rewind to turn 1: our mail was down")
    assert rows(bureau, "anton") == [(1, True)]
    assert [act["type"] for act in acts(bureau)][-1] == "withdrawn"
    bureau.write(MODERATOR, "roll forward: it was not")
    assert rows(bureau, "anton") == [(1, False)]


# -- the end ---


@pytest.mark.parametrize(
    ("line", "scored"),
    [
        ("end: nobody has time", True),
        ("end with scores: nobody has time", True),
        ("beende mit Punkten: keine Zeit", True),
        ("termina con i punti: basta", True),
        ("end without scores: nobody has time", False),
        ("beende ohne Punkte: keine Zeit", False),
        ("termina senza punti: basta", False),
    ],
)
def test_a_game_ends_with_its_scores_or_without(led: Bureau, line: str, scored: bool) -> None:
    led.write("anton", "austria: taxation")
    sent = led.write(MODERATOR, line)
    assert led.game.status == "finished"
    document = led.document
    assert (document["awaiting"], document["finished"]) == ([], scored)
    assert (document["scores"] is not None, bool(document["winners"])) == (scored, scored)
    (answer,) = [mail for mail in sent if mail.answers]
    assert "has ended the game" in answer.text
    assert "WHO IS NEXT" not in answer.text
    final = [mail for mail in sent if "THE FINAL STANDINGS" in mail.text]
    assert {mail.to for mail in final} == ({*map(address, NAMES), MODERATOR} if scored else set())
    check_record(led)


# -- time, in their words ---


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        ("pause until Mon 8:00", None, "2027-01-18 08:00"),
        ("pausiere bis Montag", None, "2027-01-18 00:00"),
        ("pausa fino al 20.1.", None, "2027-01-20 00:00"),
        ("pause 2 days from Mon 18:00", "2027-01-18 18:00", "2027-01-20 18:00"),
        ("pause from 20.1. to 22.1.", "2027-01-20 00:00", "2027-01-23 00:00"),
        ("pausa dal 20.1. al 22.1.", "2027-01-20 00:00", "2027-01-23 00:00"),
    ],
)
def test_a_pause_from_and_until(led: Bureau, line: str, start: str | None, end: str) -> None:
    led.write(MODERATOR, f"{line}: the holidays")
    assert led.outcomes(MODERATOR) == [("done", None)]
    (act,) = acts(led)
    begins = parse_moment(start, "UTC", led.clock.now()) if start else led.clock.now()
    assert (act["start"], act["end"], act["why"]) == (begins, parse_moment(end, "UTC", led.clock.now()), "the holidays")


def test_the_time_of_all_is_extended(led: Bureau) -> None:
    before = led.slot.deadline or 0
    led.write(MODERATOR, "extend all 12h: our mail was down")
    assert led.outcomes(MODERATOR) == [("done", None)]
    assert led.slot.deadline == before + 12 * HOUR


def test_the_time_of_all_is_moved_or_nobodys(lots: None) -> None:
    bureau = Bureau()
    bureau.open(away_days=14)
    bureau.write("bert", "away until 2027-01-20")
    assert bureau.outcomes("bert") == [("set", None)]
    with bureau.server.games.work() as desk:
        now = bureau.clock.now()
        desk.repository.put_slot("imp-1", Slot(key="2 bert battle italy", seat="bert", opened=now, started=now))
    before = bureau.slots
    said = bureau.server.app.moderate("imp-1", ["deadline all 2027-01-18 20:00: our mail was down"]).results
    assert [verdict.refusal and verdict.refusal.code for verdict in said] == ["deadline.idle"]
    assert (bureau.slots, [act["type"] for act in acts(bureau)]) == (before, ["away"])


def test_orders_for_somebody_too_early_name_that_player(led: Bureau) -> None:
    led.write(MODERATOR, "act for bert, he phoned: italy: taxation")
    assert led.outcomes(MODERATOR) == [("refused", "act.not_awaited")]
    assert "awaited from bert" in led.answers(MODERATOR)[-1].text
