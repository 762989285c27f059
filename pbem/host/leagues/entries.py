"""People in a season: they enter, answer the muster, rest, and leave, by their own word or by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.core.languages import LANGUAGES
from pbem.core.refusal import Illegal
from pbem.host.leagues.founding import staying
from pbem.host.leagues.leaving import free_seats
from pbem.host.lobby.invitees import Unfit
from pbem.host.ports import Entrant, Person
from pbem.host.season.reliability import reliability
from pbem.host.season.telling import tell
from pbem.host.session.identity import ADDRESS
from pbem.host.session.season import SeasonDesk
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league import acts, powers
from pbem.league.calendar import zones
from pbem.league.log import OPERATOR, player
from pbem.league.lots import digest
from pbem.league.settings import FIXED


def open_entries(work: UnitOfWork, desk: SeasonDesk, now: int, by: str) -> None:
    """People may enter; who has played the season before to its end is in without a word. Raises `Illegal`."""
    if desk.season.phase != "founded":
        raise Illegal("league.opened", phase=desk.season.phase)
    desk.enter(now, by, acts.Opened(people=_finishers(work, desk)))
    tell(work, desk, now)


def _finishers(work: UnitOfWork, desk: SeasonDesk) -> tuple[int, ...]:
    season = desk.season
    before = work.repository.season(f"{season.founded.league}-{season.founded.season - 1}")
    if before is None or season.settings.entry.stay == "no":
        return ()
    people = staying(work.season(before.tag).season)
    return tuple(person for person in people if work.repository.addresses(person))  # but for who was erased


class Entry:
    """Somebody in one season, at an instant; `by` and `via` are as the log has them."""

    def __init__(
        self, work: UnitOfWork, desk: SeasonDesk, person: Person, now: int, *, by: str = "", via: str | None = None
    ) -> None:
        self._work = work
        self._desk = desk
        self._person = person
        self._now = now
        self._by = by or player(person.id)
        self._via = via

    def enter(self, luck: str = "", apart: Sequence[int] = ()) -> None:
        """Raises `Illegal`; then nothing has changed."""
        desk, number = self._desk, self._person.id
        powers.check_enter(desk.season, number, self._now, self._barred_until())
        self._check_reliable()
        if luck and (desk.season.settings.draw.luck == "no" or desk.season.closed_at is not None):
            raise Illegal("league.no_luck")
        wishes = ",".join(map(str, sorted({*apart} - {number})))
        salt = self._work.games.secrets.randbytes(16).hex() if wishes else ""
        known = self._work.repository.entrant(desk.tag, number) or Entrant(season=desk.tag, person=number)
        self._work.repository.save_entrant(replace(known, luck=luck, apart=wishes, salt=salt))
        hidden = digest(f"{salt} {wishes}") if wishes else ""
        self._enter(acts.Entered(person=number, luck=digest(luck) if luck else "", apart=hidden))

    def forgo(self) -> None:
        """They sit with anybody from now on. Raises `Illegal` when the tables are drawn, or they are not in."""
        powers.check_entered(self._desk.season, self._person.id)
        season = self._desk.season
        if season.is_drawn or (season.groups and season.settings.format in FIXED):
            raise Illegal("league.closed")
        known = self._work.repository.entrant(self._desk.tag, self._person.id)
        if known is not None:
            self._work.repository.save_entrant(replace(known, apart="", salt=""))

    def _check_reliable(self) -> None:
        """Whoever leads the league may let anybody in."""
        asked = self._desk.season.settings.entry.on_time
        if asked and self._by == player(self._person.id):
            own = reliability(self._work, self._person.id, self._now).percent
            if own is not None and own < asked:
                raise Illegal("league.on_time", percent=own, asked=asked)

    def _barred_until(self) -> int:
        """The first season that they may enter again, by how they left earlier ones."""
        season = self._desk.season
        bar, found = season.settings.leaving.bar, 0
        for each in self._work.repository.seasons(season.founded.league):
            if each.number < season.founded.season and each.number + bar >= season.founded.season:
                person = self._work.season(each.tag).season.people.get(self._person.id)
                left = person is not None and person.left and not person.excused
                found = each.number + bar + 1 if left else found
        return found

    def muster(self, *, plays: bool) -> None:
        """Raises `Illegal`; then nothing has changed."""
        powers.check_muster(self._desk.season, self._person.id)
        self._enter(acts.Mustered(person=self._person.id, plays=plays))

    def rest(self) -> None:
        """Not this season, but the next one again. Raises `Illegal`; then nothing has changed."""
        powers.check_muster(self._desk.season, self._person.id)
        self._enter(acts.Rested(person=self._person.id))

    def withdraw(self, why: str = "") -> None:
        """Raises `Illegal`; then nothing has changed."""
        powers.check_entered(self._desk.season, self._person.id)
        if self._desk.season.closed_at is not None:
            raise Illegal("league.closed")
        self._enter(acts.Withdrawn(person=self._person.id, why=why))

    def leave(self, why: str) -> None:
        """After the first draw: others play on for them. Raises `Illegal`; then nothing has changed."""
        powers.check_leave(self._desk.season, self._person.id)
        self._enter(acts.Withdrawn(person=self._person.id, why=why))
        free_seats(self._work, self._desk, self._person.id, why, self._now)
        tell(self._work, self._desk, self._now)

    def _enter(self, act: acts.PersonAct) -> None:
        self._desk.enter(self._now, self._by, act, self._via)


def enter_row(work: UnitOfWork, desk: SeasonDesk, row: Mapping[str, str], now: int, by: str = OPERATOR) -> None:
    """Somebody is entered by hand, and known from now on. Raises `Refusal`; then nothing has changed."""
    address = row["address"].lower()
    known = work.repository.person_at(address)
    if known is None and not ADDRESS.fullmatch(address):
        raise Unfit("seat.address", f"{address!r} is no address we can write to", read=address)
    apart = [_known(work, each) for each in row.get("apart", "").lower().split()]
    person = known or _added(work, address, row, now)
    Entry(work, desk, person, now, by=by).enter(apart=[each.id for each in apart])


def _known(work: UnitOfWork, address: str) -> Person:
    found = work.repository.person_at(address)
    if found is None:
        raise Unfit("seat.address", f"nobody here has the address {address}", read=address)
    return found


def _added(work: UnitOfWork, address: str, row: Mapping[str, str], now: int) -> Person:
    zone, language = row.get("zone") or "UTC", row.get("language") or "en"
    if zone not in zones():
        raise Illegal("option.value", key="zone", read=zone, candidates=())
    if language not in LANGUAGES:
        raise Illegal("option.value", key="language", read=language, candidates=tuple(LANGUAGES))
    return work.repository.add_person(row.get("name", ""), address, now, language=language, zone=zone)
