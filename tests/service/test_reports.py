"""Few letters: which reports a player gets, when, and that in the end everybody has been told everything once."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.adapters.mail_renderer import AllPages
from pbem.bootstrap import Server
from pbem.core.refusal import Illegal
from pbem.games.imperial.bots import BOTS
from pbem.host.calendar.zones import DAY, HOUR, daily
from pbem.host.commands.personal import CHOICES, chosen
from pbem.host.messages import letters, parts
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Mail
from pbem.host.reporting.chapters import Stretch, turn, whole
from pbem.host.reporting.publish import publish
from pbem.host.session.acts import Rewound
from pbem.host.session.unit_of_work import read_entries
from pbem.mail.mail_writer import Envelope
from tests.fakes import FakePostman
from tests.service.bureau import NAMES, Bureau, address, prefix

IMPORT = "austria: import A lemberg"
BATTLE = ("rondel france factory", "turn france", "fleet france w med 1", "fleet italy ionian 1")
MODES = ("all", "round", "mine", "digest 18:00")


def member(bureau: Bureau, name: str) -> Any:
    return next(each for each in bureau.game.members if each.seat == name)


def instant(written: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(written).replace(tzinfo=ZoneInfo(zone)).timestamp())


def unasked(mails: list[Mail]) -> list[Mail]:
    """Those that answer no letter."""
    return [mail for mail in mails if not mail.answers]


def to(name: str, mails: list[Mail]) -> list[Mail]:
    return [mail for mail in unasked(mails) if mail.to == address(name)]


def play_round(bureau: Bureau, space: str = "taxation") -> list[Mail]:
    """Everybody has his turn once; what was sent."""
    sent: list[Mail] = []
    for _ in NAMES:
        seat, _, nation = bureau.awaited[0]
        sent += bureau.write(seat, f"{nation}: {space}")
    return sent


# -- the choice ---


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("all", "all"),
        (": round", "round"),
        ("MINE", "mine"),
        ("digest 18:00", "digest 18:00"),
        ("digest 18 : 05", "digest 18:05"),
        ("digest 18.05", "digest 18:05"),
        ("digest: 7", "digest 07:00"),
        ("daily at 0:30", "digest 00:30"),
        ("alle", "all"),
        ("Runde", "round"),
        ("eigene", "mine"),
        ("täglich um 18 Uhr", "digest 18:00"),
        ("tutti", "all"),
        ("giro", "round"),
        ("miei", "mine"),
        ("giornalieri alle ore 18", "digest 18:00"),
        ("dig 18h30", "digest 18:30"),
    ],
)
def test_reports_are_chosen_in_three_languages(written: str, meant: str) -> None:
    assert chosen(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        "none",
        "digest",
        "digest 24:00",
        "digest 18:60",
        "digest 6pm",
        "digest 18:0",
        "round 18:00",
        "t 18:00",
        "all mine",
    ],
)
def test_what_is_no_kind_of_report_is_refused(written: str) -> None:
    with pytest.raises(Illegal, match=r"reports\.unknown"):
        chosen(written)


@pytest.mark.parametrize(
    ("written", "mode", "sentence"),
    [
        ("reports all", "all", "You get a report of every turn"),
        ("reports round", "round", "when a round is over"),
        ("Berichte eigene", "mine", "only when something is asked of you"),
        ("resoconti giornalieri 18.30", "digest 18:30", "at 18:30 in the time zone UTC"),
    ],
)
def test_a_player_chooses_his_reports_and_is_told_in_a_sentence(
    bureau: Bureau, written: str, mode: str, sentence: str
) -> None:
    (sent,) = bureau.write("claudia", written)
    assert bureau.outcomes("claudia") == [("set", None)]
    assert member(bureau, "claudia").reports == mode
    assert sentence in " ".join(sent.text.split())


def test_a_wrong_word_is_refused_with_what_would_do_and_changes_nothing(bureau: Bureau) -> None:
    bureau.write("anton", "reports mine")
    *_, answer = bureau.answers("anton") if bureau.write("anton", f"reports weekly\n{IMPORT}") else []
    assert bureau.outcomes("anton") == [("refused", "reports.unknown"), ("played", None)]
    assert member(bureau, "anton").reports == "mine"
    assert "reports digest 18:00" in " ".join(answer.text.split())


def test_the_word_alone_tells_which_reports_there_are(bureau: Bureau) -> None:
    bureau.write("bert", "reports round")
    (sent,) = bureau.write("bert", "reports")
    assert bureau.outcomes("bert") == [("shown", None)]
    assert "when a round is over" in " ".join(sent.text.split())


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_every_kind_of_reports_has_its_sentence(bureau: Bureau, language: str) -> None:
    bureau.write("bert", f"language {language}")
    answers = [bureau.write("bert", f"reports {mode} {'9:00' if mode == 'digest' else ''}")[0].text for mode in CHOICES]
    assert len({*answers}) == len(CHOICES)


def test_reports_can_be_chosen_before_the_game_begins(desk: Bureau) -> None:
    desk.invite(2)
    desk.tick()
    desk.write("anton", "reports mine\njoin")
    desk.write("bert", "join")
    assert (member(desk, "anton").reports, member(desk, "anton").joined is not None) == ("mine", True)
    assert len(to("anton", desk.postman.sent)) == 2  # the invitation and the opening


# -- each kind of them ---


def test_a_round_is_told_in_one_letter_when_it_is_over(bureau: Bureau) -> None:
    for name in NAMES[1:]:
        bureau.write(name, "reports round")
    sent = play_round(bureau)
    asked = [mail.subject for mail in to("bert", sent) if "Your move" in mail.subject]
    (told,) = [mail for mail in to("bert", sent) if "Your move" not in mail.subject]
    assert len(asked) == 1
    assert told.subject.endswith(" Round 1: 5 turns")  # the first was told with his move
    assert [line for line in told.text.splitlines() if line.startswith("ROUND 1, ")] == [
        f"ROUND 1, {nation}: TAXATION · R-{turn}"
        for turn, nation in enumerate(("ITALY", "FRANCE", "GREAT BRITAIN", "GERMANY", "RUSSIA"), 2)
    ]
    assert told.text.count("THE NATIONS") == 1


def test_who_is_asked_first_in_a_round_is_told_the_last_one_with_it(bureau: Bureau) -> None:
    bureau.write("anton", "reports round")
    (only,) = to("anton", play_round(bureau))
    assert only.subject.endswith(" Your move: Austria-Hungary")
    assert "ROUND 1, RUSSIA: TAXATION" in only.text
    assert "ROUND 1, AUSTRIA-HUNGARY: TAXATION" in only.text


def test_who_wants_only_his_own_is_told_all_of_it_when_he_is_asked(bureau: Bureau) -> None:
    bureau.write("daniel", "reports mine")
    sent = [*play_round(bureau), *play_round(bureau, "production")]
    first, second = to("daniel", sent)
    assert first.text.count("ROUND 1, ") == 3
    assert (second.text.count("ROUND 1, "), second.text.count("ROUND 2, ")) == (3, 3)
    assert "Great Britain (daniel): treasury 15m (+4)," in second.text  # since the first of these letters


def test_a_question_in_the_middle_of_a_turn_tells_what_was_missed_and_the_turn_is_told_whole_later(
    bureau: Bureau,
) -> None:
    bureau.write("bert", "reports mine")
    bureau.write("anton", IMPORT)
    bureau.write("bert", "italy: import A rome")
    bureau.given(*BATTLE)
    (asked,) = to("bert", bureau.write("claudia", "france: maneuver F w med - ionian"))
    assert "ROUND 1, ITALY: IMPORT" in asked.text
    assert "ROUND 1, AUSTRIA-HUNGARY: IMPORT" not in asked.text  # that was told with his move
    assert "WHAT HAS HAPPENED SO FAR" in asked.text
    assert to("bert", bureau.write("bert", "peace")) == []
    bureau.given("turn italy")
    assert any("ROUND 1, FRANCE: MANEUVER" in mail.text for mail in to("bert", bureau.postman.sent))


def test_a_daily_report_comes_at_its_time_and_only_when_something_has_happened(bureau: Bureau) -> None:
    bureau.clock.set(instant("2027-03-01T09:00"))
    bureau.write("fritz", "zone Europe/Berlin\nreports digest 18:00")
    sent = bureau.write("anton", IMPORT) + bureau.write("bert", "italy: import A rome")
    assert to("fritz", sent) == []
    assert bureau.at(instant("2027-03-01T17:59:59", "Europe/Berlin")) == []
    (told,) = bureau.at(instant("2027-03-01T18:00", "Europe/Berlin"))
    assert told.to == address("fritz")
    assert told.text.count("ROUND 1, ") == 2
    assert to("fritz", bureau.at(instant("2027-03-02T18:00", "Europe/Berlin"))) == []


def test_what_happens_at_the_very_time_is_told_once(bureau: Bureau) -> None:
    bureau.write("fritz", "reports digest 18:00")
    at = daily("UTC", 18 * HOUR, bureau.clock.now())
    bureau.clock.set(at - 1)
    bureau.write("anton", IMPORT)
    bureau.clock.set(at)
    (told,) = to("fritz", bureau.write("bert", "italy: import A rome"))
    again = to("fritz", bureau.at(at + DAY))
    assert told.text.count("ROUND 1, ") + sum(mail.text.count("ROUND 1, ") for mail in again) == 2


def test_a_question_comes_at_once_and_leaves_nothing_for_the_daily_report(bureau: Bureau) -> None:
    bureau.write("bert", "reports digest 18:00")
    (asked,) = to("bert", bureau.write("anton", IMPORT))
    assert asked.subject.endswith(" Your move: Italy")
    assert bureau.slot.started == bureau.clock.now()
    assert to("bert", bureau.at(daily("UTC", 18 * HOUR, bureau.clock.now()))) == []


def test_a_change_takes_effect_at_once(bureau: Bureau) -> None:
    bureau.write("fritz", "reports digest 18:00")
    bureau.write("anton", IMPORT)
    bureau.write("fritz", "reports all")
    (told,) = to("fritz", bureau.write("bert", "italy: import A rome"))
    assert told.text.count("ROUND 1, ") == 2
    assert to("fritz", bureau.at(daily("UTC", 18 * HOUR, bureau.clock.now()))) == []


@pytest.mark.parametrize(
    ("words", "zone", "hour"), [("reports digest 12:00", "UTC", 12), ("zone Asia/Tokyo", "Asia/Tokyo", 18)]
)
def test_what_waits_for_another_time_of_the_day_comes_at_the_new_one(
    bureau: Bureau, words: str, zone: str, hour: int
) -> None:
    bureau.write("fritz", "reports digest 18:00")
    bureau.write("anton", IMPORT)
    bureau.write("fritz", words)
    start = bureau.clock.now()
    due = daily(zone, hour * HOUR, start)
    old = daily("UTC", 18 * HOUR, start)
    sent = {at: to("fritz", bureau.at(at)) for at in sorted({due, old})}
    assert [at for at, mails in sent.items() if mails] == [due]


def test_who_chooses_a_daily_report_gets_what_waited_with_the_next(bureau: Bureau) -> None:
    bureau.write("fritz", "reports mine")
    bureau.write("anton", IMPORT)
    bureau.write("fritz", "reports digest 18:00")
    (told,) = to("fritz", bureau.at(daily("UTC", 18 * HOUR, bureau.clock.now())))
    assert "ROUND 1, AUSTRIA-HUNGARY: IMPORT" in told.text


@pytest.mark.parametrize("mode", MODES)
def test_the_last_turn_is_told_at_once_with_all_that_was_missed_and_nothing_comes_after_it(
    bureau: Bureau, mode: str
) -> None:
    bureau.write("fritz", f"reports {mode}")
    bureau.write("anton", IMPORT)
    bureau.write("bert", "italy: import A rome")
    bureau.given("turn austria_hungary")
    (final,) = [mail for mail in to("fritz", bureau.finish()) if "The game is over" in mail.subject]
    missed = [] if mode == "all" else ["ROUND 1, ITALY: IMPORT · R-2"]
    assert [line for line in final.text.splitlines() if line.startswith("ROUND 1, ITALY")] == missed
    assert [sent for day in range(5) for sent in bureau.tick(after=DAY)] == []


# -- what he has been told ---


def told(bureau: Bureau, name: str) -> int:
    found: int = member(bureau, name).told
    return found


def test_what_is_queued_counts_as_told_though_the_server_is_down(bureau: Bureau) -> None:
    bureau.postman.fail(times=100)
    bureau.write("anton", IMPORT)
    assert {told(bureau, name) for name in NAMES} == {1}
    bureau.postman.mend()
    bureau.tick(after=HOUR)
    assert prefix(unasked(bureau.postman.sent[-7:])).count("fritz") == 1


def test_a_daily_report_counts_as_told_only_when_it_was_handed_over(bureau: Bureau) -> None:
    bureau.write("fritz", "reports digest 18:00")
    bureau.write("anton", IMPORT)
    bureau.postman.refuse(address("fritz"), permanent=False)
    due = daily("UTC", 18 * HOUR, bureau.clock.now())
    bureau.at(due)
    bureau.clock.advance(60)
    bureau.write("bert", "italy: import A rome")
    assert told(bureau, "fritz") == 0
    bureau.postman.mend()
    (late,) = to("fritz", bureau.tick(after=HOUR))
    assert (late.text.count("ROUND 1, "), told(bureau, "fritz")) == (1, 1)  # what was over by 18:00
    (next_one,) = to("fritz", bureau.at(due + DAY))
    assert "ROUND 1, ITALY: IMPORT" in next_one.text


def test_a_daily_report_that_is_sent_again_tells_the_same_turns(bureau: Bureau) -> None:
    class Crashing(FakePostman):
        def send(self, mail: Mail) -> None:
            super().send(mail)
            raise KeyboardInterrupt

    bureau.write("fritz", "reports digest 18:00")
    bureau.write("anton", IMPORT)
    bureau.clock.set(daily("UTC", 18 * HOUR, bureau.clock.now()))
    crashing = Crashing()
    with pytest.raises(KeyboardInterrupt):
        bureau.tick_with(crashing)
    bureau.restart()
    bureau.clock.advance(600)
    (again,) = to("fritz", bureau.write("bert", "italy: import A rome"))
    assert again.message_id == crashing.sent[0].message_id
    assert [mail.text.count("ROUND 1, ") for mail in (crashing.sent[0], again)] == [1, 1]


def test_after_turns_were_taken_back_only_those_that_stand_are_told(bureau: Bureau) -> None:
    bureau.write("fritz", "reports mine")
    bureau.write("anton", IMPORT)
    bureau.write("bert", "italy: import A rome")
    bureau.write("claudia", "france: taxation")
    with bureau.server.games.work() as desk:
        game = desk.game("imp-1")
        then = bureau.server.games.positions(desk.repository, game)[2]  # after the first turn
        Adjudicator(desk.session(game)).rewind(bureau.clock.now(), then, Rewound(by="operator", turn=then.turn))
        publish(desk, game, bureau.clock.now())
    for who, nation in (("bert", "italy"), ("claudia", "france"), ("daniel", "great britain"), ("emil", "germany")):
        bureau.write(who, f"{nation}: production_1")
    (asked,) = to("fritz", bureau.postman.sent)[-1:]
    assert asked.subject.endswith("Your move: Russia")
    assert [line for line in asked.text.splitlines() if line.startswith("ROUND 1, ")] == [
        "ROUND 1, AUSTRIA-HUNGARY: IMPORT · R-1",
        *(
            f"ROUND 1, {nation}: PRODUCTION · R-{turn}"
            for turn, nation in enumerate(("ITALY", "FRANCE", "GREAT BRITAIN", "GERMANY"), 2)
        ),
    ]


def test_all_is_told_over_a_real_store(desk: Bureau) -> None:
    desk.open(2)
    seat, _, nation = desk.awaited[0]
    other = next(name for name in NAMES[:2] if name != seat)
    desk.write(other, "reports digest 18:00")
    desk.write(seat, f"{nation}: taxation")
    desk.tick(after=DAY)
    (last, *_) = [mail for mail in desk.postman.to(address(other)) if "TAXATION" in mail.text]
    assert last is not None
    assert told(desk, other) >= 1


# -- the time of the day ---


@pytest.mark.parametrize(
    ("zone", "time", "after", "wanted"),
    [
        ("UTC", 18 * HOUR, "2027-03-01T17:59:59+00:00", "2027-03-01T18:00+00:00"),
        ("UTC", 18 * HOUR, "2027-03-01T18:00+00:00", "2027-03-02T18:00+00:00"),
        ("Europe/Berlin", 18 * HOUR, "2027-03-27T18:00+01:00", "2027-03-28T18:00+02:00"),  # forward between them
        ("Europe/Berlin", 2 * HOUR + 1_800, "2027-03-28T00:00+01:00", "2027-03-28T03:00+02:00"),  # 2:30 is left out
        ("Europe/Berlin", 2 * HOUR + 1_800, "2027-03-28T03:00+02:00", "2027-03-29T02:30+02:00"),
        ("Europe/Berlin", 2 * HOUR + 1_800, "2027-10-31T00:00+02:00", "2027-10-31T02:30+02:00"),  # shown twice
        ("Europe/Berlin", 2 * HOUR + 1_800, "2027-10-31T02:30+02:00", "2027-11-01T02:30+01:00"),
        ("Australia/Lord_Howe", 2 * HOUR + 900, "2027-10-02T20:00+10:30", "2027-10-03T02:30+11:00"),
        ("Pacific/Apia", 18 * HOUR, "2011-12-29T18:00-10:00", "2011-12-31T00:00+14:00"),  # the 30th was left out
        ("Pacific/Apia", 18 * HOUR, "2011-12-31T00:00+14:00", "2011-12-31T18:00+14:00"),
    ],
)
def test_a_time_of_the_day_comes_once_a_day(zone: str, time: int, after: str, wanted: str) -> None:
    found = daily(zone, time, int(datetime.fromisoformat(after).timestamp()))
    assert datetime.fromtimestamp(found, UTC) == datetime.fromisoformat(wanted)


@given(
    zone=st.sampled_from(["UTC", "Europe/Rome", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu"]),
    time=st.integers(0, 1_439).map(lambda minute: minute * 60),
    after=st.integers(1_700_000_000, 1_900_000_000),
)
def test_the_next_time_is_never_far(zone: str, time: int, after: int) -> None:
    first = daily(zone, time, after)
    assert after < first <= after + DAY + HOUR
    assert 22 * HOUR <= daily(zone, time, first) - first <= 26 * HOUR
    shown = datetime.fromtimestamp(first, ZoneInfo(zone))
    late = shown.hour * HOUR + shown.minute * 60 - time
    assert late == 0 or 0 < late < HOUR or late == HOUR


# -- a whole game ---


class Resolution:
    """A game of four, each with reports of another kind, and the contents of all letters that were sent."""

    pictures = False

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(AllPages, "mail", self.mail)
        patch.setattr(Bureau, "office", Server)
        self.bureau = Bureau()
        self.sent: list[tuple[int, letters.Message]] = []
        self._dice = random.Random(11)
        self.bureau.open(len(MODES))
        for name, mode in zip(NAMES, MODES, strict=False):
            self.bureau.write(name, f"reports {mode}")
        self.slots = {slot.key for slot in self.bureau.slots}
        self.play()

    def mail(self, content: letters.Message, envelope: Envelope) -> Mail:
        """Nothing is worded here: what is said counts."""
        parts = content.parts if isinstance(content, letters.Gathered) else (content,)
        self.sent += [(self.bureau.clock.now(), part) for part in parts]
        return Mail(message_id=envelope.message_id, to=envelope.to, subject="a letter", text="")

    def play(self) -> None:
        while self.bureau.game.status == "running":
            self.bureau.tick(after=self._dice.randrange(HOUR, 5 * HOUR))
            seat, text = self._order()
            self.bureau.write(seat, text)
            self.slots |= {slot.key for slot in self.bureau.slots}
            assert all(slot.started == slot.opened for slot in self.bureau.slots)  # each question went out at once
            assert len(self.bureau.slots) == len(self.bureau.awaited)
        self.end = len(self.sent)
        for _ in range(5):
            self.bureau.tick(after=DAY)

    def _order(self) -> tuple[str, str]:
        with self.bureau.server.games.work() as desk:
            session = desk.session(desk.game("imp-1"))
            rules: Any = session.rules
            decision = session.pending()[0]
            order = BOTS["greedy"](rules, session.state, decision, self._dice.randrange)
            return decision.seat, rules.notation.write(order)

    def to(self, seat: str, *kinds: type) -> list[Any]:
        return [content for _, content in self.sent if isinstance(content, kinds) and content.seat == seat]

    def stretch(self) -> Stretch:
        with self.bureau.server.games.work() as desk:
            table = desk.games.load(desk.game("imp-1"))
            return whole(table, read_entries(table.rules, desk.repository, "imp-1"))

    def turns(self) -> list[parts.TurnReport]:
        table = self.bureau.server.games.load(self.bureau.game)
        return [turn(table, chapter) for chapter in self.stretch().over[1:]]


@pytest.fixture(scope="module")
def course() -> Resolution:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        return Resolution(patch)


TELLING = (letters.Report, letters.Question, letters.Final)


@pytest.mark.slow
@pytest.mark.parametrize("seat", NAMES[: len(MODES)])
def test_in_a_whole_game_everybody_is_told_every_turn_once_and_in_order(course: Resolution, seat: str) -> None:
    assert [each for letter in course.to(seat, *TELLING) for each in letter.turns] == course.turns()


@pytest.mark.slow
def test_in_a_whole_game_there_is_one_report_of_each_turn(course: Resolution) -> None:
    reports = course.to("anton", letters.Report, letters.Final)
    assert len(reports) == len(course.turns()) > 60
    assert all(len(report.turns) == 1 for report in reports)


@pytest.mark.slow
def test_in_a_whole_game_there_is_one_report_of_each_round_beside_the_questions(course: Resolution) -> None:
    ended = [report for report in course.to("bert", letters.Report) if report.after["round"] > report.turns[-1].round]
    assert all(report in ended for report in course.to("bert", letters.Report) if not report.questions)
    assert len(ended) == course.turns()[-1].round - 1 > 10


@pytest.mark.slow
def test_in_a_whole_game_who_wants_only_his_own_gets_nothing_else(course: Resolution) -> None:
    assert all(letter.questions for letter in course.to("claudia", letters.Report, letters.Question))


@pytest.mark.slow
def test_in_a_whole_game_there_is_one_report_a_day_beside_the_questions(course: Resolution) -> None:
    reports = [(at, each) for at, each in course.sent if isinstance(each, letters.Report) and each.seat == "daniel"]
    plain = [at for at, each in reports if not each.questions]
    assert len(plain) > 5
    assert len({at // DAY for at in plain}) == len(plain)


@pytest.mark.slow
@pytest.mark.parametrize("seat", NAMES[: len(MODES)])
def test_in_a_whole_game_there_is_one_letter_for_each_question(course: Resolution, seat: str) -> None:
    asked = [slot for slot in course.slots if slot.split()[1] == seat]
    asking = [
        letter for letter in course.to(seat, letters.Opening, letters.Report, letters.Question) if letter.questions
    ]
    assert sum(len(letter.questions) for letter in asking) == len(asked) > 20


@pytest.mark.slow
def test_in_a_whole_game_nothing_comes_after_the_end(course: Resolution) -> None:
    assert len(course.sent) == course.end
    assert all(isinstance(content, letters.Final) for _, content in course.sent[-len(MODES) :])
