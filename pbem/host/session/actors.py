"""Who did something, as the log calls them: a seat by its name, all others by the words below."""

from __future__ import annotations

CLOCK = "clock"  # what happens by itself
BOT = "bot"  # whatever answers for a seat that it holds
OPERATOR = "operator"  # whoever runs the server
DEPUTY = "deputy"  # somebody who writes for a player and does not play
SUBSTITUTE = "substitute"  # somebody who would take a seat and does not play yet
NOMINEE = "nominee"  # somebody who was asked to lead a game, or to play
_MODERATOR, _PETITION = "moderator", "petition P-"


def moderator(name: str = "") -> str:
    """Somebody who leads the game; a play file has one without a name."""
    return f"{_MODERATOR} {name}".strip()


def petition(number: int) -> str:
    """What the players have decided by a petition."""
    return f"{_PETITION}{number}"


def petition_number(by: str) -> int | None:
    """Which petition it was that did it; None of anybody else."""
    return int(by.removeprefix(_PETITION)) if by.startswith(_PETITION) else None
