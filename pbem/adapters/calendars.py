"""A deadline for the player's own calendar (RFC 5545), as a file that goes with a letter."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pbem.service.ports import Attachment

AHEAD = timedelta(hours=1)  # the alarm before the deadline
BEFORE_US = 1_577_836_800  # 2020: a sequence counted from here fits its 31 bits until 2088


def deadline_ics(*, uid: str, summary: str, at: int, composed: int, organizer: str, url: str | None = None) -> bytes:
    """The deadline as an event that takes no time and blocks none, with an alarm; the same facts give the same bytes.

    `uid` names the question and is the same in every letter about it: then one that is composed later takes the
    place of an earlier one (RFC 5546 section 3.2.1). `organizer` is our address.
    """
    from icalendar import Alarm, Calendar, Event  # noqa: PLC0415 - it takes long, and only letters need it

    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", summary)
    alarm.add("trigger", -AHEAD)
    event = Event()
    event.add("uid", uid)
    event.add("sequence", composed - BEFORE_US)
    event.add("dtstamp", datetime.fromtimestamp(composed, UTC))
    event.add("dtstart", datetime.fromtimestamp(at, UTC))
    event.add("summary", summary)
    event.add("organizer", f"mailto:{organizer}")
    event.add("transp", "TRANSPARENT")
    if url is not None:
        event.add("url", url)
    event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", "-//pbem//adjudicator//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def attached(ics: bytes, name: str) -> Attachment:
    """The file as it travels with a mail (RFC 6047 section 2.4)."""
    return Attachment(name=name, type="text/calendar; method=PUBLISH; charset=utf-8", data=ics)
