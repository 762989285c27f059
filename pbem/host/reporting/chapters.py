"""The course of a game in chapters: a report is due when one is over, and till then its answers may be sealed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.game import AnyEntry, AnyOrder, AnyRules, AnyState
from pbem.core.log import live
from pbem.core.seat import Viewer
from pbem.host.clock.time_sheet import sheet
from pbem.host.messages.parts import Said, TurnReport
from pbem.host.session.acts import Act, Corrected, Dealt, Done, TimeKept, read_act
from pbem.host.session.position import Position, positions
from pbem.host.session.session import LoadedGame
from pbem.host.session.veils import shown


class Chapter(Struct, frozen=True, kw_only=True):
    """A few entries of a game, with the positions before and after them."""

    entries: tuple[AnyEntry, ...]
    before: Position
    after: Position

    def shown(self, rules: AnyRules, state: AnyState, viewer: Viewer) -> Chapter:
        """As somebody may see it when the game stands so: in the end they may see more than when it was over."""
        return replace(self, entries=tuple(shown(rules, state, each, viewer) for each in self.entries))


class Stretch(Struct, frozen=True, kw_only=True):
    """A part of a game without what was taken back: the chapters that are over, and what there is of the next one."""

    over: tuple[Chapter, ...]
    begun: Chapter  # without entries when nothing has happened since

    @property
    def before(self) -> Position:
        return self.over[0].before if self.over else self.begun.before

    def shown(self, rules: AnyRules, viewer: Viewer) -> Stretch:
        """As somebody may see it at its end."""
        state = self.begun.after.state
        over = tuple(each.shown(rules, state, viewer) for each in self.over)
        return Stretch(over=over, begun=self.begun.shown(rules, state, viewer))

    def since(self, first: int) -> Stretch:
        """Without the chapters that ended before this entry."""
        return Stretch(over=tuple(each for each in self.over if each.after.seq >= first), begun=self.begun)


def stretch(loaded: LoadedGame, start: Position, entries: Sequence[AnyEntry]) -> Stretch:
    """What happened since a position in which a chapter began; none of the entries may go back behind it."""
    course = positions(loaded.rules, start, entries)
    over: list[Chapter] = []
    before, begun = start, 0
    kept = live(entries)
    for place, entry in enumerate(kept, 1):
        after = course[entry.seq - start.seq]
        if after.since > entry.seq:
            over.append(Chapter(entries=tuple(kept[begun:place]), before=before, after=after))
            before, begun = after, place
    return Stretch(over=tuple(over), begun=Chapter(entries=tuple(kept[begun:]), before=before, after=course[-1]))


def ended(over: tuple[Chapter, ...]) -> Stretch:
    """These chapters, and nothing of the next one."""
    after = over[-1].after
    return Stretch(over=over, begun=Chapter(entries=(), before=after, after=after))


def whole(loaded: LoadedGame, entries: Sequence[AnyEntry]) -> Stretch:
    """A whole game, from all of its log."""
    return stretch(loaded, blank(loaded), entries)


def blank(loaded: LoadedGame) -> Position:
    return Position(state=loaded.rules.blank(loaded.terms.setup))


def seen(rules: AnyRules, state: AnyState, done: Done) -> Done:
    """What of it everybody may know: a correction may tell what is secret, which each finds in their own view."""
    is_secret = rules.hides(state) or (done.is_veiled and not rules.finished(state))
    if isinstance(done.act, Corrected) and is_secret:
        return replace(done, act=replace(done.act, lines=()))
    return done


# -- what is told of them ---


def turn(loaded: LoadedGame, chapter: Chapter) -> TurnReport:
    return TurnReport(
        number=chapter.before.turn,
        round=loaded.rules.round(chapter.before.state),
        said=said_in(loaded, chapter.entries),
        events=events_of(chapter.entries),
        kept=sheet(done_in(chapter.entries)),
    )


def done_in(entries: Iterable[AnyEntry]) -> list[Done]:
    """What was done in these entries beside the orders."""
    return [Done(seq=e.seq, at=e.at, turn=0, act=read_act(e.act)) for e in entries if e.act is not None]


def act_of(entry: AnyEntry) -> Act | None:
    return None if entry.act is None else read_act(entry.act)


def dealt_in(opening: AnyEntry) -> Dealt | None:
    """What a league has drawn for the game."""
    act = act_of(opening)
    return act if isinstance(act, Dealt) else None


def time_kept_in(entry: AnyEntry) -> TimeKept | None:
    """How the time of its questions ended; the first releases did not write that down."""
    act = act_of(entry)
    return act if isinstance(act, TimeKept) else None


def said_in(loaded: LoadedGame, entries: Iterable[AnyEntry]) -> tuple[Said, ...]:
    """The orders in these entries, each once, those that came alike together; what nobody wrote has no text."""
    said: list[Said] = []
    for entry in entries:
        for answer in entry.answers[:1]:
            text = order_text(loaded, answer.order)
            one = Said(seat=answer.seat, text=text, cause=_cause(entry), deputy=deputy_in(entry))
            if said and text and said[-1].text and replace(said[-1], text=text) == one:
                one = replace(one, text=f"{said.pop().text}\n{text}")
            said.append(one)
    return tuple(said)


def _cause(entry: AnyEntry) -> str:
    """Why it counts: it was written, by whomever, or time was ended, by the clock or by hand."""
    kept = time_kept_in(entry)
    if kept and kept.why:
        return "closed"
    return "deputy" if deputy_in(entry) else entry.cause.kind


def deputy_in(entry: AnyEntry) -> str:
    """Who wrote it in the place of its player; "" when nobody did."""
    kept = time_kept_in(entry)
    return kept.deputy if kept else ""


def order_text(loaded: LoadedGame, order: AnyOrder) -> str:
    """The order in the order language; "" for what can't be written, as a skipped turn."""
    rules = loaded.rules
    word = f"{loaded.parser.commands.by_name['standing'].ways[0]} " if rules.files.standing_in_position(order) else ""
    try:
        return word + rules.notation.write(order)
    except ValueError:
        return ""


def events_of(entries: Iterable[AnyEntry]) -> tuple[Mapping[str, Any], ...]:
    return tuple(msgspec.to_builtins(event) for entry in entries for event in entry.events)
