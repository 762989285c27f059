"""Games and seasons under way: what was agreed on, where each stands, and a session of each."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from secrets import SystemRandom
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from pbem.core.chance import Dice, Lots, Secrets
from pbem.core.game import AnyEntry, AnyEvent, AnyRules, Registry, complete, drawn, load
from pbem.core.log import Happened, live
from pbem.core.refusal import Illegal
from pbem.host.ports import Conflict, Game, Repository, SeasonBook, Store, Taken, Unknown
from pbem.host.session.acts import Done
from pbem.host.session.position import Position, advanced, positions
from pbem.host.session.record import BookRecord
from pbem.host.session.season import Course, SeasonDesk, course_of, founded
from pbem.host.session.session import LoadedGame, Session, load_game
from pbem.host.session.terms import Changes, Terms, changes, check_terms, in_force, with_bots
from pbem.language.command import Commands
from pbem.league.acts import Founded

KEPT = 500  # positions in memory; the others are folded again when they are needed
TRIES = 5  # when another writer was first
SEED = 5  # bytes of what a set-up leaves to chance
UNGUESSED = SystemRandom()

T = TypeVar("T")


class Games:
    """All games of a store. What is kept in memory can be thrown away at any time."""

    def __init__(self, store: Store, registry: Registry, commands: Commands, secrets: Secrets = UNGUESSED) -> None:
        self.store = store
        self.registry = registry
        self.commands = commands
        self.secrets = secrets
        self._loaded: OrderedDict[tuple[str, Changes], tuple[bytes, LoadedGame]] = OrderedDict()
        self._positions: OrderedDict[str, Position] = OrderedDict()
        self._courses: OrderedDict[str, Course] = OrderedDict()

    @contextmanager
    def work(self, *, durable: bool = True) -> Iterator[UnitOfWork]:
        """One transaction; positions and courses are remembered only when it has been committed."""
        with self.store.transaction(durable=durable) as repository:
            work = UnitOfWork(self, repository)
            yield work
            work.settle()
        self._remember(work)

    def do(self, task: Callable[[UnitOfWork], T], *, durable: bool = True) -> T:
        """The task in one transaction, tried again a few times when another writer was first.

        Raises `Conflict` when others were at work each time, and `Taken` when a key was there each time.
        """
        for _ in range(TRIES - 1):
            with suppress(Conflict, Taken), self.work(durable=durable) as work:
                return task(work)
        with self.work(durable=durable) as work:
            return task(work)

    def do_all(self, tasks: Iterable[Callable[[UnitOfWork], T]]) -> list[T]:
        """The tasks in one transaction, each behind the others as if in one of its own: all of them, or none.

        Raises whatever one of them raises; what each would come to alone is the caller's to find out.
        """
        works, done = [], []
        with self.store.transaction() as repository:
            for task in tasks:
                work = UnitOfWork(self, repository.anew())
                done.append(task(work))
                work.settle()
                works.append(work)
        for work in works:
            self._remember(work)
        return done

    def _remember(self, work: UnitOfWork) -> None:
        for game, session in work.sessions.items():
            _remember(self._positions, game, session.position)
        for tag, desk in work.seasons.items():
            _remember(self._courses, tag, desk.course)

    def new_secret(self) -> str:
        """Of a game or a season, from which all its lots follow: 32 bytes, in hexadecimal digits."""
        return self.secrets.randbytes(32).hex()

    def check(self, terms: Terms) -> None:
        """Raises `ValueError` for terms under which no game can begin."""
        setup = with_bots(terms).setup
        load(self.registry, setup).blank(setup)
        try:
            check_terms(terms)
        except Illegal as refusal:
            raise ValueError(f"{refusal.code}: {refusal.facts.get('read')}") from None

    def filled(self, terms: Terms) -> Terms:
        """With what its set-up leaves empty. Raises `ValueError` for a game that there is not."""
        return replace(terms, setup=complete(self.registry, terms.setup))

    def settled(self, terms: Terms) -> Terms:
        """With what the set-up of a new game leaves to chance, too. Raises `ValueError` as `filled` does."""
        players = terms.places or len(terms.setup.seats) + terms.bot_seats
        seed = self.secrets.randbytes(SEED).hex()
        return replace(terms, setup=drawn(self.registry, terms.setup, players, seed))

    def load(self, game: Game, done: Sequence[Done] = ()) -> LoadedGame:
        """The game as it was agreed on, or as it is played after what was done since."""
        changed = changes(done)
        known = self._loaded.get((game.id, changed))
        if known is None or known[0] != game.setup:
            known = (game.setup, self._load(game, changed))
        _remember(self._loaded, (game.id, changed), known)
        return known[1]

    def position(self, repository: Repository, game: Game) -> Position:
        """Where the game stands, from memory and what was written since."""
        loaded = self.load(game)
        known = self._positions.get(game.id) or Position(state=loaded.rules.blank(loaded.terms.setup))
        entries = read_entries(loaded.rules, repository, game.id, known.seq)
        if any(entry.rewind_to is not None for entry in entries):
            return self.positions(repository, game)[-1]
        for entry in entries:
            known = advanced(loaded.rules, known, entry)
        return known

    def positions(self, repository: Repository, game: Game, upto: int | None = None) -> list[Position]:
        """All the positions the game has been in, the blank one before its first entry first."""
        loaded = self.load(game)
        entries = read_entries(loaded.rules, repository, game.id, upto=upto)
        return positions(loaded.rules, Position(state=loaded.rules.blank(loaded.terms.setup)), entries)

    def course(self, repository: Repository, tag: str) -> Course:
        """What the log of a season has come to."""
        return course_of(repository, tag, self._courses.get(tag))

    def _load(self, game: Game, changed: Changes) -> LoadedGame:
        terms = self.filled(msgspec.json.decode(game.setup, type=Terms))
        return load_game(self.registry, self.commands, in_force(terms, changed))


def dice_of(game: Game) -> Dice:
    """Its secret draws them, for each entry others."""
    return partial(Lots, game.secret, game.id)


class UnitOfWork:
    """What one transaction works on."""

    def __init__(self, games: Games, repository: Repository, dice: Callable[[Game], Dice] = dice_of) -> None:
        self.games = games
        self._dice = dice
        self.repository = repository
        self.sessions: dict[str, Session] = {}
        self.seasons: dict[str, SeasonDesk] = {}

    def settle(self) -> None:
        """Write what was gathered meanwhile; nothing is done behind it."""
        for desk in self.seasons.values():
            desk.settle()

    def session(self, game: Game) -> Session:
        if game.id not in self.sessions:
            self.sessions[game.id] = self._opened(game)
        return self.sessions[game.id]

    def _opened(self, game: Game) -> Session:
        position = self.games.position(self.repository, game)
        parser, record = self.games.load(game).parser, BookRecord(self.repository, game.id)
        return Session(lambda done: self.games.load(game, done), parser, record, position, self._dice(game))

    def loaded(self, game: Game) -> LoadedGame:
        """The game as it is played now."""
        if game.status == "inviting":
            return self.games.load(game)
        return self.games.load(game, self.session(game).position.done)

    def done(self, game: Game) -> Sequence[Done]:
        """What was done beside the orders; nothing before the game begins."""
        return () if game.status == "inviting" else self.session(game).position.done

    def game(self, game: str) -> Game:
        found = self.repository.game(game)
        if found is None:
            raise Unknown(f"there is no game {game}")
        return found

    def season(self, tag: str) -> SeasonDesk:
        if tag not in self.seasons:
            book = self.repository.season(tag)
            if book is None:
                raise Unknown(f"there is no season {tag}")
            self.seasons[tag] = SeasonDesk(self.repository, book, self.games.course(self.repository, tag))
        return self.seasons[tag]

    def found(self, book: SeasonBook, at: int, by: str, act: Founded) -> SeasonDesk:
        """Enter a new season. Raises `Taken` where there is one of its tag."""
        self.seasons[book.tag] = founded(self.repository, book, at, by, act)
        return self.seasons[book.tag]


def read_entries(
    rules: AnyRules, repository: Repository, game: str, after: int = -1, upto: int | None = None
) -> list[AnyEntry]:
    """The entries above `after`, up to a number where one is given."""
    decode = rules.decoder().decode
    found = [decode(raw) for raw in repository.entries(game, after)]
    return found if upto is None else [entry for entry in found if entry.seq <= upto]


def read_happened(rules: AnyRules, repository: Repository, game: str) -> list[Happened[AnyEvent]]:
    """What happened in a game, without what was taken back."""
    decode = rules.happened().decode
    return live(decode(raw) for raw in repository.entries(game))


def _remember(kept: OrderedDict[Any, Any], key: object, value: Any) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > KEPT:
        kept.popitem(last=False)
