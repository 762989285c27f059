"""Notes on a game that is over: what was answered, and how a critic of the game would have answered.

They follow from the log and the game's secret alone, so that whoever makes them again has the same ones. A few are made
in each round of the daemon; what is made stays in the library, and the pages are made anew when none is left to make.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.chance import Dice, seeded_picks
from pbem.core.critic import Critic
from pbem.core.decision import MODERATOR, Answer
from pbem.core.game import AnyOrder, AnyRules, AnyState, game_of
from pbem.core.log import live
from pbem.host.ports import Conflict, Game, Log, StoreDown
from pbem.host.reporting.chapters import order_text
from pbem.host.session.position import Position
from pbem.host.session.session import LoadedGame
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import Games, UnitOfWork, dice_of, read_entries

EACH = 600  # positions that a critic may look at for one answer, about a tenth of a second
WHOLE = 150_000  # and for all of a game
A_ROUND = 5_000  # and in one round of the daemon, so that letters wait for a second at most
OWN = ("letter", "advance", "standing", "draft", "lapse")  # why an answer counts that its player has given, or has not


class Note(Struct, frozen=True, kw_only=True):
    """What is said of an answer."""

    entry: int
    turn: int  # the number of the chapter
    seat: str
    played: str  # in the order language; "": nothing was written
    best: str  # the same where nothing better was found
    lost: int  # points


class Notes(Struct, frozen=True, kw_only=True):
    """All that is said of a game, or what has been said so far."""

    log: str  # the digest of the last entry of the last chapter
    judged: int = 0  # answers, of all that there are
    notes: tuple[Note, ...] = ()


class NoteShelf(Protocol):
    """Where notes are kept."""

    def has_notes(self, game: str) -> bool:
        """Are they whole?"""
        ...

    def begun(self, game: str) -> Notes | None: ...
    def keep_begun(self, game: str, notes: Notes) -> None: ...
    def keep_notes(self, game: str, notes: Notes) -> None: ...


class NoteLibrary(Protocol):
    def noting(self) -> AbstractContextManager[NoteShelf]:
        """Nobody else writes meanwhile."""
        ...


class Annotator:
    """Makes the notes on games that are over."""

    def __init__(self, games: Games, library: NoteLibrary, log: Log) -> None:
        self._games = games
        self._library = library
        self._log = log
        self._left: deque[str] | None = None  # games without notes; None: nobody has looked for them yet

    def ended(self, games: Iterable[str]) -> None:
        """These may be over by now."""
        if self._left is not None:
            self._left += [game for game in games if game not in self._left]

    def go_on(self, positions: int = A_ROUND) -> str | None:
        """Make some more notes; the game whose notes are whole now, if one's are. Raises `Conflict`, `StoreDown`."""
        if self._left is None:
            self._left = deque(self._without_notes())
        while self._left:
            game = self._left.popleft()
            try:
                is_whole = self._note(game, positions)
            except (Conflict, StoreDown):
                self._left.appendleft(game)
                raise
            except Exception:  # noqa: BLE001 - whatever it is, the other games have theirs
                self._log.exception("there are no notes on %s", game)
                continue
            if is_whole:
                return game
            if is_whole is not None:
                self._left.appendleft(game)
                return None
        return None

    def finish(self) -> Iterator[str]:
        """Make all notes that there are to make: each game whose notes are whole, at once."""
        while game := self.go_on(WHOLE):
            yield game

    def _without_notes(self) -> list[str]:
        with self._games.work() as work:
            over = [game.id for game in work.repository.games() if _critic(work, game)]
        with self._library.noting() as shelf:
            return [game for game in over if not shelf.has_notes(game)]

    def _note(self, game: str, positions: int) -> bool | None:
        """Are the notes on it whole now? None: there are none to make."""
        with self._games.work() as work:
            course = _course(work, work.game(game))
        if course is None:
            return None
        with self._library.noting() as shelf:
            if shelf.has_notes(game):
                return None
            notes = self._more(course, shelf.begun(game), positions)
            is_whole = notes.judged == len(course.answers)
            (shelf.keep_notes if is_whole else shelf.keep_begun)(game, notes)
        return is_whole

    def _more(self, course: _Course, begun: Notes | None, positions: int) -> Notes:
        notes = begun if begun and begun.log == course.log else Notes(log=course.log)
        upto = min(notes.judged + max(1, positions // course.positions), len(course.answers))
        new = [self._judged(course, each) for each in course.answers[notes.judged : upto]]
        return replace(notes, judged=upto, notes=(*notes.notes, *(note for note in new if note)))

    def _judged(self, course: _Course, given: _Given) -> Note | None:
        """One that can't be judged leaves the others their notes."""
        answer, rules = given.answer, given.loaded.rules
        assert answer.decision is not None, "it answers a question"
        pick = seeded_picks(course.dice(str(given.entry)), f"critic {answer.decision.serial}")
        try:
            judged = course.critic(rules, given.before.state, answer, pick, course.positions)
        except Exception:  # noqa: BLE001 - whatever a critic does wrong
            self._log.exception("entry %s of %s could not be judged", given.entry, course.game)
            return None
        if judged is None:
            return None
        return Note(
            entry=given.entry,
            turn=given.before.turn,
            seat=answer.seat,
            played=order_text(given.loaded, answer.order),
            best=order_text(given.loaded, judged.best),
            lost=round(judged.lost),
        )


class _Given(Struct, frozen=True, kw_only=True):
    """An answer, and what its player had before them."""

    entry: int
    answer: Answer[AnyOrder]
    before: Position
    loaded: LoadedGame


class _Course(Struct, frozen=True, kw_only=True):
    """A game that is over, for its critic."""

    game: str
    log: str
    critic: Critic[AnyRules, AnyState, AnyOrder]
    dice: Dice
    answers: tuple[_Given, ...]  # that players have given, or have not

    @property
    def positions(self) -> int:
        """That the critic may look at for each of them."""
        return min(EACH, WHOLE // max(1, len(self.answers)))


def _critic(work: UnitOfWork, game: Game) -> Critic[AnyRules, AnyState, AnyOrder] | None:
    """None where the game goes on, or has none."""
    if game.status != "finished":
        return None
    return game_of(work.games.registry, msgspec.json.decode(game.setup, type=Terms).setup).critic


def _course(work: UnitOfWork, game: Game) -> _Course | None:
    """None where the game goes on, or has no critic."""
    critic = _critic(work, game)
    if critic is None:
        return None
    loaded = work.games.load(game)
    entries = read_entries(loaded.rules, work.repository, game.id)
    before = work.games.positions(work.repository, game)
    end = before[-1].since  # what is behind the last chapter has no page
    return _Course(
        game=game.id,
        log=entries[end - 1].hash,
        critic=critic,
        dice=dice_of(game),
        answers=tuple(
            _Given(
                entry=entry.seq,
                answer=answer,
                before=(was := before[entry.seq]),
                loaded=work.games.load(game, was.done),
            )
            for entry in live(entries[:end])
            if entry.cause.kind in OWN
            for answer in entry.answers
            if answer.decision is not None and answer.decision.seat != MODERATOR
        ),
    )
