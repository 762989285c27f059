"""A deadline for the player's own calendar (RFC 5545), as a file that goes with a letter."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pbem.host.ports import Attachment
from pbem.host.reporting.calendar_events import Appointment

AHEAD = timedelta(hours=1)  # the alarm before the deadline
BEFORE_US = 1_577_836_800  # 2020: a sequence counted from here fits its 31 bits until 2088


def deadline_ics(one: Appointment, *, summary: str, organizer: str) -> bytes:
    """The deadline as an event that takes no time and blocks none, with an alarm; the same facts give the same bytes.

    What became true later takes the place of what was true before (RFC 5546 section 3.2.1); what is over is called off
    (section 3.2.5). Nobody is asked to reply. `organizer` is our address.
    """
    from icalendar import Alarm, Calendar, Event  # noqa: PLC0415 - it takes long, and only letters need it

    event = Event()
    event.add("uid", one.uid)
    event.add("sequence", max(0, one.since - BEFORE_US))
    event.add("dtstamp", datetime.fromtimestamp(one.since, UTC))
    event.add("dtstart", datetime.fromtimestamp(one.at, UTC))
    event.add("summary", summary)
    event.add("organizer", f"mailto:{organizer}")
    event.add("transp", "TRANSPARENT")
    if one.over:
        event.add("status", "CANCELLED")
    else:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", summary)
        alarm.add("trigger", -AHEAD)
        event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", "-//pbem//adjudicator//EN")
    calendar.add("version", "2.0")
    calendar.add("method", _method(one))
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def attached(one: Appointment, summary: str, organizer: str, number: int = 1) -> Attachment:
    """The file as it travels with a mail (RFC 6047 section 2.4), the `number`th of its letter."""
    name = "answered" if one.over else "deadline"
    return Attachment(
        name=f"{name}.ics" if number == 1 else f"{name}-{number}.ics",
        type=f"text/calendar; method={_method(one)}; charset=utf-8",
        data=deadline_ics(one, summary=summary, organizer=organizer),
    )


def _method(one: Appointment) -> str:
    return "CANCEL" if one.over else "PUBLISH"
