"""The words in and about pictures, in the language of who looks at them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pbem.core.presenter import View
from pbem.games.imperial.data.editions import display_names
from pbem.games.imperial.presentation.tables import nation_rows
from pbem.games.imperial.presentation.words import VOICE
from pbem.render.wording import wording


class Speech:
    def __init__(self, language: str) -> None:
        self._wording = wording(VOICE, language, html=False)
        self.names = display_names(language)
        self.letters: Mapping[str, str] = {nation: self.say(f"letters.{nation}") for nation in self.names["nations"]}

    def say(self, key: str, /, **facts: Any) -> str:
        return self._wording.say(f"picture.{key}", **facts)

    def space(self, space: str) -> str:
        return self._wording.say(f"spaces.{space}")

    def title(self, view: View) -> str:
        """Whose move it is, in which round."""
        return self.say("title", round=view["round"], nation=view["nation"], finished=view["finished"])

    def told(self, view: View) -> str:
        """What the picture shows, for who can't see it; the text of the letter has the whole position."""
        lines = [self.say("row", **_row(row)) for row in nation_rows(view, None)]
        return " ".join([self.say("about", round=view["round"], nation=view["nation"]), *lines])


def _row(row: Any) -> dict[str, Any]:
    fleets, armies = (sum(stack.count for stack in stacks) for stacks in (row.fleets, row.armies))
    facts = {"nation": row.id, "seat": row.government, "treasury": row.treasury, "power": row.power}
    return {**facts, "armies": armies, "fleets": fleets, "flags": len(row.flags), "factories": len(row.factories)}


@cache
def speech(language: str) -> Speech:
    return Speech(language)
