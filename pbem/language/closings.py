"""How a letter ends that says nothing more: "Thanks, Anton", "Viele Grüße", "a presto"."""

from __future__ import annotations

from pbem.language.tokens import fold, tokenize
from pbem.language.words import TABLES

_WORDS = frozenset(
    word for kind in ("courtesies", "closings") for way in TABLES["prose"][kind] for word in fold(way).split()
)


def says_nothing(line: str, name: str = "") -> bool:
    """Are they the words with which a letter ends, or whoever's name that is?"""
    said = {token.text for token in tokenize(line, 1) if token.kind in ("WORD", "NUMBER")}
    return said <= {*_WORDS, *fold(name).split()}
