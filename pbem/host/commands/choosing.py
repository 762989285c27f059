"""What people choose for themselves, in answer to a letter about a season: it counts for all letters to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pbem.host.commands.league import LeagueCommand, LeagueContext
from pbem.host.commands.personal import CALENDAR, LANGUAGE, ZONE, brings_calendar, language, zone
from pbem.host.messages.replies import Line, Reply
from pbem.host.messages.rows import problem
from pbem.language.command import Command


def _choice(command: Command, field: str, read: Callable[[str], Any]) -> LeagueCommand:
    """The same word as in a game."""
    english, german, italian = command.words

    def choose(context: LeagueContext) -> Reply:
        person = replace(context.somebody, **{field: read(context.wish.what)})
        context.work.repository.save_person(person)
        line = Line(text=context.request.text, outcome="done", line=1)
        return replace(problem(""), problem=None, season=context.desk().tag, lines=(line,))

    return LeagueCommand(name=f"league_{command.name}", words=(english, german, italian), takes="choice", do=choose)


CHOICE_COMMANDS = (
    _choice(LANGUAGE, "language", language),
    _choice(ZONE, "zone", zone),
    _choice(CALENDAR, "calendar", brings_calendar),
)
