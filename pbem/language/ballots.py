"""Votes as people write them, one a line, in English, German or Italian: "I vote for P-1", "P-1: ja", "mi astengo".

A line that names a petition and has two readings is none: it is answered with how to vote, and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Literal

from msgspec import Struct, convert

from pbem.language.tokens import plain_signs
from pbem.language.words import TABLES, Ways, pattern

Vote = Literal["for", "against", "quorum"]
Does = Literal["vote", "withdraw", "unclear"]

VOTES = convert(TABLES["votes"], dict[Vote, Ways])  # they may not be shortened
# Said alone these answer whatever was asked: they vote where a petition is named, or its letter is answered.
IMPLIED = convert(TABLES["implied"], dict[Vote, Ways])
_SAID = [way for table in (VOTES, IMPLIED) for ways in table.values() for way in ways]
_THANKS = (*TABLES["prose"]["courtesies"], *TABLES["prose"]["smileys"])
_URGES = TABLES["prose"]["urges"]
_NAMED, _VOTING = pattern("named"), pattern("voting", words=_SAID)


class Ballot(Struct, frozen=True, kw_only=True):
    """A word about a petition. Without a number it is about the one that the letter answers."""

    does: Does
    number: int | None
    vote: Vote | None = None
    comment: str = ""
    implied: bool = False  # such as "yes" alone, which may answer something else

    @property
    def names_one(self) -> bool:
        """Is it a word about a petition, whatever letter it stands in?"""
        return self.number is not None and self.does != "unclear"


def torn(said: Iterable[tuple[int, Ballot]]) -> frozenset[int]:
    """The petitions on which these words vote in more than one way: nobody guesses which is meant."""
    found: dict[int, set[Vote]] = {}
    for number, each in said:
        found.setdefault(number, set()).update([each.vote] if each.vote else [])
    return frozenset(number for number, votes in found.items() if len(votes) > 1)


def ballot(line: str, is_power: Callable[[str], bool]) -> Ballot | None:
    """What the line says about a petition; None when it is about none, or what a moderator writes."""
    if line.lstrip().startswith(">"):
        return None
    line = plain_signs(line)
    named = {int(number) for number in _NAMED.findall(line)}
    said = [] if len(named) > 1 else [*_read(line)]
    if len({(each.does, each.vote) for each in said}) == 1:
        return said[0]
    is_unclear = bool(named) and _VOTING.search(line) is not None and not is_power(line)
    return Ballot(does="unclear", number=min(named)) if is_unclear else None


def _read(line: str) -> Iterator[Ballot]:
    """All readings."""
    for does, vote, implied, form in _ballots():
        found = form.fullmatch(line)
        if found:
            facts = found.groupdict()
            number = int(facts["number"]) if facts.get("number") else None
            comment = (facts.get("comment") or "").strip(" \t:,;-–—").lstrip(".! ")
            yield Ballot(does=does, number=number, vote=vote, comment=comment, implied=implied and number is None)


@cache
def _ballots() -> list[tuple[Does, Vote | None, bool, re.Pattern[str]]]:
    """What a line does, for which vote, whether it is implied, and how it is written.

    A vote stands alone, before the petition or behind it: what is said with it must not begin as another vote.
    """
    found: list[tuple[Does, Vote | None, bool, re.Pattern[str]]] = []
    for vote in VOTES:
        said_along = (*_THANKS, *_URGES) if vote == "for" else _THANKS
        others = [way for way in _SAID if way not in (*VOTES[vote], *IMPLIED[vote])]
        for words, implied in ((VOTES[vote], False), (IMPLIED[vote], True)):
            for form in ("vote_alone", "vote_before", "vote_behind", "vote_led") if words else ():
                is_implied = implied and form != "vote_led"
                found.append(("vote", vote, is_implied, pattern(form, words=words, others=others, thanks=said_along)))
    return [*found, *(("withdraw", None, False, pattern(form)) for form in ("withdraw", "withdraw_around"))]
