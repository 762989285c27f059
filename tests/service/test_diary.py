"""Files for the reader's calendar: which letters bring them, and what a calendar that takes all of them shows."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default

import pytest
from icalendar import Calendar, Component

from pbem.adapters.composing import FromAddress, compose
from pbem.core.languages import LANGUAGES
from pbem.host.messages.rows import mark
from pbem.host.ports import Attachment, Mail
from tests.fakes import FakePostman
from tests.service.bureau import DAY, HOST, HOUR, Bureau, address
from tests.service.test_moderation import MODERATOR, appoint

IMPORT = "austria: import A lemberg"


@pytest.fixture
def bureau(begun: Bureau) -> Bureau:
    begun.write("bert", "calendar yes")
    return begun


def files(mail: Mail) -> list[Attachment]:
    return [one for one in mail.attachments if one.type.startswith("text/calendar")]


def events(mails: list[Mail], who: str = "bert") -> list[tuple[str, Component]]:
    """The methods and the events of the files in somebody's letters, in their order."""
    found = []
    for mail in mails:
        for file in files(mail) if mail.to == address(who) else ():
            calendar = Calendar.from_ical(file.data)
            found += [(str(calendar["method"]), event) for event in calendar.walk("VEVENT")]
    return found


class Phone:
    """A calendar as RFC 5546 wants it: of two files about one event the one with the greater number counts."""

    def __init__(self, mails: list[Mail], who: str = "bert") -> None:
        self.known: dict[str, tuple[int, int | None]] = {}
        for method, event in events(mails, who):
            number, at = int(event["sequence"]), int(event.decoded("dtstart").timestamp())
            if number >= self.known.get(str(event["uid"]), (-1, None))[0]:
                self.known[str(event["uid"])] = (number, at if method == "PUBLISH" else None)

    @property
    def shows(self) -> list[int]:
        return sorted(at for _, at in self.known.values() if at is not None)


def test_nobody_gets_files_who_has_not_asked(lots: None) -> None:
    made = Bureau()
    made.open()
    made.write("anton", IMPORT)
    made.tick(DAY + HOUR)
    assert [mail for mail in made.postman.sent if files(mail)] == []


def test_your_move_brings_the_deadline_and_only_to_whoever_is_asked(bureau: Bureau) -> None:
    sent = bureau.write("anton", IMPORT)
    assert [mail.to for mail in sent if files(mail)] == [address("bert")]
    ((method, event),) = events(sent)
    assert (method, str(event["organizer"]), event["transp"]) == ("PUBLISH", f"mailto:{HOST}", "TRANSPARENT")
    assert event.decoded("dtstart") == datetime.fromtimestamp(bureau.slot.deadline or 0, UTC)
    assert str(event["summary"]) == "[imp-1] Deadline: Italy’s turn"
    assert event["uid"] == f"imp-1.{mark(bureau.slot.key)}@pbem.test"
    assert bureau.ticket("bert").encode() not in b"".join(file.data for mail in sent for file in files(mail))


def test_an_answer_takes_it_out_in_the_letter_that_answers(bureau: Bureau) -> None:
    asked = bureau.write("anton", IMPORT)
    sent = bureau.write("bert", "italy: import A rome")
    ((method, event),) = events(sent)
    assert (method, event["status"], event["uid"]) == ("CANCEL", "CANCELLED", events(asked)[0][1]["uid"])
    assert [mail.answers for mail in sent if files(mail)] == [True]
    assert Phone([*asked, *sent]).shows == []


def test_what_the_clock_has_answered_is_taken_out_by_the_report(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    sent = bureau.tick(DAY + HOUR)
    ((method, _),) = events(sent)
    assert method == "CANCEL"
    assert Phone(bureau.postman.sent).shows == []


def test_reminders_bring_none(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    reminded = [mail for _ in range(23) for mail in bureau.tick(HOUR) if mail.to == address("bert")]
    assert len(reminded) == 3
    assert [mail for mail in reminded if files(mail)] == []


def test_a_deadline_that_moves_is_moved_by_the_letter_that_tells_of_it(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    bureau.write("anton", IMPORT)
    for words in ("pause 2 days: a holiday", "extend bert 5h: he asked", "resume: all are back"):
        bureau.clock.advance(60)
        bureau.write(MODERATOR, words)
        assert Phone(bureau.postman.sent).shows == [bureau.slot.deadline], words
    numbers = [int(event["sequence"]) for _, event in events(bureau.postman.sent)]
    assert numbers == sorted({*numbers})
    assert len({str(event["uid"]) for _, event in events(bureau.postman.sent)}) == 1


def test_while_nobody_knows_the_deadline_the_calendar_shows_none(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    bureau.write("anton", IMPORT)
    bureau.clock.advance(60)
    bureau.write(MODERATOR, "pause: till we know")
    assert Phone(bureau.postman.sent).shows == []
    bureau.clock.advance(60)
    bureau.write(MODERATOR, "resume: we know")
    assert Phone(bureau.postman.sent).shows == [bureau.slot.deadline]


def test_other_news_brings_none_again(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    sent = bureau.write("claudia", "petition clarify Fleets")
    assert events(sent) == []


def test_each_question_has_an_event_of_its_own(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    bureau.write("bert", "italy: import A rome")
    bureau.given("rondel france factory", "turn france", "fleet france w med 1", "fleet italy ionian 1")
    sent = bureau.write("claudia", "france: maneuver F w med - ionian")
    ((method, event),) = events(sent)
    assert method == "PUBLISH"
    assert str(event["summary"]) == "[imp-1] Deadline: whether Italy fights"
    assert Phone(bureau.postman.sent).shows == [slot.deadline for slot in bureau.slots if slot.seat == "bert"]


def test_who_chooses_in_the_middle_of_his_turn_gets_it_with_the_answer(bureau: Bureau) -> None:
    (sent,) = bureau.write("anton", "Kalender ja")
    assert bureau.outcomes("anton") == [("set", None)]
    assert Phone([sent], "anton").shows == [bureau.slot.deadline]
    assert "bring a file for your calendar" in " ".join(sent.text.split())
    assert "bring a file for your calendar" in str(sent.html)


def test_the_choice_is_kept_in_all_his_games_and_can_be_taken_back(bureau: Bureau) -> None:
    bureau.restart()
    (told,) = bureau.write("bert", "calendar")
    assert bureau.outcomes("bert") == [("shown", None)]
    assert "bring a file" in " ".join(told.text.split())
    bureau.write("bert", "calendar no")
    assert events(bureau.write("anton", IMPORT)) == []


@pytest.mark.parametrize("words", ["calendar maybe", "Kalender vielleicht"])
def test_neither_yes_nor_no_changes_nothing(bureau: Bureau, words: str) -> None:
    (told,) = bureau.write("bert", words)
    assert bureau.outcomes("bert") == [("refused", "calendar.unclear")]
    assert "calendar yes, calendar no" in " ".join(told.text.split())


@pytest.mark.parametrize("language", [*LANGUAGES])
def test_every_language_has_its_words_and_its_help(bureau: Bureau, language: str) -> None:
    words = {"en": "calendar yes", "de": "Kalender ja", "it": "calendario sì"}[language]
    bureau.write("anton", f"language {language}\n{words}")
    assert bureau.outcomes("anton") == [("set", None)] * 2
    (told,) = bureau.write("anton", "help calendar")
    assert words in " ".join(told.text.split())
    sent = bureau.write("claudia", f"language {language}\n{words}\nzone UTC")
    assert events(sent, "claudia") == []


class Crashing(FakePostman):
    """Hands a letter to Bert over, and then the machine goes down."""

    def send(self, mail: Mail) -> None:
        super().send(mail)
        if mail.to == address("bert"):
            raise KeyboardInterrupt


def test_a_repeated_delivery_brings_the_same_file(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    bureau.write("anton", IMPORT)
    bureau.clock.advance(60)
    bureau.drop(MODERATOR, "extend bert 5h: he asked")
    crashing = Crashing()
    with pytest.raises(KeyboardInterrupt):
        bureau.tick_with(crashing)
    bureau.restart()
    bureau.clock.advance(600)
    sent = [*crashing.sent, *bureau.tick()]
    mine = [mail for mail in sent if mail.to == address("bert") and files(mail)]
    assert len(mine) == 2
    assert len({file.data for mail in mine for file in files(mail)}) == 1


def test_the_file_stands_beside_the_letter_as_phones_like_it(bureau: Bureau) -> None:
    (mail,) = [mail for mail in bureau.write("anton", IMPORT) if files(mail)]
    message = message_from_bytes(compose(mail, FromAddress(address=HOST), 0), policy=default)
    assert message.get_content_type() == "multipart/mixed"
    letter, page, file = message.iter_parts()
    assert (page.get_content_type(), page.get_filename()) == ("text/html", "order-italy.html")
    assert letter.get_content_type() == "multipart/alternative"
    assert (file.get_content_type(), file.get_param("method")) == ("text/calendar", "PUBLISH")
    assert (file.get_content_disposition(), file.get_filename()) == ("attachment", "deadline.ics")
    assert next(part.get_content_type() for part in letter.iter_parts()) == "text/plain"


def test_what_a_deputy_has_answered_is_taken_out_of_the_players_calendar(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    bureau.write("bert", "away until tomorrow deputy claudia")
    assert len(Phone(bureau.postman.sent).shows) == 1
    bureau.write("claudia", "calendar yes")
    bureau.write("claudia", "as bert: italy: import A rome")
    assert bureau.outcomes("claudia")[0] == ("played", None)
    assert Phone(bureau.postman.sent).shows == []
    assert Phone(bureau.postman.sent, "claudia").shows == [bureau.slot.deadline]
