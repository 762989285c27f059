"""Instants for people's own calendars (RFC 5545): deadlines that go with a letter, dates that lie on a page."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.host.ports import Attachment
from pbem.host.reporting.calendar_events import Appointment

if TYPE_CHECKING:
    from icalendar import Calendar
    from icalendar import Event as Component

AHEAD = timedelta(hours=1)  # the alarm before the deadline
BEFORE_US = 1_577_836_800  # 2020: a sequence counted from here fits its 31 bits until 2088


class Event(Struct, frozen=True, kw_only=True):
    """An instant as a calendar shows it; seconds UTC."""

    uid: str
    at: int
    since: int  # when it was set so: what is true later takes the place of what was true before
    summary: str


def deadline_ics(one: Appointment, *, summary: str, organizer: str) -> bytes:
    """The deadline as an event that takes no time and blocks none, with an alarm; the same facts give the same bytes.

    What became true later takes the place of what was true before (RFC 5546 section 3.2.1); what is over is called off
    (section 3.2.5). Nobody is asked to reply. `organizer` is our address.
    """
    from icalendar import Alarm  # noqa: PLC0415 - it takes long, and only letters need it

    event = _component(Event(uid=one.uid, at=one.at, since=one.since, summary=summary))
    event.add("organizer", f"mailto:{organizer}")
    if one.over:
        event.add("status", "CANCELLED")
    else:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", summary)
        alarm.add("trigger", -AHEAD)
        event.add_component(alarm)
    return bytes(_calendar([event], _method(one)).to_ical())


def dates_ics(events: Iterable[Event]) -> bytes:
    """Dates that anybody may take along, as events that take no time and block none."""
    return bytes(_calendar([_component(event) for event in events], "PUBLISH").to_ical())


def _component(one: Event) -> Component:
    from icalendar import Event as Component  # noqa: PLC0415 - as above

    event = Component()
    event.add("uid", one.uid)
    event.add("sequence", max(0, one.since - BEFORE_US))
    event.add("dtstamp", datetime.fromtimestamp(one.since, UTC))
    event.add("dtstart", datetime.fromtimestamp(one.at, UTC))
    event.add("summary", one.summary)
    event.add("transp", "TRANSPARENT")
    return event


def _calendar(events: Iterable[Component], method: str) -> Calendar:
    from icalendar import Calendar  # noqa: PLC0415 - as above

    calendar = Calendar()
    calendar.add("prodid", "-//pbem//adjudicator//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for event in events:
        calendar.add_component(event)
    return calendar


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
