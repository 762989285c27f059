"""What a letter says to the host and not to the table: nothing of the game changes, and only its writer is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.lobby.absences import on_leave
from pbem.host.messages.replies import Reply, Reports, Settings
from pbem.host.messages.sections import Section
from pbem.host.play.results import Outcome, Result
from pbem.host.ports import Game, Letter, Member
from pbem.host.reporting.chapters import Chapter, Stretch, whole
from pbem.host.reporting.preferences import queue_digests, wanting
from pbem.host.reporting.press import send
from pbem.host.reporting.reasons import reasons_for
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork, read_entries
from pbem.language.command import Command, Kind, WhoseOwn
from pbem.language.statements import Statement

ANSWERS = 12  # to questions of one letter


class QueryContext(Struct, frozen=True, kw_only=True):
    """Somebody asks something, in a game."""

    work: UnitOfWork
    game: Game
    seat: str  # "" of whoever leads the game and does not play
    rest: str  # what stands behind the word
    now: int
    leads: bool  # do they ask as a moderator?

    @property
    def session(self) -> Session:
        return self.work.session(self.game)

    @property
    def viewer(self) -> Seat | None:
        """Whose view of the position is theirs; None of somebody who does not play."""
        return Seat(self.seat) if self.seat else None

    @property
    def over(self) -> Sequence[Chapter]:
        """The turns that are over, after what stood before the first; of the one under way answers may be sealed."""
        return self._whole.over

    @property
    def course(self) -> Chapter:
        """All of the game; to be shown only as the viewer may see it."""
        told = self._whole
        chapters = (*told.over, told.begun)
        entries = tuple(entry for chapter in chapters for entry in chapter.entries)
        return Chapter(entries=entries, before=told.before, after=told.begun.after)

    @property
    def _whole(self) -> Stretch:
        loaded = self.work.games.load(self.game)
        return whole(loaded, read_entries(loaded.rules, self.work.repository, self.game.id))


class Query(Command, frozen=True, kw_only=True):
    """Asks something; the answer is all that comes of it."""

    kind: Kind = "query"
    low_priority: bool = True
    anytime: bool = False  # also before the game begins
    tell: Callable[[QueryContext], Section | None]  # None for what every answer tells anyhow. It raises `Illegal`


class Preference(Command, frozen=True, kw_only=True):
    """Chooses something for its writer alone; without anything behind the word it asks."""

    kind: Kind = "preference"
    low_priority: bool = True
    behind: str | None = "[COLON] _anything?"
    kept_from_deputies: WhoseOwn = "own"
    choose: Callable[[Asides, Statement[AnyOrder]], Outcome]  # it raises `Illegal`


class Asides:
    """One member's words to the host, in the order written."""

    def __init__(
        self, work: UnitOfWork, game: Game, member: Member, letter: Letter, now: int, *, leads: bool = False
    ) -> None:
        self.work = work
        self.game = game
        self.member = member  # with what they have chosen
        self.now = now
        self.told: list[Section] = []  # what they asked
        self._leads = leads  # do they ask as a moderator?
        self._letter = letter
        self._has_asked_a_bot = False
        self._shown: set[str] = set()  # which of their preferences they chose, or asked

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

    def _hear(self, aside: Statement[AnyOrder]) -> Outcome:
        match aside.command:
            case Preference() as preference:
                return preference.choose(self, aside)
            case Query() as query:
                self.tell(self._answer(query, aside.rest))
        return "shown"

    def _answer(self, query: Query, rest: str) -> Section | None:
        if self.game.status == "inviting" and not query.anytime:
            raise not_begun(self.work, self.game)
        context = QueryContext(
            work=self.work, game=self.game, seat=self.member.seat, rest=rest, now=self.now, leads=self._leads
        )
        return query.tell(context)

    def tell(self, told: Section | None) -> None:
        """Let the answer tell this, too. Raises `Illegal` when that is too much."""
        if told and told not in self.told:
            if len(self.told) >= ANSWERS:
                raise Illegal("told.enough", most=ANSWERS)
            self.told.append(told)

    def _send(self, press: Statement[AnyOrder]) -> tuple[str, ...]:
        """To a bot alone, it is answered by its reasons: once in a letter."""
        sent = send(self.work, self.game, self.member, press, self._letter, self.now)
        if len(press.to) == 1 and not self._has_asked_a_bot:
            told = reasons_for(self.work, self.game, press.to[0], self.member.seat)
            self._has_asked_a_bot = told is not None
            self.told += [told] if told else []
        return sent

    def choose(self, preference: str, member: Member | None = None) -> Outcome:
        """The answer shows that preference of theirs: "person", "reports", "calendar"…; `member` if they chose it."""
        self.member = member or self.member
        self._shown.add(preference)
        return "set" if member else "shown"

    def choose_for_person(self, **chosen: str) -> Outcome:
        return self.choose("person", replace(self.member, person=replace(self.member.person, **chosen)))

    def keep(self) -> Game:
        """Enter in the books what they have chosen; the game with it."""
        repository = self.work.repository
        if self._shown:
            repository.save_person(self.member.person)
            repository.save_game(wanting(self.work.game(self.game.id), self.member, self.member.reports))
            for game in repository.games_of(self.member.person.id):
                queue_digests(repository, game, self.member.person, self.now)
        return self.work.game(self.game.id)

    def in_reply(self, reply: Reply) -> Reply:
        """The answer with what they have chosen and what they asked."""
        person = self.member.person
        settings = Settings(zone=person.zone, at=self.now) if "person" in self._shown else None
        mode, _, time = self.member.reports.partition(" ")
        reports = Reports(mode=mode, time=time, zone=person.zone) if "reports" in self._shown else None
        calendar = person.calendar if "calendar" in self._shown else None
        told = [*reply.told, *self.told]
        asks = any(line.outcome in ("set", "shown") for line in reply.lines)
        if asks and self.game.status == "running":
            leave = on_leave(self.work, self.game, self.member.seat, self.now)
            told += [leave] if leave else []
        return replace(reply, settings=settings, reports=reports, calendar=calendar, told=tuple(told))


def not_begun(work: UnitOfWork, game: Game) -> Illegal:
    """With those who have not answered; where nobody may know who the others are, with their number."""
    terms = work.games.load(game).terms
    missing = [member.seat for member in game.members if member.joined is None]
    told = missing if terms.anonymous == "no" else len(missing)
    return Illegal("letter.not_begun", missing=told, free=max(0, terms.for_people - len(game.members)))
