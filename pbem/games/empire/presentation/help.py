"""Under which order help explains a word of the order language, or a thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from pbem.games.empire.data.names import words
from pbem.games.empire.notation.grammar import ASSAULTS, OFFICIALS, VERBS

# By topic of the sentences `help.TOPIC`: the words that stand in that order, or belong to it.
_WORDS = {
    "capital": ("else",),
    "move": ("with", "hold", "from", "at", "goes"),
    "dock": ("beach", "sea"),
    "dive": ("surface",),
    "develop": ("grade",),
    "stop": ("manning",),
    "make": ("inside", "book", "first", "last", "spread"),
    "build": ("facing",),
    "births": ("on", "off", "no_births"),
    "arm": ("aboard",),
    "attack": ("support", "lose", "forward", "all"),
    "bomb": ("escort", "via", "home", "empty"),
    "standing": ("retreat", "scramble", "always", "yield", "protect", "of", "until", "fire", "ackack", "feed"),
}
# By topic: the kinds of things that it is about, as far as none of the things has a topic of its own.
_KINDS = {"make": ("goods", "made"), "build": ("factories", "items"), "develop": ("marks",), "install": ("guns",)}
_OWN = {*VERBS, *ASSAULTS, *OFFICIALS, "dock"}  # things with an id that is also a topic
_ARMED = ("sac", "brigade", "regiment", "unit", "pirate_ship")  # ends of the ids of what is armed, not made
_THINGS = {"worker": "move", "colony_piece": "colony", "cow": "births", "bull": "births", "sea_serpent": "turn"}


def topic_of(word: str) -> str:
    """The topic of a word or an id of a thing; the word itself where it is one, or nobody knows it."""
    return _topics().get(word, word)


@cache
def _topics() -> Mapping[str, str]:
    things = {id_: topic for id_, topic in _of_things() if id_ not in _OWN}
    return {**things, **_THINGS, **{word: topic for topic, own in _WORDS.items() for word in own}}


def _of_things() -> Iterable[tuple[str, str]]:
    for id_ in words()["kinds"]:
        yield id_, "arm" if id_.endswith(_ARMED) else "make"
    for topic, kinds in _KINDS.items():
        yield from ((id_, topic) for kind in kinds for id_ in words()[kind])
