"""What people choose for themselves, in answer to a letter about a season: it counts for all letters to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pbem.host.commands.league import LeagueCommand, LeagueContext, as_in_games
from pbem.host.commands.personal import (
    ADDRESS,
    CALENDAR,
    LANGUAGE,
    PAGE,
    ZONE,
    brings_calendar,
    language,
    wants_page,
    zone,
)
from pbem.host.lobby.addresses import change, listed
from pbem.host.messages.replies import Line, Reply
from pbem.host.messages.rows import problem
from pbem.language.command import Command


def _choice(command: Command, field: str, read: Callable[[str], Any]) -> LeagueCommand:
    """The same word as in a game."""

    def choose(context: LeagueContext) -> Reply:
        person = replace(context.somebody, **{field: read(context.wish.what)})
        context.work.repository.save_person(person)
        line = Line(text=context.request.text, outcome="done", line=1)
        return replace(problem(""), problem=None, season=context.desk().tag, lines=(line,))

    return LeagueCommand(name=f"league_{command.name}", words=as_in_games(command), takes="choice", do=choose)


def _address(context: LeagueContext) -> Reply:
    """From where they may write, and where our letters go."""
    written = context.request.text.partition(" ")[2].strip()
    person, _ = change(context.work, context.somebody, written, context.now)
    line = Line(text=context.request.text, outcome="done", line=1)
    told = (listed(context.work, person),)
    return replace(problem(""), problem=None, season=context.desk().tag, lines=(line,), told=told)


CHOICE_COMMANDS = (
    _choice(PAGE, "page", wants_page),
    LeagueCommand(name="league_address", words=as_in_games(ADDRESS), takes="choice", do=_address),
    _choice(LANGUAGE, "language", language),
    _choice(ZONE, "zone", zone),
    _choice(CALENDAR, "calendar", brings_calendar),
)
