"""Who plays for a seat that nobody plays for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from pbem.core.decision import Decision


class Bot(Protocol):
    """Plays one game, as a person could; the same position always brings the same answer."""

    def __call__(self, rules: Any, state: Any, decision: Decision, /) -> Any:
        """The order that answers, by its game's `Rules`, decided by what the seat that is asked may see."""
        ...


Bots = Mapping[str, Bot]  # by the id of the game that they play
