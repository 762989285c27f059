"""The entrants of a season ask each other and vote; what they decide is done at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.voting import MOST_OPEN
from pbem.host.calendar.zones import DAY
from pbem.host.governance.suspensions import read_suspension
from pbem.host.leagues.halting import break_off, pause_games
from pbem.host.leagues.naming import named
from pbem.host.ports import Person
from pbem.host.season.telling import tell
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.ballots import Ballot, Vote
from pbem.language.petitions import Motion, read_organiser
from pbem.league import acts
from pbem.league.changes import value_of, with_key
from pbem.league.council import (
    MAJORITIES,
    binds_at_once,
    check_petition,
    check_taken_back,
    check_vote,
    electors,
    name,
    open_petitions,
    result,
)
from pbem.league.limits import House
from pbem.league.log import CLOCK, player
from pbem.league.state import Petition

KINDS = tuple(MAJORITIES)
VOTES: Mapping[Vote, Literal["for", "against", "abstain"]] = {
    "for": "for",
    "against": "against",
    "quorum": "abstain",
}  # as acts call what people say


class Elector:
    """Somebody in a season who asks the others, or votes; `via` is as the log has it."""

    def __init__(self, work: UnitOfWork, desk: SeasonDesk, person: Person, now: int, via: str | None, house: House):
        self._work = work
        self._desk = desk
        self._person = person
        self._now = now
        self._via = via
        self._house = house

    def post(self, motion: Motion) -> acts.Petitioned:
        """Ask the others. Raises `Illegal`; then nothing has changed."""
        season, asked = self._desk.season, self._asked(motion)
        check_petition(season, asked, self._house)
        self._check_often()
        self._enter(asked)
        return asked

    def _asked(self, motion: Motion) -> acts.Petitioned:
        season, kind = self._desk.season, motion.kind
        if kind == "resume" or kind == "remove" or kind == "finish":
            raise Illegal("league.no_kind", read=kind, candidates=KINDS)
        asked = acts.Petitioned(
            number=max(season.petitions, default=0) + 1,
            person=self._person.id,
            kind=kind,
            title=motion.said,
            text=motion.text,
            sets=motion.sets,
            electors=electors(season),
            closes=self._now + season.settings.petitions.days * DAY,
        )
        return self._replaced(asked) if kind == "replace" else self._suspended(asked) if kind == "suspend" else asked

    def _suspended(self, asked: acts.Petitioned) -> acts.Petitioned:
        wished = read_suspension(asked.title, self._person.zone, self._now)
        return replace(asked, length=wished.length, start=wished.start, title=wished.why)

    def _replaced(self, asked: acts.Petitioned) -> acts.Petitioned:
        """Without an address, since logs are published."""
        whom = read_organiser(asked.title)
        if whom is None:
            raise Illegal("league.by_whom")
        known = self._work.repository.person_at(whom.address) if whom.address else None
        person = known.id if known else named(self._work, self._desk.season, whom.who)
        return replace(asked, whom=person, title=whom.why)

    def _check_often(self) -> None:
        """Each is a letter to everybody; what was taken back counts, too."""
        mine = [each.at for each in self._desk.season.petitions.values() if each.asked.person == self._person.id]
        fresh = sorted(at for at in mine if at > self._now - DAY)
        if len(fresh) >= MOST_OPEN:
            raise Illegal("told.day", most=MOST_OPEN, at=fresh[0] + DAY)

    def vote(self, number: int, ballot: Ballot) -> acts.Voted | acts.TakenBack:
        """Vote, or take one's own petition back. Raises `Illegal`; then nothing has changed."""
        if ballot.vote is None:
            check_taken_back(self._desk.season, self._person.id, number)
            back = acts.TakenBack(number=number)
            self._enter(back)
            return back
        before = check_vote(self._desk.season, self._person.id, number).votes.get(self._person.id)
        vote = acts.Voted(number=number, person=self._person.id, vote=VOTES[ballot.vote], comment=ballot.comment)
        if before is None or (before.vote, before.comment) != (vote.vote, vote.comment):
            self._enter(replace(vote, salt=self._work.games.secrets.randbytes(16).hex()))
            count(self._work, self._desk, self._now)
        return vote

    def accept(self, number: int) -> None:
        """Lead the league, as the entrants have voted. Raises `Illegal`; then nothing has changed."""
        petition = self._desk.season.petitions.get(number)
        if petition is None or petition.status != "passed" or petition.asked.whom != self._person.id:
            raise Illegal("league.not_asked", name=name(number))
        for leaves in self._desk.season.leaders or (None,):
            if leaves != self._person.id:
                self._enter(acts.HandedOver(person=self._person.id, leaves=leaves))

    def _enter(self, act: acts.Act) -> None:
        self._desk.enter(self._now, player(self._person.id), act, self._via)
        tell(self._work, self._desk, self._now)


def petition_answered(references: Sequence[str], season: str) -> int | None:
    """The petition that the newest letter of ours was about which somebody answers."""
    own = re.compile(rf"<{re.escape(season)}\.petition\.(\d+)\.")
    return next((int(found[1]) for each in reversed(references) if (found := own.match(each))), None)


# -- what follows ---


def count(work: UnitOfWork, desk: SeasonDesk, now: int, *, over: bool = False) -> None:
    """Close the petitions that are decided by now, whoever has not voted yet; all of them when the season is `over`."""
    for number in open_petitions(desk.season):
        petition = desk.season.petitions[number]
        passed = result(petition, petition.asked.closes if over else now)
        if passed is not None:
            _decide(work, desk, petition, passed, now)
    tell(work, desk, now)


def _decide(work: UnitOfWork, desk: SeasonDesk, petition: Petition, passed: bool, now: int) -> None:
    asked = petition.asked
    desk.enter(now, CLOCK, acts.Decided(number=asked.number, passed=passed))
    if passed:
        _CARRY_OUT.get(asked.kind, _nothing)(work, desk, asked, now)


def _nothing(_work: UnitOfWork, _desk: SeasonDesk, _asked: acts.Petitioned, _now: int) -> None:
    """Its words bind, or somebody has to say yes first."""


def _set(_work: UnitOfWork, desk: SeasonDesk, asked: acts.Petitioned, now: int) -> None:
    """What binds from the next season on stands in the petition itself."""
    for key, value in asked.sets:
        if not binds_at_once(key):
            continue
        was = value_of(desk.season.settings, key)
        own = value_of(with_key(desk.season.settings, key, value), key)
        desk.enter(now, CLOCK, acts.Set(key=key, value=own, was=was, consent=name(asked.number), why=asked.title))


def _suspend(work: UnitOfWork, desk: SeasonDesk, asked: acts.Petitioned, now: int) -> None:
    start = max(now, asked.start or now)
    why = f"{name(asked.number)} {asked.title}".strip()
    desk.enter(now, CLOCK, acts.Paused(start=start, end=start + asked.length, why=why))
    pause_games(work, desk, start, start + asked.length, why, now)


def _abort(work: UnitOfWork, desk: SeasonDesk, asked: acts.Petitioned, now: int) -> None:
    break_off(work, desk, asked.number, asked.title, now)


_CARRY_OUT: Mapping[str, Callable[[UnitOfWork, SeasonDesk, acts.Petitioned, int], None]] = {
    "change": _set,
    "suspend": _suspend,
    "abort": _abort,
}
