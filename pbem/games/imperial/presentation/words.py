"""The words of Imperial: how nations, places and amounts are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from pbem.core.notation import Names
from pbem.core.presenter import Speaker, Voice
from pbem.games.imperial.data.editions import display_names, order_language, words
from pbem.games.imperial.notation.grammar import GIVEN_WORDS
from pbem.games.imperial.notation.write import DID
from pbem.games.imperial.presentation.tables import Stack

ORDERS = "en"  # the language whose words stand in the orders that we keep
WORDS = ("spaces", "units", "words")  # kinds of names that are words of the orders; the others are told by their ids


class ImperialVoice(Voice):
    """How Imperial is spoken about."""

    @property
    def folder(self) -> str:
        return "games/imperial"

    def names(self, language: str) -> Mapping[str, Mapping[str, str]]:
        return display_names(language)

    def ids(self) -> Mapping[str, str]:
        return _ids()

    def in_orders(self, language: str) -> Mapping[str, str]:
        names = display_names(language)
        kinds = ("regions", "nations") if language == ORDERS else (*WORDS, "regions", "nations")
        return {id_: called for kind in kinds for id_, called in names[kind].items()}

    def filters(self, speaker: Speaker) -> Mapping[str, Callable[..., Any]]:
        def nation(id_: str, form: str = "") -> str:
            return speaker.formed("nations", id_, form)

        def place(id_: str, form: str = "the") -> str:
            return speaker.formed("regions", id_, form)

        def region(id_: str) -> str:
            return speaker.formed("regions", id_, "")

        def stack(one: Stack) -> str:
            count = f"{one.count} " if one.count > 1 else ""
            note = f" ({speaker.say(f'notes.{one.note}')})" if one.note else ""
            return f"{count}{region(one.region)}{note}"

        def holdings(bonds: Mapping[str, Sequence[int]]) -> str:
            """Bonds by nation: Italy 2 + 12, Germany 9."""
            return speaker.comma([f"{nation(id_)} {' + '.join(map(str, prices))}" for id_, prices in bonds.items()])

        return {
            "nation": nation,
            "region": region,
            "place": place,
            "places": lambda ids, form="the": speaker.listed([place(id_, form) for id_ in ids]),
            "regions": lambda ids: speaker.comma(map(region, ids)),
            "space": speaker.word_of("spaces"),
            "status": speaker.word_of("status"),
            "action": speaker.word_of("actions"),
            "units": lambda count, unit, **_: speaker.counted(count, f"units.{unit}"),
            "factories": lambda count: speaker.counted(count, "things.factory"),
            "flags": lambda count: speaker.counted(count, "things.flag"),
            "money": lambda amount: speaker.say("money", amount=amount),
            "tax": tax,
            "stacks": lambda stacks: speaker.comma(map(stack, stacks)),
            "holdings": holdings,
            "bonds": lambda bonds: speaker.comma(f"{one['price']}\u00a0({one['interest']})" for one in bonds),
        }


def tax(marker: int) -> str:
    """What is printed at a space of the tax track."""
    return {5: "2–5", 15: "15+"}.get(marker, str(marker))


def vocabulary(commands: Names) -> Mapping[str, Names]:
    """Everything a player may write, by table of the manual; the words of orders are none of the commands."""
    known = order_language()
    spaces = {id_: ways for kind, names in known.names.items() if kind.startswith("S_") for id_, ways in names.items()}
    own = {kind.removeprefix("K_").lower(): ways for kind, ways in known.keywords.items() if kind not in GIVEN_WORDS}
    return {
        "spaces": spaces,
        "words": {**known.names["UNIT"], **known.names["STATUS"], **own},
        "done": {
            word: tuple(way for way in known.names["DONE"][space] if way not in spaces[space])
            for space, word in DID.items()
        },
        "commands": {id_: ways for id_, ways in commands.items() if id_ not in own},
        "nations": known.names["NATION"],
        "regions": known.names["REGION"],
    }


@cache
def _ids() -> Mapping[str, str]:
    return {way: id_ for names in words().values() for id_, ways in names.items() for way in ways}


VOICE = ImperialVoice()
