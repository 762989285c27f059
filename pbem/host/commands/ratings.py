"""Words about people in leagues: what somebody's rating is, and how leagues call whoever writes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.commands.league import LeagueCommand, LeagueContext
from pbem.host.leagues.naming import among, called, people_of
from pbem.host.messages.leagues import RatingStep, RatingTold
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import problem
from pbem.host.session.names import NAMELESS
from pbem.language.tokens import fold
from pbem.league.ratings import NEW, Step

LAST = 10  # games that are told
_ALIAS = re.compile(r"[^\W\d_](?:[\w .'’-]{0,28}[\w.])?")
_NUMBERED = re.compile(r".*\bplayer\s*\d+.*|.*\b(?:spieler|giocatore)\s*\d+.*", re.IGNORECASE)


def _rating(context: LeagueContext) -> Reply:
    """Of whoever asks, or of somebody else; in each game of the registry that they have a rating in."""
    kinds = [game.id for game in context.work.games.registry.values()]
    steps = {kind: context.work.repository.newest_steps(kind) for kind in kinds}
    rated = {person for newest in steps.values() for person in newest}
    person = among(context.work, rated, context.wish.whom) if context.wish.whom else context.reader
    if person is None or person not in rated:
        raise Illegal("league.no_rating")
    known = [kind for kind in kinds if person in steps[kind]]
    told = (_told(context, kind, person, context.work.repository.steps_of(kind, person)) for kind in known)
    return replace(problem(""), problem=None, told=tuple(told))


def _told(context: LeagueContext, kind: str, person: int, steps: Sequence[Step]) -> RatingTold:
    before = [NEW.shown, *(step.rating.strength.shown for step in steps)]
    changes = [
        RatingStep(game=step.game, at=step.end, before=was, after=step.rating.strength.shown)
        for was, step in zip(before, steps, strict=False)
    ]
    return RatingTold(
        kind=kind,
        name=called(context.work, person),
        own=person == context.reader,
        rating=before[-1],
        best=max(before[1:]),
        settled=steps[-1].rating.settled(),
        games=len(steps),
        steps=tuple(reversed(changes[-LAST:])),
    )


# -- how they are called ---


def _alias(context: LeagueContext) -> Reply:
    """Nobody is called as somebody else is, or as a number."""
    name = " ".join(context.wish.whom.split())
    if not _ALIAS.fullmatch(name) or _NUMBERED.fullmatch(name):
        raise Illegal("league.alias", read=name)
    others = {each for league in context.work.repository.leagues() for each in people_of(context.work, league.name)}
    if fold(name) in {fold(called(context.work, each)) for each in others - {context.somebody.id}}:
        raise Illegal("league.alias_taken", read=name)
    return _call(context, name)


def _call(context: LeagueContext, alias: str | None) -> Reply:
    """The pages of seasons under way follow; honours stay as they were."""
    repository, person = context.work.repository, context.somebody
    repository.save_person(replace(person, alias=alias))
    for row in repository.seasons_of(person.id):
        course = context.work.season(row.season).course
        if course.season.ended is None:
            repository.set_season_moved(row.season, course.last.seq)
    name = called(context.work, person.id)
    return problem("league.called", name=name, hidden=alias == NAMELESS)


RATING_COMMANDS = (
    LeagueCommand(name="rating", words=("rating", "Wertungszahl", "punteggio"), takes="whom", do=_rating, tells=True),
    LeagueCommand(name="alias", words=("alias", "Alias", "alias"), takes="whom", do=_alias),
    LeagueCommand(
        name="real_name", words=("real name", "Klarname", "nome vero"), do=lambda context: _call(context, None)
    ),
    LeagueCommand(
        name="no_name", words=("no name", "kein Name", "nessun nome"), do=lambda context: _call(context, NAMELESS)
    ),
)
