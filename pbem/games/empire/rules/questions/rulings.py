"""What the moderator rules where an option says `referee` (language.md, section 7)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pbem.core.decision import MODERATOR
from pbem.games.empire.rules.asked import Question
from pbem.games.empire.rules.orders import Ruling
from pbem.games.empire.rules.questions.asking import answered
from pbem.games.empire.rules.world import World

CHOICES = {
    "land_crt": ("AE", "AR", "EX", "DR", "DE"),
    "naval_steps": ("stays", "sinks"),
    "naval_unarmed": ("none", "cargo", "sunk"),
    "naval_convoy": ("allowed", "refused"),
}


def is_asked(w: World, option: str) -> bool:
    return w.options[option] == "referee"


def ruled(w: World, option: str, about: str, usual: str, countries: Collection[str], **facts: Any) -> str:
    """One of the choices; `usual`: what counts where nobody rules. `countries`: whose cause it is."""
    parties = tuple(dict.fromkeys(seat for seat in map(w.player, countries) if seat is not None))
    told = {"rule": option, "choices": list(CHOICES[option]), "usual": usual, **facts}
    question = Question(
        seat=MODERATOR, kind="ruling", about=about, facts=told, default=Ruling(choice=usual), concerned=parties
    )
    answer = answered(w, question)
    if not isinstance(answer, Ruling):
        return usual
    w.note("ruled", rule=option, about=about, choice=answer.choice)
    return answer.choice
