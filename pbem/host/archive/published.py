"""What the archive tells of a game: what everybody may see, as plain values; addresses never.

A chapter is told when it is over, for until then answers may be sealed. Where something else stays hidden until the
end of the game (secret cash, or who sits where), so do the log and the record that would tell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from pbem.core.chance import Draw, commitment
from pbem.core.game import AnyEntry, AnyState
from pbem.core.log import beginning, veiled
from pbem.core.presenter import View
from pbem.core.seat import Setup
from pbem.host.archive.record_play import play_file
from pbem.host.clock.time_sheet import sheet
from pbem.host.messages import parts, sections
from pbem.host.ports import Game
from pbem.host.reporting.answers import awaited
from pbem.host.reporting.chapters import Chapter, Stretch, events_of, said_in, seen, whole
from pbem.host.reporting.press import public_press
from pbem.host.reporting.rules_in_force import rules_in_force
from pbem.host.session.acts import Done, TimeKept
from pbem.host.session.anonymity import is_hidden, who_was_who
from pbem.host.session.session import LoadedGame
from pbem.host.session.terms import setup_of
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.host.session.veils import has_secrets

ADDRESS = re.compile(r"[^\s<>()\[\],;:\"@]+@[^\s<>()\[\],;:\"@]+")
NUMBERS = ("person", "people", "substitute", "leads", "moderator")  # fields of acts that hold numbers of people


class Sent(parts.Said, frozen=True, kw_only=True):
    """An order that was carried out."""

    at: int


class Conversation(Struct, frozen=True, kw_only=True):
    """Press to all: what a player wrote for everybody."""

    seat: str
    at: int
    text: str  # without addresses


class Drawing(Struct, frozen=True, kw_only=True):
    """An entry for which lots were drawn."""

    entry: str  # the number by which all know it
    draws: tuple[Draw, ...]
    events: tuple[Mapping[str, Any], ...]  # all that happened in it


class ArchivedTurn(Struct, frozen=True, kw_only=True):
    """A chapter that is over, as a stranger may see it."""

    number: int  # from 0, the opening
    round: int
    last: int  # the number of its last entry
    digest: str  # of that entry: the log up to here
    at: int
    sent: tuple[Sent, ...]
    drawings: tuple[Drawing, ...]
    events: tuple[Mapping[str, Any], ...]
    before: View
    after: View
    awaited: tuple[parts.Awaited, ...]
    kept: tuple[parts.Kept, ...]  # rows of the move order sheet
    done: tuple[Done, ...]  # what else was done beside the orders
    press: tuple[Conversation, ...]  # since the turn before


class OfSeason(Struct, frozen=True, kw_only=True):
    """The table of a league that a game is."""

    league: str
    season: int
    table: int


class GameFacts(Struct, frozen=True, kw_only=True):
    """What there is to say about all of a game."""

    game: str
    setup: Setup
    rules: sections.RulesInForce  # what was agreed on
    created: int
    finished: bool
    commitment: str
    secret: str | None  # None until the game is over
    people: Mapping[str, int]  # by seat: the number of the person who sits there; nobody's while that is hidden
    who: Mapping[str, str]  # the people's names by seat, where they were hidden and are told now

    def shared(self) -> dict[str, Any]:
        """These facts alone, for another record that has them."""
        return {name: getattr(self, name) for name in GameFacts.__struct_fields__}


class GameArchive(GameFacts, frozen=True, kw_only=True):
    """What is new of a game."""

    kept: int  # turns that stay as they are in the archive
    opened: int | None  # when the game is over: the first turn of which something was veiled till then
    turns: tuple[ArchivedTurn, ...]  # those that follow; the newest is always among them
    deadlines: Mapping[str, int | None]  # of those who must answer now, by seat
    press: tuple[Conversation, ...]  # since the newest turn
    done: tuple[Done, ...]  # beside the orders, since the newest turn; only when the game is over
    logged: int  # entries of the log that stay as they are in the archive
    log: tuple[bytes, ...] | None  # those that follow, from the first secret on veiled; None while it would tell one
    record: str | None  # the play file, up to the first entry that is veiled; None while it would tell a secret
    of_season: OfSeason | None = None


class Held(Struct, frozen=True, kw_only=True):
    """What an archive has of a game."""

    digests: tuple[str, ...] = ()  # of the last entry of each turn
    logged: int = 0  # entries of its log


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
    lines = [*raws[:told]] if finished else _veiled(loaded, run.over[-1].after.state, entries[:told], raws)
    opened = _veiled_from(run) if finished else None
    same = min(_in_common(held.digests, run), len(run.over) - 1, len(run.over) if opened is None else opened)
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
        opened=opened,
        turns=tuple(_turn(loaded, run, n, _between(press, *ends[n : n + 2])) for n in range(same, len(run.over))),
        deadlines={each.seat: each.deadline for each in awaited(work.repository, game, work.session(game))},
        press=_between(press, ends[-1]),
        done=tuple(_beside(run.begun)) if finished else (),
        of_season=_of_season(work, game),
        logged=0 if finished else held.logged,
        log=tuple(lines[0 if finished else held.logged :]) if is_open else None,
        record=play_file(game.id, loaded, entries[: beginning(lines)]) if is_open else None,
    )


def _of_season(work: UnitOfWork, game: Game) -> OfSeason | None:
    found = work.repository.table_of(game.id)
    if found is None:
        return None
    book = work.season(found.season).book
    return OfSeason(league=book.league, season=book.number, table=found.number)


def _veiled(loaded: LoadedGame, state: AnyState, entries: Sequence[AnyEntry], raws: Sequence[bytes]) -> list[bytes]:
    """What may be published of the log now: up to the first entry with a secret all of it.

    From there on nobody could play it again anyhow, and which entries have one nobody may know: all are veiled.
    """
    first = next((entry.seq for entry in entries if has_secrets(loaded.rules, state, entry)), len(entries))
    return [*raws[:first], *veiled(raws[first : len(entries)])]


def _veiled_from(run: Stretch) -> int | None:
    """The first chapter of which something was not told while the game went on."""
    hidden = (any(each.veil and each.veil.hides for each in chapter.entries) for chapter in run.over)
    return next((number for number, is_hidden in enumerate(hidden) if is_hidden), None)


def _names_people(entries: Iterable[AnyEntry]) -> bool:
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


def _kept(chapter: Chapter) -> Iterator[parts.Kept]:
    """With the numbers of their entries in the place of where these stand in the log."""
    for row in sheet(_done_in(chapter)):
        yield replace(row, seq=chapter.after.count.number(row.seq))


def _beside(chapter: Chapter) -> Iterator[Done]:
    """But for what the move order sheet tells."""
    return (each for each in _done_in(chapter) if not isinstance(each.act, TimeKept))


def _sent(loaded: LoadedGame, chapter: Chapter) -> Iterator[Sent]:
    """Those that came alike in one letter together."""
    for at, entries in groupby(chapter.entries, key=lambda entry: entry.at):
        yield from (Sent(at=at, **asdict(said)) for said in said_in(loaded, [*entries]))


def _turn(loaded: LoadedGame, run: Stretch, number: int, press: tuple[Conversation, ...]) -> ArchivedTurn:
    chapter = run.over[number]
    last = chapter.entries[-1]
    chapter = chapter.shown(loaded.rules, run.over[-1].after.state, None)
    return ArchivedTurn(
        number=chapter.before.turn,
        round=loaded.rules.round(chapter.before.state),
        last=int(last.called),
        digest=last.hash,
        at=last.at,
        sent=tuple(_sent(loaded, chapter)),
        drawings=tuple(
            Drawing(entry=entry.called, draws=tuple(entry.draws), events=events_of([entry]))
            for entry in chapter.entries
            if entry.draws
        ),
        events=events_of(chapter.entries),
        before=loaded.rules.view(chapter.before.state, None),
        after=loaded.rules.view(chapter.after.state, None),
        awaited=tuple(
            parts.Awaited(seat=d.seat, kind=d.kind, about=d.about, deadline=None)
            for d in loaded.rules.pending(chapter.after.state)
        ),
        kept=tuple(_kept(chapter)),
        done=tuple(seen(loaded.rules, chapter.after.state, each) for each in _beside(chapter)),
        press=press,
    )
