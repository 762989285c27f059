"""What of an entry not all may see: who is told what of it, and what is veiled where it is published."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.game import AnyEntry, AnyEvent, AnyRules, AnyState, Unheard
from pbem.core.log import Veil
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


def is_sealed(rules: AnyRules, state: AnyState, entry: AnyEntry) -> bool:
    """Is there anything in it that a stranger may not see, when the game stands so?"""
    return shown(rules, state, entry, None) is not entry


def veil_of(rules: AnyRules, state: AnyState, events: Sequence[AnyEvent], salt: str) -> Veil:
    """Of the entry with these events, which led to that position."""
    hidden = tuple(place for place, event in enumerate(events) if rules.seen(state, event, None) != event)
    unheard = rules.unheard(state, events, None)
    return Veil(salt=salt, whole=unheard.order, events=hidden, draws=unheard.draws)
