"""Petitions, votes and remarks in a letter: one line of what is said with its text below, or one vote a line.

See docs/reference/procedure.md, sections 5 and 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct, convert

from pbem.core.refusal import Unreadable
from pbem.language.ballots import VOTES, Ballot, ballot
from pbem.language.stretches import IsOrder, Stretch, part
from pbem.language.tokens import fold
from pbem.language.words import HEADS, TABLES, Ways, pattern

Kind = Literal["change", "clarify", "suspend", "resume", "replace", "remove", "finish", "abort"]

KINDS = convert(TABLES["petitions"], dict[Kind, Ways])  # they may be shortened
SHORTEST = 3  # letters of a kind
SAYINGS = tuple(way for ways in (HEADS["petition"], *KINDS.values(), *VOTES.values()) for way in ways)
FORMS = {"interpret": "interpret NAME 3: …", "object": "object R-3: …"}

_PETITION, _REMARK, _END, _SET = map(pattern, ("petition", "remark", "end", "set"))
_REPLACED, _REMOVED, _ORGANISER = map(pattern, ("replace", "remove", "organiser"))
_ABOUT = {"interpret": pattern("interpret"), "object": pattern("object")}

IsPower = Callable[[str], bool]  # would a moderator's letter use the line?


class Motion(Struct, frozen=True, kw_only=True):
    """A petition as it was written; what it asks for is for the host to read."""

    kind: Kind
    said: str  # behind the kind: its title, of a suspension its length first, of a replacement the seat
    text: str  # below
    sets: tuple[tuple[str, str], ...]  # options and the values they are to have

    @property
    def words(self) -> str:
        """All of it that others read."""
        return f"{self.said}\n{self.text}"


class Whom(Struct, frozen=True, kw_only=True):
    """Who is to go: "claudia by dora@example.org: she is silent", "moderator zoe: no answers"."""

    who: str  # a seat or a moderator, as written; "" when nobody is named
    address: str  # of who is to have the seat, in lower case; "" when nobody is named
    why: str


class Remark(Struct, frozen=True, kw_only=True):
    """How a player reads another's order, or that they object to a report, as it was written."""

    kind: Literal["interpret", "object"]
    seat: str = ""  # of an interpretation: whose words are meant, as written
    turn: int  # in which they were written, or whose report is objected to
    text: str

    @property
    def words(self) -> str:
        """What of it others read."""
        return self.text


class Saying(Stretch, kw_only=True):
    """A petition, a vote or a remark."""

    vote: Ballot | None  # what it says about a petition; of a petition and a remark it means nothing


def part_petitions(lines: Sequence[str], is_power: IsPower) -> tuple[list[str], list[Saying]]:
    """The lines without petitions, votes and remarks, each still at its number; and these."""
    return part(
        lines,
        lambda number, line, is_open: _begun(number, line, is_open, is_power),
        lambda line: _END.fullmatch(line) is not None,
    )


def _begun(number: int, line: str, is_open: bool, is_power: IsPower) -> Saying | None:
    """A vote begins nothing within the text of a petition."""
    said, is_petition, is_remark = ballot(line, is_power), _PETITION.fullmatch(line), _REMARK.fullmatch(line)
    if not (is_petition or is_remark or (said and not is_open)):
        return None
    is_vote = said is not None and (said.does != "unclear" or not is_petition)
    return Saying(
        kind="remark" if is_remark else "vote" if is_vote else "petition", line=number, first=line.strip(), vote=said
    )


def is_about_petitions(line: str, is_power: IsPower) -> bool:
    """Would the line be taken for the beginning or the end of a petition or remark, or for a vote that names one?"""
    said = ballot(line, is_power)
    is_fixed = any(pattern.fullmatch(line) for pattern in (_PETITION, _REMARK, _END))
    return is_fixed or (said is not None and said.names_one)


def read_saying(part: Saying, is_order: IsOrder) -> Motion | Ballot | Remark:
    """Raises `Unreadable`."""
    match part.kind:
        case "petition":
            return _motion(part, is_order)
        case "remark":
            return _remark(part, is_order)
    assert part.vote, "what is a vote was read as one"
    return part.vote


def read_replaced(said: str) -> Whom:
    """What stands behind the kind of a petition to replace somebody."""
    found = _REPLACED.fullmatch(" ".join(said.split()))
    assert found, "any text fits"
    return _whom(found)


def read_removed(said: str) -> Whom | None:
    """What stands behind the kind of a petition to remove somebody; None when it is about no moderator."""
    found = _REMOVED.fullmatch(" ".join(said.split()))
    return None if found is None else _whom(found)


def read_organiser(said: str) -> Whom | None:
    """Who is to lead a league, behind the kind of a petition to replace; None where nobody is named."""
    found = _ORGANISER.fullmatch(" ".join(said.split()))
    who = found["who"].strip(" ,;") if found else ""
    return Whom(who=who, address=who.lower() if "@" in who else "", why=found["why"] or "") if found else None


def _whom(found: re.Match[str]) -> Whom:
    told = found.groupdict(default="")
    return Whom(who=told["who"].strip(" ,;"), address=told.get("address", "").lower(), why=told["why"].strip())


def _motion(part: Saying, is_order: IsOrder) -> Motion:
    found = _PETITION.fullmatch(part.first)
    assert found, "a petition begins with its word"
    sets = [each for _, line in part.below if (each := _SET.fullmatch(line))]
    part.check_below(lambda line: not _SET.fullmatch(line) and is_order(line))
    text = "\n".join(line for _, line in part.below if not _SET.fullmatch(line)).strip()
    told = tuple((each["key"].lower(), each["value"]) for each in sets)
    return Motion(kind=_kind(found["kind"], part.line), said=found["rest"].strip(), text=text, sets=told)


def _kind(written: str, line: int) -> Kind:
    word = fold(written).strip()
    meant = [kind for kind, names in KINDS.items() if any(_begins(fold(name), word) for name in names)]
    if len(meant) != 1:
        kinds = tuple(names[0] for names in KINDS.values())
        raise Unreadable("petition.kind", line=line, column=1, read=written, candidates=kinds)
    return meant[0]


def _begins(name: str, word: str) -> bool:
    return name == word or (len(word) >= SHORTEST and name.startswith(word))


def _remark(part: Saying, is_order: IsOrder) -> Remark:
    found = _REMARK.fullmatch(part.first)
    assert found, "a remark begins with its word"
    part.check_below(is_order)
    kind: Literal["interpret", "object"] = "interpret" if found["interpret"] else "object"
    about = _ABOUT[kind].fullmatch(found["about"].strip())
    if about is None:
        raise Unreadable("remark.unreadable", line=part.line, column=1, read=part.first, form=FORMS[kind])
    said = "\n".join([found["rest"].strip(), *(text for _, text in part.below)]).strip()
    return Remark(kind=kind, seat=about.groupdict().get("seat", ""), turn=int(about["turn"]), text=said)
