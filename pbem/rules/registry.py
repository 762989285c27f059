"""The games there are; a table of each is made from its material."""

from __future__ import annotations

from typing import Any

from pbem.rules.imperial.game import Imperial

# The class that stands behind the door, by the game's id. Its states, orders and events are its own affair.
GAMES: dict[str, Any] = {"imperial": Imperial}
