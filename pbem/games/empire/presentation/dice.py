"""What the ledger tells of the lots of an entry: the face of each die, and what followed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pbem.core.chance import Draw
from pbem.core.presenter import Event, Throw

_PURPOSE = re.compile(r"(?:P?\d+ )?(?:\d+\.\d+ )?(.+) (\d+)")  # entry and slot, what for, and which one of it
_CARD = re.compile(r"(deck \d) place .+")
_CARDS = {"cards_drawn": "deck 1", "order_drawn": "deck 2"}  # the notes that tell them


def throws(draws: Sequence[Draw], events: Sequence[Event]) -> list[Throw]:
    """Each lot; cards and squares, which are drawn as well, have no face."""
    dice, cards = dict(_dice(events)), dict(_cards(events))
    return [_throw(draw.result, _told(draw, dice), _card(draw, cards)) for draw in draws]


def _throw(result: int, die: tuple[Event, ...], card: tuple[Event, ...]) -> Throw:
    return Throw(face=result + 1, followed=die) if die else Throw(followed=card)


def _told(draw: Draw, dice: Mapping[tuple[str, int], tuple[Event, ...]]) -> tuple[Event, ...]:
    named = _PURPOSE.fullmatch(draw.purpose)
    return dice.get((named[1], int(named[2])), ()) if named else ()


def _card(draw: Draw, cards: Mapping[str, tuple[Event, ...]]) -> tuple[Event, ...]:
    deck = _CARD.search(draw.purpose)
    return cards.get(deck[1], ()) if deck else ()


def _dice(events: Sequence[Event]) -> Iterator[tuple[tuple[str, int], tuple[Event, ...]]]:
    """By what a die was for and which one of it: the event that tells its throw, and the note behind it."""
    counts: dict[str, int] = {}
    for place, event in enumerate(events):
        if event["type"] == "Rolled":
            what, first = event["purpose"], counts.get(event["purpose"], 0) + 1
            counts[what] = first + len(event["faces"]) - 1
            behind = [one for one in events[place + 1 : place + 2] if one["type"] == "Noted"]
            for number in range(first, counts[what] + 1):
                yield (what, number), (event, *behind)


def _cards(events: Sequence[Event]) -> Iterator[tuple[str, tuple[Event, ...]]]:
    for event in events:
        if event["type"] == "Noted" and event["what"] in _CARDS:
            yield _CARDS[event["what"]], (event,)
