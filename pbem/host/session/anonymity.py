"""Games in which nobody knows who the others are: neutral names for the seats, and nothing that tells of people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pbem.core.chance import Secrets
from pbem.core.refusal import Illegal
from pbem.host.ports import Address, Game, Letter, Person
from pbem.language.tokens import fold

_MOST_NAMES = 3  # that one person signs with

Anonymity = Literal["no", "until_end", "always"]

# Written alike in all our languages, each with a letter of its own, and no beginning of a name or word of the game.
NAMES = ("emu", "gnu", "ibis", "kiwi", "okapi", "panda", "yak", "zebra")


def neutral_names(count: int, lots: Secrets) -> list[str]:
    """So many names for seats, by lot. Raises `ValueError` when there are not so many.

    The lots are none of the game's own: its secret is published in the end, and who knows the players could draw again.
    """
    if count > len(NAMES):
        raise ValueError(f"an anonymous game has at most {len(NAMES)} players")
    return lots.sample(NAMES, count)


def is_hidden(game: Game, anonymous: Anonymity) -> bool:
    """Must nothing be told now of who sits where?"""
    return anonymous == "always" or (anonymous == "until_end" and game.status != "finished")


def who_was_who(game: Game, anonymous: Anonymity) -> Mapping[str, str]:
    """What is told when a game is over: the people's names by seat."""
    told = anonymous == "until_end"
    return {member.seat: member.person.name for member in game.members} if told else {}


def check_tells_nothing(text: str, person: Person, addresses: Sequence[Address], letter: Letter) -> None:
    """Press in which its writer gives themselves away by habit. Raises `Illegal`.

    That is one of their addresses or their whole name anywhere, and one of their names alone on a line: a signature.
    """
    folded = fold(text)
    names = {fold(name).strip() for name in (person.name, letter.name)} - {""}
    wholes = {each.address for each in addresses} | {name for name in names if " " in name}
    for whole in sorted(wholes):
        if re.search(rf"(?<!\w){re.escape(fold(whole))}(?!\w)", folded):
            raise Illegal("press.tells_who", read=whole)
    parts = {part for name in names for part in (name, *name.split())} | {_mailbox(each) for each in addresses}
    for line in _signatures(text):
        if fold(line) in parts or any(word in parts for word in fold(line).split()):
            raise Illegal("press.tells_who", read=line)


def _mailbox(address: Address) -> str:
    """What stands before the @: many write their names there."""
    return fold(address.address.rpartition("@")[0])


def _signatures(text: str) -> Iterator[str]:
    """What of each line could be a name: all of it, or what stands behind its last comma, if that is a few words."""
    for line in text.splitlines():
        for said in {line, line.rpartition(",")[2]}:
            stripped = said.strip(" .,;:!-–—*_~/")
            if len(stripped.split()) <= _MOST_NAMES:
                yield stripped
