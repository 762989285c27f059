"""What the archive tells of a game: what everybody may see, as plain values; addresses never.

A chapter is told when it is over, for until then answers may be sealed. Where something else stays hidden until the
end of the game (secret cash, or who sits where), so do the log and the record that would tell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from pbem.core.chance import commitment
from pbem.core.log import Entry, beginning, digest_of
from pbem.core.presenter import View
from pbem.core.seat import Setup
from pbem.host.archive.record_play import play_file
from pbem.host.clock.time_sheet import sheet
from pbem.host.messages import parts, sections
from pbem.host.messages.alarms import Trouble
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Clock, Conflict, Game, Log, StoreDown
from pbem.host.reporting.alarms import post_alarm
from pbem.host.reporting.chapters import Chapter, Stretch, events_of, is_sealed, kept, said_in, seen, whole
from pbem.host.reporting.press import public_press
from pbem.host.reporting.rules_in_force import rules_in_force
from pbem.host.session.acts import Done, TimeKept
from pbem.host.session.anonymity import is_hidden, who_was_who
from pbem.host.session.session import LoadedGame
from pbem.host.session.terms import setup_of
from pbem.host.session.unit_of_work import Games, UnitOfWork

AT_ONCE = 20  # games brought up before letters are looked for again
ADDRESS = re.compile(r"[^\s<>()\[\],;:\"@]+@[^\s<>()\[\],;:\"@]+")
NUMBERS = ("person", "people", "substitute", "leads", "moderator")  # fields of acts that hold numbers of people
INDEX = "the pages about all games"


class Sent(Struct, frozen=True, kw_only=True):
    """An order that was carried out."""

    seat: str
    at: int
    cause: str  # letter draft advance standing lapse deputy
    deputy: str = ""  # who wrote it for its player: a seat, or "deputy"
    text: str  # in the order language; "" when the clock answered with nothing written


class Conversation(Struct, frozen=True, kw_only=True):
    """Press to all: what a player wrote for everybody."""

    seat: str
    at: int
    text: str  # without addresses


class ArchivedTurn(Struct, frozen=True, kw_only=True):
    """A chapter that is over, as a stranger may see it."""

    number: int  # from 0, the opening
    round: int
    last: int  # its last entry
    digest: str  # of that entry: the log up to here
    at: int
    sent: tuple[Sent, ...]
    draws: tuple[Mapping[str, Any], ...]  # purpose, among, result
    events: tuple[Mapping[str, Any], ...]
    before: View
    after: View
    awaited: tuple[parts.Awaited, ...]
    kept: tuple[parts.Kept, ...]  # rows of the move order sheet
    done: tuple[Done, ...]  # what else was done beside the orders
    press: tuple[Conversation, ...]  # since the turn before


class GameArchive(Struct, frozen=True, kw_only=True):
    """What is new of a game, beside what there is to say about all of it."""

    game: str
    finished: bool
    setup: Setup
    rules: sections.RulesInForce  # what was agreed on
    created: int
    commitment: str
    secret: str | None  # None until the game is over
    people: Mapping[str, int]  # by seat: the number of the person who sits there; nobody's while that is hidden
    who: Mapping[str, str]  # the people's names by seat, where they were hidden and are told now
    kept: int  # turns that stay as they are in the archive
    turns: tuple[ArchivedTurn, ...]  # those that follow; the newest is always among them
    press: tuple[Conversation, ...]  # since the newest turn
    done: tuple[Done, ...]  # beside the orders, since the newest turn; only when the game is over
    logged: int  # entries of the log that stay as they are in the archive
    log: tuple[bytes, ...] | None  # those that follow, of sealed ones the digest; None while it would tell a secret
    record: str | None  # the play file, up to the first sealed entry; None while it would tell a secret


class Held(Struct, frozen=True, kw_only=True):
    """What an archive has of a game."""

    digests: tuple[str, ...] = ()  # of the last entry of each turn
    logged: int = 0  # entries of its log


class ArchiveWriter(Protocol):
    """Where volumes are put."""

    def held(self, game: str) -> Held: ...
    def keep(self, volume: GameArchive) -> None: ...


class Library(Protocol):
    def writing(self) -> AbstractContextManager[ArchiveWriter]:
        """Nobody else writes meanwhile; what tells of several games is brought up at the end."""
        ...


# -- what may be told ---


def volume(work: UnitOfWork, game: Game, held: Held) -> GameArchive | None:
    """What the archive lacks of a game; None before it has begun."""
    loaded = work.games.load(game)
    raws = work.repository.entries(game.id)
    entries = [loaded.rules.decoder().decode(raw) for raw in raws]
    run = whole(loaded, entries)
    if not run.over:
        return None
    finished = game.status == "finished"
    anonymous = loaded.terms.anonymous
    hidden = is_hidden(game, anonymous)
    is_open = (finished or not loaded.rules.hides(run.over[-1].after.state)) and not (hidden and _names_people(entries))
    told = run.begun.entries[0].seq if run.begun.entries and not finished else len(raws)
    lines = [*raws[:told]] if finished else [*_unsealed(loaded, run.over[-1].after.state, entries[:told], raws)]
    same = min(_in_common(held.digests, run), len(run.over) - 1)
    press, ends = [*_press(work, game)], [0, *(chapter.entries[-1].at for chapter in run.over)]
    return GameArchive(
        game=game.id,
        finished=finished,
        setup=setup_of(loaded.terms),
        rules=rules_in_force(work, game),
        created=game.created,
        commitment=commitment(game.secret),
        secret=game.secret if finished else None,
        people={} if hidden else {member.seat: member.person.id for member in game.members},
        who=who_was_who(game, anonymous) if finished else {},
        kept=same,
        turns=tuple(_turn(loaded, run.over[n], _between(press, *ends[n : n + 2])) for n in range(same, len(run.over))),
        press=_between(press, ends[-1]),
        done=tuple(_beside(run.begun)) if finished else (),
        logged=0 if finished else held.logged,
        log=tuple(lines[0 if finished else held.logged :]) if is_open else None,
        record=play_file(game.id, loaded, entries[: beginning(lines)]) if is_open else None,
    )


def _unsealed(
    loaded: LoadedGame, state: Any, entries: Iterable[Entry[Any, Any]], raws: Sequence[bytes]
) -> Iterator[bytes]:
    """What may be published of the log now."""
    for entry in entries:
        raw = raws[entry.seq]
        yield digest_of(raw) if is_sealed(loaded.rules, state, entry) else raw


def _names_people(entries: Iterable[Entry[Any, Any]]) -> bool:
    """Does the log tell anybody's number, by which the tables of players name them?"""
    return any(entry.act and entry.act.get(key) for entry in entries for key in NUMBERS)


def _in_common(digests: Sequence[str], run: Stretch) -> int:
    """How many turns are still what they were when they were told."""
    pairs = zip(digests, run.over, strict=False)
    most = min(len(digests), len(run.over))
    return next((n for n, (digest, chapter) in enumerate(pairs) if digest != chapter.after.prev), most)


def _press(work: UnitOfWork, game: Game) -> Iterator[Conversation]:
    for press in public_press(work, game):
        yield Conversation(seat=press.seat, at=press.at, text=ADDRESS.sub("…@…", press.text))


def _between(press: Sequence[Conversation], after: int, upto: int | None = None) -> tuple[Conversation, ...]:
    return tuple(said for said in press if after < said.at and (upto is None or said.at <= upto))


def _done_in(chapter: Chapter) -> tuple[Done, ...]:
    """What was done in its course, in turns that were taken back before it, too."""
    return tuple(each for each in chapter.after.done if each.seq > chapter.before.seq)


def _beside(chapter: Chapter) -> Iterator[Done]:
    """But for what the move order sheet tells."""
    return (each for each in _done_in(chapter) if not isinstance(each.act, TimeKept))


def _turn(loaded: LoadedGame, chapter: Chapter, press: tuple[Conversation, ...]) -> ArchivedTurn:
    last = chapter.entries[-1]
    chapter = chapter.shown(loaded.rules, None)
    return ArchivedTurn(
        number=chapter.before.turn,
        round=loaded.rules.round(chapter.before.state),
        last=last.seq,
        digest=last.hash,
        at=last.at,
        sent=tuple(
            Sent(seat=said.seat, at=entry.at, cause=said.cause, text=said.text, deputy=said.deputy)
            for entry in chapter.entries
            for said in said_in(loaded, [entry])
        ),
        draws=tuple(msgspec.to_builtins(draw) for entry in chapter.entries for draw in entry.draws),
        events=events_of(chapter.entries),
        before=loaded.rules.view(chapter.before.state, None),
        after=loaded.rules.view(chapter.after.state, None),
        awaited=tuple(
            parts.Awaited(seat=d.seat, kind=d.kind, about=d.about, deadline=None)
            for d in loaded.rules.pending(chapter.after.state)
        ),
        kept=kept(sheet(_done_in(chapter))),
        done=tuple(seen(loaded.rules, chapter.after.state, each) for each in _beside(chapter)),
        press=press,
    )


# -- bringing an archive up to date ---


class Brought(Struct, frozen=True, kw_only=True):
    """What became of games that were to be brought up."""

    told: tuple[str, ...]  # those that the library has now
    failed: Mapping[str, Exception]  # by game, or what else could not be made

    def settled(self, games: Iterable[str]) -> list[str]:
        """Of these games, those that need not be brought up again; when the lists have failed, that is none."""
        return [] if INDEX in self.failed else [game for game in games if game not in self.failed]


class Archivist:
    """Puts into a library what is new in the books. A fault of ours here never stops the mail."""

    def __init__(
        self,
        games: Games,
        library: Library,
        clock: Clock,
        host: HostIdentity,
        log: Log,
    ) -> None:
        self._games = games
        self._library = library
        self._clock = clock
        self._host = host
        self._log = log

    def update(self) -> None:
        """Bring up the games that have moved since they were last brought up. Raises `Conflict`, `StoreDown`."""
        with self._games.work() as work:
            moved = work.repository.moved()
            stuck = {game for game in moved if work.repository.mark(_stuck(game)) is not None}
        games = sorted(moved, key=lambda game: (game in stuck, game))[:AT_ONCE]
        if not games:
            return
        brought = self._bring_up(games)
        for what, fault in brought.failed.items():
            self._log.exception("the archive could not be brought up: %s", what, exc_info=fault)
        self._games.do(lambda work: self._note(work, moved, brought.settled(games), brought.failed))

    def build(self) -> Brought:
        """Bring up all games. Raises `Conflict`, `StoreDown`."""
        with self._games.work() as work:
            games = [game.id for game in work.repository.games()]
            moved = work.repository.moved()
        brought = self._bring_up(games)
        self._games.do(lambda work: self._note(work, moved, brought.settled(games), {}))
        return brought

    def _bring_up(self, games: Iterable[str]) -> Brought:
        told: list[str] = []
        failed: dict[str, Exception] = {}
        try:
            with self._library.writing() as shelves:
                for game in games:
                    try:
                        told += [game] if self._keep(shelves, game) else []
                    except (Conflict, StoreDown):
                        raise
                    except Exception as fault:  # noqa: BLE001 - a game that can't be told does not keep back the others
                        failed[game] = fault
        except (Conflict, StoreDown):
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, mail goes on
            failed[INDEX] = fault
        return Brought(told=tuple(told), failed=failed)

    def _keep(self, shelves: ArchiveWriter, game: str) -> bool:
        """Is there anything to tell of the game?"""
        held = shelves.held(game)
        with self._games.work() as work:
            new = volume(work, work.game(game), held)
        if new is not None:
            shelves.keep(new)
        return new is not None

    def _note(
        self, work: UnitOfWork, moved: Mapping[str, int], settled: Sequence[str], failed: Mapping[str, Exception]
    ) -> None:
        for game in settled:
            if game in moved:
                work.repository.settle_move(game, moved[game])
            work.repository.set_mark(_stuck(game), None)
        if settled:
            work.repository.set_mark(_stuck(INDEX), None)
        for what, fault in failed.items():
            self._tell(work, what, fault)

    def _tell(self, work: UnitOfWork, what: str, fault: Exception) -> None:
        """The operator hears of it once, until it has been well again, whichever daemon or cron met it."""
        if work.repository.mark(_stuck(what)) is not None:
            return
        now = self._clock.now()
        work.repository.set_mark(_stuck(what), now)
        about = f"archive.{what.replace(' ', '-')}.{now}"
        told = Trouble.archive.say(what=what)
        post_alarm(work.repository, told, repr(fault), about=about, operator=self._host.operator, now=now)


def _stuck(what: str) -> str:
    """The mark that the operator has been told of it."""
    return f"archive.{what.replace(' ', '-')}.stuck"
