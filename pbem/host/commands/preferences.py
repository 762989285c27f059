"""What a letter says to the house and not to the table: nothing of the game changes, and only its writer is told."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from msgspec.structs import replace
from rapidfuzz import fuzz, process

from pbem.core.refusal import Illegal
from pbem.host.commands.queries import inform
from pbem.host.lobby.absences import on_leave
from pbem.host.lobby.addresses import change, listed
from pbem.host.messages import Reply, Reports, Settings, Told
from pbem.host.play.results import Outcome, Result
from pbem.host.ports import Game, Letter, Member
from pbem.host.reporting.calendar_events import chosen as has_chosen
from pbem.host.reporting.preferences import chosen, queue_digests, wanting
from pbem.host.reporting.press import send
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.commands import LANGUAGES
from pbem.language.statements import Statement
from pbem.language.tokens import fold

ANSWERS = 12  # to questions of one letter
FEW = 3  # names that the writer may have meant
NEAR = 70  # rapidfuzz's score from which a name is worth suggesting
LONGEST = 100  # letters of a name that are compared


class Asides:
    """One member's words to the house, in the order written."""

    def __init__(
        self, desk: UnitOfWork, game: Game, member: Member, letter: Letter, now: int, *, leads: bool = False
    ) -> None:
        self._leads = leads  # do they ask as a moderator?
        self.member = member  # with what he has chosen
        self.told: list[Told] = []  # what he asked
        self._desk = desk
        self._game = game
        self._letter = letter
        self._now = now
        self._settings: set[str] = set()  # what of them he chose or asked

    def settle(self, verdicts: Sequence[Result]) -> list[Result]:
        """The verdicts with what became of the asides among them."""
        return [self._settle(verdict) for verdict in verdicts]

    def _settle(self, verdict: Result) -> Result:
        if verdict.aside is None:
            return verdict
        try:
            if verdict.aside.to:
                return replace(verdict, outcome="sent", to=self._send(verdict.aside))
            return replace(verdict, outcome=self._hear(verdict.aside))
        except Illegal as refusal:
            return replace(verdict, outcome="refused", refusal=refusal)

    def _hear(self, aside: Statement[Any]) -> Outcome:
        match aside.command:
            case "language":
                return self._choose(language=language(aside.rest))
            case "address":
                return self._choose_address(aside.text.partition(" ")[2].strip())
            case "zone":
                return self._choose(zone=zone(aside.rest))
            case "calendar":
                return self._choose_calendar(aside.rest)
            case "reports":
                return self._choose_reports(aside.rest)
            case _:
                self._tell(inform(self._desk, self._game, self.member.seat, aside, self._now, leads=self._leads))
                return "shown"

    def _tell(self, told: Told | None) -> None:
        if told and told not in self.told:
            if len(self.told) >= ANSWERS:
                raise Illegal("told.enough", most=ANSWERS)
            self.told.append(told)

    def _send(self, press: Statement[Any]) -> tuple[str, ...]:
        return send(self._desk, self._game, self.member, press, self._letter, self._now)

    def _choose(self, **chosen: str) -> Outcome:
        self.member = replace(self.member, person=replace(self.member.person, **chosen))
        self._settings.add("person")
        return "set"

    def _choose_address(self, written: str) -> Outcome:
        person, outcome = change(self._desk, self.member.person, written, self._now)
        self.member = replace(self.member, person=person)
        self._tell(listed(self._desk, person))
        return outcome

    def _choose_reports(self, written: str) -> Outcome:
        """The word alone asks which they are."""
        if self.member.person.id not in {reader.person.id for reader in self._game.readers}:
            raise Illegal("reports.operator")
        if written:
            self.member = replace(self.member, reports=chosen(written))
        self._settings.add("reports")
        return "set" if written else "shown"

    def _choose_calendar(self, written: str) -> Outcome:
        """The word alone asks."""
        if written:
            self.member = replace(self.member, person=replace(self.member.person, calendar=has_chosen(written)))
        self._settings.add("calendar")
        return "set" if written else "shown"

    def keep(self) -> Game:
        """Enter in the books what he has chosen; the game with it."""
        books = self._desk.books
        if self._settings:
            books.save_person(self.member.person)
            books.save_game(wanting(self._desk.game(self._game.id), self.member, self.member.reports))
            for game in books.games_of(self.member.person.id):
                queue_digests(books, game, self.member.person, self._now)
        return self._desk.game(self._game.id)

    def in_reply(self, reply: Reply) -> Reply:
        """The answer with what he has chosen and what he asked."""
        person = self.member.person
        settings = Settings(zone=person.zone, at=self._now) if "person" in self._settings else None
        mode, _, time = self.member.reports.partition(" ")
        reports = Reports(mode=mode, time=time, zone=person.zone) if "reports" in self._settings else None
        calendar = person.calendar if "calendar" in self._settings else None
        told = [*reply.told, *self.told]
        if self._game.status == "running":
            leave = on_leave(self._desk, self._game, self.member.seat, self._now)
            told += [leave] if leave else []
        return replace(reply, settings=settings, reports=reports, calendar=calendar, told=tuple(told))


def language(written: str) -> str:
    """The language that a beginning of one of its names means. Raises `Illegal`."""
    meant = {id_ for id_, names in LANGUAGES.items() if any(fold(n).startswith(fold(written).strip()) for n in names)}
    if len(meant) != 1:
        raise Illegal("language.unknown", read=written, candidates=tuple(names[0] for names in LANGUAGES.values()))
    return meant.pop()


def zone(written: str) -> str:
    """The time zone of that name, or of the one city of that name. Raises `Illegal`."""
    known = zones_by_key()
    meant = known.get(_key(written), ())
    if len(meant) != 1:
        found = process.extract(_key(written)[:LONGEST], known.keys(), scorer=fuzz.ratio, score_cutoff=NEAR, limit=FEW)
        near = dict.fromkeys(name for key, *_ in found for name in known[key])
        raise Illegal("zone.unknown", read=written, candidates=meant or tuple(near)[:FEW])
    return meant[0]


@cache
def zones_by_key() -> dict[str, tuple[str, ...]]:
    """Time zones by what may be written for them: the whole name, or the city alone."""
    names = sorted(available_timezones())
    by_city: dict[str, tuple[str, ...]] = {}
    for name in names:
        city = _key(name.rpartition("/")[2])
        by_city[city] = (*by_city.get(city, ()), name)
    return {**by_city, **{_key(name): (name,) for name in names}}


def _key(written: str) -> str:
    return "".join(c for c in fold(written) if c not in " _:")
