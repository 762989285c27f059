"""Votes as people write them, one a line, in English, German or Italian: "I vote for P-1", "P-1: ja", "mi astengo".

A line that names a petition and has two readings is none: it is answered with how to vote, and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal

from msgspec import Struct, convert

from pbem.language.words import TABLES, Ways, either

Vote = Literal["for", "against", "quorum"]
Does = Literal["vote", "withdraw", "unclear"]

VOTES = convert(TABLES["votes"], dict[Vote, Ways])  # they may not be shortened
# Said alone these answer whatever was asked: they vote where a petition is named, or its letter is answered.
IMPLIED = convert(TABLES["implied"], dict[Vote, Ways])
WITHDRAW = TABLES["ballots"]["withdraw"]

_REFERENCE = (
    r"(?:(?:the|den|la|dem|der|alla|della)\s+)?(?:(?:petition|antrag|petizione)\s+)?"
    r"P(?:\s*[-‐‑–—])?\s*(?P<number>\d{1,4})(?!\w)"
)
_LEAD = (
    r"(?:(?:(?:i|we|io|ich|wir|noi)\s+)?(?:vote|voto|votiamo|stimme|stimmen|am|are|sono|siamo|bin|sind|say|sage|dico)"
    r"|i|ich|io|i['’]m|my vote(?:\s+is)?|meine stimme(?:\s+ist)?|il mio voto(?:\s+è)?)(?:\s*:)?\s+"
)
_LINK = r"(?:\s+(?:to|on|of|from|with|mit|bei|zu|zum|zur|über|a|ad|su|di|alla|per|for|für))?"
_NAMED = re.compile(r"\bP[-‐‑–—]?(\d{1,4})\b", re.IGNORECASE)


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


def ballot(line: str, is_power: Callable[[str], bool]) -> Ballot | None:
    """What the line says about a petition; None when it is about none, or what a moderator writes."""
    if line.lstrip().startswith(">"):
        return None
    named = {int(number) for number in _NAMED.findall(line)}
    said = [] if len(named) > 1 else [*_read(line)]
    if len({(each.does, each.vote) for each in said}) == 1:
        return said[0]
    is_unclear = bool(named) and _voting().search(line) is not None and not is_power(line)
    return Ballot(does="unclear", number=min(named)) if is_unclear else None


def _read(line: str) -> Iterator[Ballot]:
    """All readings."""
    for does, vote, implied, pattern in _ballots():
        found = pattern.fullmatch(line)
        if found:
            facts = found.groupdict()
            number = int(facts["number"]) if facts.get("number") else None
            comment = (facts.get("comment") or "").strip(" \t:,;-–—").lstrip(".! ")
            yield Ballot(does=does, number=number, vote=vote, comment=comment, implied=implied and number is None)


@cache
def _voting() -> re.Pattern[str]:
    words = [*WITHDRAW, "vote", "stimme", "voto", "zustimmen", "agree"]
    words += [word for table in (VOTES, IMPLIED) for each in table.values() for word in each]
    return re.compile(rf"\b{either(words)}\b", re.IGNORECASE)


@cache
def _ballots() -> list[tuple[Does, Vote | None, bool, re.Pattern[str]]]:
    """What a line does, for which vote, whether it is implied, and how it is written."""
    found: list[tuple[Does, Vote | None, bool, re.Pattern[str]]] = []
    for vote in VOTES:
        for table, implied in ((VOTES, False), (IMPLIED, True)):
            if table[vote]:
                words = either(table[vote])
                found += [("vote", vote, implied, _line(form)) for form in _forms(words, _others(vote))]
                found.append(("vote", vote, False, _line(rf"{_LEAD}{words}{_END}")))
    for form in (rf"{either(WITHDRAW)}\s+{_REFERENCE}", rf"ziehe?\s+{_REFERENCE}\s+zurück"):
        found.append(("withdraw", None, False, _line(form + _END)))
    return found


_END = r"(?:\s*[.!])*"


def _others(vote: Vote) -> str:
    return either(word for table in (VOTES, IMPLIED) for each in table if each != vote for word in table[each])


def _forms(words: str, others: str) -> tuple[str, ...]:
    """A word alone, before the petition, and behind it. What is said with it must not begin as another vote."""
    rest = rf"(?P<comment>(?:[.!]*\s*[:,;–—-]+.*|[.!]+(?:\s.*)?|\s+(?!{others}\b|\?).*)?)"
    apart = r"(?P<comment>(?:\s*[:,;.!–—-].*)?)"
    before = rf"(?:{_LEAD})?{words}{_LINK}(?:\s*:\s*|\s+){_REFERENCE}"
    return (words + _END, before + rest, rf"{_REFERENCE}\s*(?:[:,]\s*)?(?:{_LEAD})?{words}{apart}")


def _line(form: str) -> re.Pattern[str]:
    return re.compile(rf"\s*{form}\s*", re.IGNORECASE)
