"""A moderator's powers are read back as they are written."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.host.moderation.commands import MODERATOR_COMMANDS

FIELDS: Mapping[str, Mapping[str, str]] = {
    "strike": {"seat": "anton", "turn": "3"},
    "offer": {"seat": "anton", "whom": "next"},
    "close": {"turn": "12"},
    "pause": {"length": "2 days"},
    "extend": {"seat": "anton", "length": "12h"},
    "deadline": {"seat": "anton", "time": "Sun 18:00"},
    "act_for": {"seat": "anton", "reason": "he phoned"},
    "rewind": {"turn": "10"},
    "correct": {"given": "treasury italy 17; cash anton 3"},
    "option": {"key": "slot_hours", "value": "48", "consent": "all players"},
    "invite": {"address": "anna@example.org", "name": "anna"},
    "seat": {"name": "bert", "address": "bert@example.org"},
    "eject": {"seat": "anton"},
    "bot": {"seat": "anton"},
    "no_bot": {"seat": "anton"},
    "replace": {"seat": "anton", "address": "anna@example.org"},
    "reject": {"petition": "P-1"},
    "validate": {"petition": "P-1"},
    "ruling": {"choice": "yes"},
    "uphold": {"objection": "O-1"},
    "dismiss": {"objection": "O-1"},
    "promote": {"who": "anton"},
    "hand_over": {"who": "anna@example.org"},
}


@pytest.mark.parametrize("name", MODERATOR_COMMANDS.by_name)
def test_what_is_made_of_a_power_is_read_as_that_power(name: str) -> None:
    made = MODERATOR_COMMANDS.by_name[name].written(FIELDS.get(name, {}), "the reason")
    text = made.text if name != "act_for" else "act for anton, he phoned: the reason"
    (read,), prose = MODERATOR_COMMANDS.read([text])
    assert (read.command, read.fields, read.why, prose) == (made.command, made.fields, made.why, [])


@pytest.mark.parametrize(
    ("name", "fields", "text"),
    [
        ("pause", {"length": ""}, "pause"),
        ("invite", {"address": "anna@example.org", "name": ""}, "invite anna@example.org"),
        ("option", {"key": "slot_hours", "value": "48", "consent": ""}, "option slot_hours = 48"),
    ],
)
def test_what_is_not_given_is_left_out(name: str, fields: Mapping[str, str], text: str) -> None:
    assert MODERATOR_COMMANDS.by_name[name].written(fields).text == text
