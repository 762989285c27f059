"""What of an entry not all may see: who is told what of it, and what is veiled where it is published."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.chance import Chance
from pbem.core.decision import Answer
from pbem.core.game import AnyEntry, AnyEvent, AnyOrder, AnyRules, AnyState, Unheard
from pbem.core.log import Veil
from pbem.core.refusal import Illegal
from pbem.core.seat import Viewer


def shown(rules: AnyRules, state: AnyState, entry: AnyEntry, viewer: Viewer) -> AnyEntry:
    """An entry as somebody may see it, when the game stands so."""
    seen = (rules.seen(state, event, viewer) for event in entry.events)
    events = tuple(event for event in seen if event is not None)
    unheard = rules.unheard(state, entry.events, viewer)
    if events == entry.events and unheard == Unheard():
        return entry
    if unheard.order:
        return replace(entry, answers=(), draws=(), events=events)
    draws = tuple(draw for place, draw in enumerate(entry.draws) if place not in unheard.draws)
    return replace(entry, draws=draws, events=events)


def has_secrets(rules: AnyRules, state: AnyState, entry: AnyEntry) -> bool:
    """Is there anything in it that a stranger may not see, when the game stands so?"""
    return shown(rules, state, entry, None) is not entry


def counts_apart(rules: AnyRules, before: AnyState, after: AnyState, events: Sequence[AnyEvent]) -> bool:
    """Is it a sealed entry of those that nobody may count? That a chapter is over everybody learns."""
    unheard = rules.unheard(after, events, None) if rules.has_veils else Unheard()
    return unheard.order and unheard.apart and rules.chapter(after) == rules.chapter(before)


class Drawn(Struct, frozen=True, kw_only=True):
    """What happens of answers, and what it was drawn from."""

    events: Sequence[AnyEvent]
    state: AnyState  # after them
    chance: Chance
    sealed: bool  # was it drawn for an entry that counts apart?


def resolve(
    rules: AnyRules, state: AnyState, answers: Sequence[Answer[AnyOrder]], dice: Callable[[bool], Chance]
) -> Drawn:
    """What happens of these answers. Raises `Illegal`, before anything is drawn.

    `dice`: of the next entry, if it counts apart or not. That it does is seen by what comes of it; then its lots, if it
    has any, are drawn anew, by the number that it gets: unless it would count with the others by what comes of these.
    """
    drawn = _drawn(rules, state, answers, dice(False), sealed=False)
    if not counts_apart(rules, state, drawn.state, drawn.events):
        return drawn
    if not drawn.chance.draws:
        return replace(drawn, sealed=True)
    apart = _drawn(rules, state, answers, dice(True), sealed=True)
    return apart if counts_apart(rules, state, apart.state, apart.events) else drawn


def _drawn(
    rules: AnyRules, state: AnyState, answers: Sequence[Answer[AnyOrder]], chance: Chance, *, sealed: bool
) -> Drawn:
    try:
        resolved = rules.resolve(state, answers, chance)
    except Illegal as refusal:
        if chance.draws:
            raise RuntimeError(f"a die was drawn for an order that is refused: {refusal.code}") from refusal
        raise
    return Drawn(events=resolved.events, state=resolved.state, chance=chance, sealed=sealed)


def veil_of(rules: AnyRules, state: AnyState, events: Sequence[AnyEvent], salt: str) -> Veil:
    """Of the entry with these events, which led to that position."""
    hidden = tuple(place for place, event in enumerate(events) if rules.seen(state, event, None) != event)
    unheard = rules.unheard(state, events, None)
    return Veil(salt=salt, whole=unheard.order, events=hidden, draws=unheard.draws)
