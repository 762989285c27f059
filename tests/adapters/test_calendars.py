"""The deadline for the player's calendar: what the file says, and that a later one takes an earlier one's place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default

import pytest
from icalendar import Calendar, Component

from pbem.adapters.calendars import attached, deadline_ics
from pbem.adapters.composing import FromAddress, compose
from pbem.host.ports import Mail
from pbem.host.reporting.calendar_events import Appointment

GM = "gm@pbem.test"
UID = "imp-1.7.bert.turn.italy@pbem.test"
COMPOSED, AT = 1_772_539_200, 1_772_625_600  # Tue 3 Mar 2026, 12:00 UTC, and a day later
SUMMARY = (
    "[imp-1] Österreich-Ungarn ist am Zug; sonst, ganz ohne dich, wird der Zug ausgelassen: \\ 你好 \U0001f682 bis dann"
)


def made(**other) -> bytes:
    words = {"summary": SUMMARY, "organizer": GM} | {k: v for k, v in other.items() if k == "summary"}
    return deadline_ics(one(**{k: v for k, v in other.items() if k != "summary"}), **words)


def one(**other) -> Appointment:
    facts = {"uid": UID, "kind": "turn", "about": "italy", "at": AT, "since": COMPOSED, "over": False, **other}
    return Appointment(**facts)


def event(ics: bytes) -> Component:
    (found,) = Calendar.from_ical(ics).walk("VEVENT")
    return found


def test_the_event_is_the_deadline():
    found = event(made())
    assert found.decoded("dtstart") == datetime.fromtimestamp(AT, UTC)
    assert found.decoded("dtstamp") == datetime.fromtimestamp(COMPOSED, UTC)
    assert (str(found["uid"]), str(found["summary"]), str(found["organizer"])) == (UID, SUMMARY, f"mailto:{GM}")
    assert found["transp"] == "TRANSPARENT"
    assert found.errors == []


def test_an_alarm_goes_off_an_hour_before():
    (alarm,) = event(made()).walk("VALARM")
    assert (alarm["action"], alarm["description"]) == ("DISPLAY", SUMMARY)
    assert alarm.decoded("trigger") == -timedelta(hours=1)


def test_a_later_letter_takes_the_place_of_an_earlier_one():
    """The same uid, and a sequence that only grows (RFC 5545 section 3.8.7.4), far from its greatest value."""
    first, later = event(made()), event(made(at=AT + 3_600, since=COMPOSED + 1))
    assert first["uid"] == later["uid"]
    assert 0 <= first["sequence"] < later["sequence"] < 2**31


def test_the_file_is_published_in_utc_with_short_lines():
    ics = made()
    assert b"\r\nMETHOD:PUBLISH\r\n" in ics
    assert b"\r\nDTSTART:20260304T120000Z\r\n" in ics
    assert ics.endswith(b"END:VCALENDAR\r\n")
    assert max(map(len, ics.split(b"\r\n"))) <= 75  # octets (RFC 5545 section 3.1)
    assert b"\n" not in ics.replace(b"\r\n", b"")
    assert ics == made()


def test_what_is_over_is_called_off_without_an_alarm():
    ics = made(over=True)
    assert b"\r\nMETHOD:CANCEL\r\n" in ics
    assert (event(ics)["status"], event(ics)["uid"], event(ics).walk("VALARM")) == ("CANCELLED", UID, [])
    assert "attendee" not in event(ics)


@pytest.mark.parametrize("field", ["uid", "summary"])
def test_no_text_begins_another_property(field):
    found = event(made(**{field: "a\r\nATTENDEE:mailto:x@pbem.test\nb"}))
    assert "attendee" not in found
    assert len(found) == len(event(made()))


def test_it_travels_with_a_mail_as_it_is():
    file = attached(one(), SUMMARY, GM)
    mail = Mail(message_id="<1@pbem.test>", to="anna@pbem.test", subject="x", text="x\n", attachments=(file,))
    message = message_from_bytes(compose(mail, FromAddress(address=GM), COMPOSED), policy=default)
    (part,) = [part for part in message.walk() if part.get_content_type() == "text/calendar"]
    assert part.get_payload(decode=True) == made()
    assert part.get_param("method") == "PUBLISH"
    assert part.get_filename() == "deadline.ics"
