"""All powers of a moderator together: each is told to all with who and why, and none leaves a game in disorder."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.host.clock.timing import is_petition, slot_key
from pbem.host.messages.sections import Trial
from pbem.host.moderation.commands import MODERATOR_COMMANDS
from tests.depth import examples_of
from tests.fakes import MemoryStore
from tests.service.bureau import HOUR, NAMES, Bureau
from tests.service.test_moderation import MODERATOR, acts, appoint, check_record, told

WHY = "it is so"
# By power, in a game of six in its fourth turn: a letter, what it is called in the log, and a word that all are told.
USED = {
    "close": (f"close turn 4: {WHY}", "closed", "turn 4"),
    "pause": (f"pause 2 days: {WHY}", "paused", "Time does not count from"),
    "resume": (f"pause: {WHY}\nresume: {WHY}", "resumed", "has ended the pause"),
    "extend": (f"extend daniel 12h: {WHY}", "deadline_set", "daniel"),
    "deadline": (f"deadline daniel 2027-01-20 20:00: {WHY}", "deadline_set", "daniel"),
    "act_for": (f"act for daniel, {WHY}: britain: taxation", "acted_for", "daniel"),
    "announce": (f"announce: {WHY}", "announced", "it is so"),
    "rewind": (f"rewind to turn 2: {WHY}", "rewound", "turn 2"),
    "forward": (f"rewind to turn 2: {WHY}\nroll forward: {WHY}", "rewound", "turn 4"),
    "correct": (f"correct treasury italy 17: {WHY}", "corrected", "treasury italy 17"),
    "option": (f"option slot_hours = 48 with consent of all of us: {WHY}", "option_set", "all of us"),
    "bot": (f"bot daniel: {WHY}", "bot_seated", "daniel"),
    "no_bot": (f"bot daniel: {WHY}\nno bot daniel: {WHY}", "bot_left", "daniel"),
    "eject": (f"eject daniel: {WHY}", "ejected", "daniel"),
    "replace": (f"replace daniel by nina@players.test: {WHY}", "seated", "daniel"),
    "promote": (f"promote daniel: {WHY}", "promoted", "daniel"),
    "hand_over": (f"hand over to daniel: {WHY}", "promoted", "daniel"),
    "end": (f"end: {WHY}", "ended", "ended the game"),
    "strike": (f"strike anton 1: {WHY}", "struck", "move order sheet"),
}
USED |= {
    "reject": (f"reject P-1: {WHY}", "rejected", "P-1"),
    "uphold": (f"uphold O-1: {WHY}", "ruled", "O-1"),
    "dismiss": (f"dismiss O-1: {WHY}", "ruled", "O-1"),
}
ASKED = {"reject": ("anton", "petition change Free beer"), "uphold": ("daniel", "object R-3: France must pay")}
ASKED |= {"dismiss": ASKED["uphold"], "validate": ASKED["reject"]}
# A petition that is in order goes on; a seat that is free has been told; rulings only some games ask for.
QUIET = ("validate", "offer", "ruling")
BEFORE = ("invite", "seat", "start", "cancel")  # of no use in a running game


@pytest.fixture(scope="module")
def presided(opened: Bureau) -> Bureau:
    """A game that has just begun, with a moderator who does not play. It is copied for each test and example."""
    made = opened.copy()
    appoint(made, MODERATOR)
    made.know("nina@players.test")
    return made


@pytest.fixture(scope="module")
def in_its_fourth_turn(presided: Bureau) -> Bureau:
    """The same after three turns."""
    made = presided.copy()
    for who, nation in (("anton", "austria"), ("bert", "italy"), ("claudia", "france")):
        made.write(who, f"{nation}: taxation")
    return made


@pytest.fixture
def led(in_its_fourth_turn: Bureau) -> Bureau:
    return in_its_fourth_turn.copy()


def asked(bureau: Bureau, power: str) -> tuple[str, str, str]:
    """What is needed for a power is there; its letter, its name and its word."""
    if power in ASKED:
        bureau.write(*ASKED[power])
    return USED[power]


def test_every_power_is_tried_here() -> None:
    assert {*USED, *QUIET, *BEFORE} == {*MODERATOR_COMMANDS.by_name}


@pytest.mark.parametrize("power", USED)
def test_a_power_is_used_once_and_told_to_all_with_who_and_why(led: Bureau, power: str) -> None:
    """In the log, and in the history while the game goes on; however often its letter comes."""
    letter, kind, word = asked(led, power)
    sent = led.write(MODERATOR, letter, id_="<once@players.test>")
    assert {outcome for outcome, _ in led.outcomes(MODERATOR)} == {"done"}
    assert {*told(sent)} >= {*NAMES}
    for name in NAMES:
        read = [mail.text for mail in sent if mail.to == f"{name}@players.test" and not mail.answers]
        assert any("moderator Zoe" in text and WHY in text for text in read), (name, read)
        assert any(word in " ".join(text.split()) for text in read), (name, read)
    (act,) = [act for act in acts(led) if act["type"] == kind][-1:]
    assert act["by"] == "moderator Zoe"
    assert WHY in (act.get("why"), act.get("text"))
    check_order(led)
    check_record(led)
    before = (led.document, acts(led))
    led.write(MODERATOR, letter, id_="<once@players.test>")
    assert (led.document, acts(led)) == before
    if led.game.status != "finished":
        (answer,) = led.write("anton", "history")
        history = " ".join(answer.text.split())
        assert all(each in history for each in ("moderator Zoe", WHY, word))


@pytest.mark.parametrize("power", USED)
def test_a_power_needs_its_reason(led: Bureau, power: str) -> None:
    letter, _, _ = asked(led, power)
    if power in ("announce", "act_for", "promote", "hand_over"):
        return
    before = (led.document, acts(led))
    led.write(MODERATOR, letter.splitlines()[-1].partition(f": {WHY}")[0])
    assert led.outcomes(MODERATOR) in ([("refused", "power.why")], [])  # a word alone is prose
    assert (led.document, acts(led)) == before


@pytest.mark.parametrize(
    ("option", "code"),
    [
        ("slot_hours = 0", "option.value"),
        ("slot_hours = -5", "option.value"),
        ("slot_hours = 999999999", "option.value"),
        ("grace_hours = -1", "option.value"),
        ("remind_hours = 0", "option.value"),
        ("remind_hours = soon", "option.value"),
        ("clock_zone = Mars", None),
        ("idle_days = someday", None),
        ("idle_days = mon, tue, wed, thu, fri, sat, sun", None),
        ("holidays = XX", None),
        ("quiet_hours = 7-7", None),
        ("policy = never", "option.value"),
        ("press = loud", "option.value"),
        ("anonymous = always", "option.fixed"),
        ("places = 3", "option.fixed"),
        ("setup = experienced", "option.fixed"),
    ],
)
def test_an_option_that_can_not_be_is_refused(led: Bureau, option: str, code: str | None) -> None:
    led.write(MODERATOR, f"option {option} with consent of all: {WHY}")
    ((outcome, found),) = led.outcomes(MODERATOR)
    assert outcome == "refused"
    assert found is not None
    assert code in (None, found)
    led.write("daniel", "britain: taxation")
    assert led.outcomes("daniel") == [("played", None)]


# -- in any order ---


def check_order(bureau: Bureau) -> None:
    """Each question has one slot, of its own seat; papers and slots are of seats there are."""
    with bureau.server.games.work() as desk:
        game = desk.game("imp-1")
        session = desk.session(game)
        asked = {} if game.status == "finished" else {slot_key(each): each.seat for each in session.pending()}
        slots = {slot.key: slot.seat for slot in desk.repository.slots("imp-1") if not is_petition(slot)}
        papers = {paper.seat for paper in desk.repository.filed("imp-1")}
        seated = {member.seat for member in game.members}
        running = [slot for slot in desk.repository.slots("imp-1") if slot.started is not None]
    assert slots == asked
    assert papers <= {*NAMES}
    assert {slot.seat for slot in running} <= seated
    assert all(slot.started <= bureau.clock.now() for slot in running if slot.started is not None)


def move(bureau: Bureau, space: str) -> None:
    """Whoever is awaited answers; what can't be is refused, and changes nothing."""
    if bureau.game.status == "finished" or not bureau.awaited:
        return
    seat, kind, nation = bureau.awaited[0]
    words = {"turn": f"{nation}: {space}", "invest": "invest none", "battle": "peace", "swiss": "none"}
    bureau.write(seat, words.get(kind, "none"))


POWER_LINES = st.sampled_from(
    [
        *(f"rewind to turn {n}: why not" for n in range(1, 6)),
        "roll forward: on we go",
        *(f"close turn {n}: asleep" for n in range(1, 9)),
        "pause 1 day: rest",
        "pause: rest",
        "resume: enough",
        "extend daniel 5h: ill",
        "extend anton 5h: ill",
        "correct treasury france 9: a slip",
        "option slot_hours = 12 with consent of all: faster",
        "option slot_hours = 24 with consent of all: slower",
        "option lapse = free_step with consent of all: faster",
        "bot bert: ill",
        "bot anton: ill",
        "no bot bert: well",
        "eject bert: rude",
        "replace bert by nina@players.test: here she is",
        "replace claudia by otto@players.test: here he is",
        "act for daniel, he phoned: britain: taxation",
        "act for bert, he phoned: italy: production_1",
        "announce: hello",
    ]
)
STEP = st.one_of(
    st.tuples(
        st.just("move"), st.sampled_from(["taxation", "investor", "production_1", "production_2", "maneuver none"])
    ),
    st.tuples(st.just("power"), POWER_LINES),
    st.tuples(st.just("power"), POWER_LINES),
    st.tuples(
        st.just("paper"), st.sampled_from(["standing peace", "draft\nitaly: taxation", "advance russia: investor"])
    ),
    st.tuples(st.just("time"), st.sampled_from(["1", "13", "25"])),
)


@settings(max_examples=examples_of(4))
@given(steps=st.lists(STEP, min_size=3, max_size=14))
@example(steps=[("move", "investor"), ("time", "25"), ("time", "25")])
def test_powers_and_moves_in_any_order_leave_a_game_in_order(presided: Bureau, steps: list[tuple[str, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        bureau = presided.copy()
        for what, words in steps:
            match what:
                case "move":
                    move(bureau, words)
                case "power":
                    bureau.write(MODERATOR, words)
                case "paper":
                    bureau.write("fritz" if "russia" in words else "bert", words)
                case _:
                    bureau.tick(int(words) * HOUR)
            assert not any("fault" in mail.subject.lower() for mail in bureau.alarms)
            check_order(bureau)
    check_record(bureau)


# -- what they would do ---


@pytest.mark.parametrize("power", USED)
def test_a_preview_of_a_power_tells_what_it_would_do_and_changes_nothing(led: Bureau, power: str) -> None:
    letter, _, word = asked(led, power)
    before = repository(led)
    head = ("preview\n", "Vorschau:\n", "anteprima ")[list(USED).index(power) % 3]
    (answer,) = led.write(MODERATOR, f"{head}{letter}")
    assert {outcome for outcome, _ in led.outcomes(MODERATOR)} == {"tried"}
    assert word in answer.text
    assert "anton" in answer.text  # would be told
    assert repository(led) == before


def test_a_preview_counts_no_letter_that_waits_already(led: Bureau) -> None:
    """Whoever has to do with the game hears of a pause, and nobody else."""
    led.postman.down = True
    with led.store.transaction() as held:
        held.post([replace(held.due(2**40)[0], id="waits", to="stranger@players.test", due=led.clock.now())])
    led.write(MODERATOR, "preview\npause 2 days: rest")
    (trial,) = led.replies(MODERATOR)[-1].told
    assert isinstance(trial, Trial)
    assert (sorted(trial.told), trial.others) == (["Zoe", *NAMES], 0)


@settings(max_examples=examples_of(8))
@given(lines=st.lists(POWER_LINES, min_size=1, max_size=5), place=st.integers(0, 5))
def test_no_letter_with_a_preview_changes_anything(presided: Bureau, lines: list[str], place: int) -> None:
    bureau = presided.copy()
    bureau.write("bert", "advance italy: taxation")
    before = repository(bureau)
    sent = bureau.write(MODERATOR, "\n".join([*lines[:place], "preview", *lines[place:]]))
    assert [mail.to for mail in sent] == [MODERATOR]
    assert repository(bureau) == before


def repository(bureau: Bureau) -> list[object]:
    """All that is held, but for the letters of the writer and the answers to them."""
    assert isinstance(bureau.store, MemoryStore)
    rows = [row for row in bureau.store.posted() if not row.id.startswith("answer.")]
    with bureau.store.transaction() as held:
        facts = [held.games(), held.entries("imp-1"), held.filed("imp-1"), held.slots("imp-1"), held.press("imp-1")]
        return [*facts, held.waiting(), held.moved(), rows]


def test_a_preview_shows_what_a_correction_changes_before_it_is_made(led: Bureau) -> None:
    (answer,) = led.write(MODERATOR, "preview\ncorrect treasury italy 17; cash bert 5: a slip")
    now, then = answer.text.split("Then:")
    assert "treasury 17m" in then
    assert "treasury 17m" not in now
    assert "- bert: cash 5m" in " ".join(then.split())
    assert "claudia: " not in then.partition("Then these")[0]


def test_a_preview_does_not_tell_what_is_sealed(led: Bureau) -> None:
    led.write("daniel", "draft\nbritain: import A london")
    (answer,) = led.write(MODERATOR, "preview\nclose turn 4: late")
    assert "sealed" in answer.text
    assert "Import" not in answer.text


def test_one_who_plays_too_previews_both_parts_of_a_letter(bureau: Bureau) -> None:
    appoint(bureau, "anton@players.test")
    for letter in (
        "preview\nmoderator\npause 2 days: rest",
        "moderator\npreview\npause 2 days: rest",
        "preview\naustria: taxation\nmoderator\npause 2 days: rest",
    ):
        bureau.write("anton", letter)
        assert {outcome for outcome, _ in bureau.outcomes("anton")} == {"tried"}, letter
    assert acts(bureau) == []
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


# -- what would be mailed to all as text ---


@pytest.mark.parametrize(
    "letter",
    [
        "announce: Dear all\npause 2 days: a storm",
        "announce: Dear all\nclose turn 4: asleep",
        "Ansage: Hallo\nverlängere daniel 12h: krank",
        "annuncio: ciao\nmoderator: end: basta",
        "announce: Dear all\nbritain: taxation",
        "announce: pause 2 days: a storm",
        "pause 2 days: close turn 4: he sleeps",
        "act for daniel, close turn 4: britain: taxation",
        "extend daniel 12h: britain: taxation",
    ],
)
def test_a_power_or_an_order_inside_a_text_stops_the_letter(led: Bureau, letter: str) -> None:
    before = repository(led)
    led.write(MODERATOR, f"option slot_hours = 48 with consent of all: x\n{letter}")
    assert [line for line in led.outcomes(MODERATOR) if line[0] != "held"] == [("refused", "power.inside")]
    assert repository(led) == before


@pytest.mark.parametrize(
    "text", ["press to all: Hello\npause 2 days: a storm", "petition change Beer\nclose turn 1: asleep"]
)
def test_a_player_who_moderates_does_not_mail_a_power_as_text(bureau: Bureau, text: str) -> None:
    appoint(bureau, "anton@players.test")
    bureau.write("anton", f"austria: taxation\n{text}")
    assert bureau.outcomes("anton")[0] == ("held", None)
    assert bureau.outcomes("anton")[1][1] in ("press.order_inside", "petition.order_inside")
    assert acts(bureau) == []
