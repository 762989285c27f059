"""Which seats a bot holds: the player is silent or gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.host.ports import Slot
from pbem.host.session.acts import BotLeft, BotSeated, Done, Seated


def held(done: Sequence[Done]) -> Mapping[str, BotSeated]:
    """The seats for which a bot answers."""
    found: dict[str, BotSeated] = {}
    for each in done:
        match each.act:
            case BotSeated() as act:
                found[act.seat] = act
            case BotLeft(seat=seat) | Seated(seat=seat):
                found.pop(seat, None)
            case _:
                pass
    return found


def is_bots(slot: Slot) -> bool:
    """Does a bot answer there? It has no deadline, but something to do."""
    return slot.due is not None and slot.deadline is None
