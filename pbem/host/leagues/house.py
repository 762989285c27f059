"""What this server has, as far as leagues depend on it, and what the games of a league are played by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from pbem.core.game import AnyGame, AnyRules, load
from pbem.core.seat import Seat, Setup
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.session.terms import Terms, in_force
from pbem.host.session.unit_of_work import Games, UnitOfWork
from pbem.language.tokens import fold
from pbem.language.words import TABLES
from pbem.league.limits import House, Mistake
from pbem.league.settings import Settings

_OF_SETUP = ("edition", "setup")
_WORD = re.compile(r"[a-z]{2,12}")


def house(work: UnitOfWork, policy: LobbyPolicy, now: int) -> House:
    """By which the settings of a league are checked."""
    games = work.games.registry
    return House(
        now=now,
        games={id_: game.players for id_, game in games.items()},
        scored=[id_ for id_, game in games.items() if _has_scores(game)],
        templates=[*policy.templates],
        reserved={*(game.tag for game in games.values()), *_words(work.games), *_taken(work)},
        options=lambda settings: [*_of_options(work.games, policy, settings)],
    )


def _has_scores(game: AnyGame) -> bool:
    setup = replace(game.usual, seats=_seats(min(game.players)))
    rules: AnyRules = game.load(setup)
    return rules.standing(rules.blank(setup)) is not None


def _words(games: Games) -> Iterator[str]:
    """All that can be said in one word: a league of that name could not be told from it."""
    ways = [way for kind in TABLES.values() for each in kind.values() for way in each]
    commands = [way for command in games.commands.by_name.values() for way in command.ways]
    requests = [
        way for each in games.commands.requests.by_name.values() for ways in each.words for way in ways.split("|")
    ]
    return (word for way in (*ways, *commands, *requests) if _WORD.fullmatch(word := fold(way)))


def _taken(work: UnitOfWork) -> Iterator[str]:
    """Leagues that go on: one that has come to its end may have another season."""
    for league in work.repository.leagues():
        last = work.repository.seasons(league.name)[-1]
        if not work.season(last.tag).season.is_over:
            yield league.name


# -- what is played ---


def league_terms(games: Games, policy: LobbyPolicy, settings: Settings) -> Terms:
    """What the games of a league are played by. Raises `ValueError`."""
    plain = policy.templates[settings.template] if settings.template else policy.plain
    options = {key: str(value) for key, value in settings.options.items()}
    named = {key: options.pop(key) for key in _OF_SETUP if key in options}
    table, setup = settings.table, replace(plain.setup, game=settings.game, **named)
    base = replace(plain, setup=setup, press=table.press, anonymous=table.anonymous, places=0)
    try:
        terms = games.filled(in_force(base, tuple(options.items())))
    except msgspec.ValidationError as problem:
        raise ValueError(str(problem)) from None
    games.check(seated(terms, settings.table.players))
    return terms


def seated(terms: Terms, players: int) -> Terms:
    """A table of that size, of nobody in particular."""
    return replace(terms, setup=replace(terms.setup, seats=_seats(players)))


def _seats(players: int) -> tuple[Seat, ...]:
    return tuple(Seat(f"player{number}") for number in range(1, players + 1))


def _of_options(games: Games, policy: LobbyPolicy, settings: Settings) -> Iterator[Mistake]:
    if settings.game not in games.registry or (settings.template and settings.template not in policy.templates):
        return
    seats = games.registry[settings.game].players
    if settings.table.players not in seats:  # which is told by itself
        settings = replace(settings, table=replace(settings.table, players=min(seats)))
    try:
        league_terms(games, policy, settings)
    except ValueError as problem:
        yield Mistake(way=("options",), code="option.value", facts={"problem": str(problem)})


def positions_of(games: Games, terms: Terms, settings: Settings) -> Mapping[int, tuple[str, ...]]:
    """What sets seats apart at a table of each size that the game has: which it will be may still be set."""
    sizes = games.registry[settings.game].players
    return {size: _positions(games, seated(terms, size).setup) for size in sorted(sizes)}


def _positions(games: Games, setup: Setup) -> tuple[str, ...]:
    return tuple(load(games.registry, setup).positions(setup))
