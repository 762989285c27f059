"""Petitions, votes and remarks in a letter: one line of what is said with its text below, or one vote a line.

They are parted from the orders before those are read, for what stands below a petition is kept as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct, convert

from pbem.core.refusal import Unreadable
from pbem.language.ballots import Ballot, ballot
from pbem.language.remarks import Remark, is_remark, read_remark
from pbem.language.tokens import ends_letter, fold
from pbem.language.words import TABLES, Ways

Kind = Literal["change", "clarify", "suspend", "resume", "replace", "remove", "finish", "abort"]

KINDS = convert(TABLES["petitions"], dict[Kind, Ways])  # they may be shortened
SHORTEST = 3  # letters of a kind

# Two runs of blanks never meet in these forms: what does not match would cost the square of a long run.
_HEAD = re.compile(
    r"\s*(?:petition|antrag|petizione)(?:\s*:)?\s+(?P<kind>[^\W\d]+)(?:\s*:)?(?P<rest>.*)", re.IGNORECASE
)
_ENDED = "petition|interpretation|objection|antrag|deutung|einspruch|petizione|interpretazione|obiezione"
_END = re.compile(rf"\s*(?:end|ende|fine)\s+(?:{_ENDED})\s*", re.IGNORECASE)
_SET = re.compile(r"\s*(?:set|setze|imposta)\s+(?P<key>[\w.]+)\s*[=:]\s*(?P<value>\S(?:.{0,300}\S)?)\s*", re.IGNORECASE)


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


class Stretch(Struct, kw_only=True):
    """The lines of one petition, vote or remark."""

    line: int  # where it begins, from 1
    head: str
    said: Ballot | None  # by its head, about a petition
    below: list[tuple[int, str]]  # with their numbers

    @property
    def place(self) -> tuple[int, int]:
        """The line and column at which it begins."""
        return self.line, 1

    @property
    def kind(self) -> Literal["petition", "vote", "remark"]:
        """The command that it is."""
        if is_remark(self.head):
            return "remark"
        return "petition" if self.vote is None else "vote"

    @property
    def vote(self) -> Ballot | None:
        """It, unless it begins as a petition and has no clear reading as a vote."""
        is_clear = self.said is not None and (self.said.does != "unclear" or _HEAD.fullmatch(self.head) is None)
        return self.said if is_clear else None

    @property
    def text(self) -> str:
        """All of it as written."""
        return "\n".join([self.head.strip(), *(line for _, line in self.below)]).rstrip()


def part_petitions(lines: Sequence[str], is_power: IsPower) -> tuple[list[str], list[Stretch]]:
    """The lines without petitions, votes and remarks, each still at its number; and these.

    A petition or a remark goes on to a line that ends it, to the next one, or to the end of the letter.
    """
    rest, found, is_open = [*lines], [], False
    for number, line in enumerate(lines, 1):
        if ends_letter(line):
            break
        said = ballot(line, is_power)
        if _goes_on(line) or (said and not is_open):
            found.append(Stretch(line=number, head=line, said=said, below=[]))
            is_open, rest[number - 1] = _goes_on(line), ""
        elif is_open:
            rest[number - 1] = ""
            is_open = _END.fullmatch(line) is None
            if is_open:
                found[-1].below.append((number, line.rstrip()))
    return rest, found


def _goes_on(line: str) -> bool:
    """Does it begin what may have more lines below?"""
    return _HEAD.fullmatch(line) is not None or is_remark(line)


def is_about_petitions(line: str, is_power: IsPower) -> bool:
    """Would the line be taken for the beginning or the end of a petition or remark, or for a vote that names one?"""
    said = ballot(line, is_power)
    return _goes_on(line) or _END.fullmatch(line) is not None or (said is not None and said.names_one)


def read_petition(part: Stretch, is_order: Callable[[str], bool]) -> Motion | Ballot | Remark:
    """Raises `Unreadable`; an order below a petition would be mailed to rivals."""
    if is_remark(part.head):
        return read_remark(part.head, part.line, part.below, is_order)
    if part.vote is not None:
        return part.vote
    found = _HEAD.fullmatch(part.head)
    assert found, "a stretch begins with a petition or a vote"
    for number, line in part.below:
        if not _SET.fullmatch(line) and is_order(line):
            raise Unreadable("petition.order_inside", line=number, column=1, read=line.strip())
    sets = [line for _, line in part.below if _SET.fullmatch(line)]
    text = "\n".join(line for _, line in part.below if not _SET.fullmatch(line)).strip()
    return Motion(kind=_kind(found["kind"], part.line), said=found["rest"].strip(), text=text, sets=_sets(sets))


def _kind(written: str, line: int) -> Kind:
    word = fold(written).strip()
    meant = [kind for kind, names in KINDS.items() if any(_begins(fold(name), word) for name in names)]
    if len(meant) != 1:
        kinds = tuple(names[0] for names in KINDS.values())
        raise Unreadable("petition.kind", line=line, column=1, read=written, candidates=kinds)
    return meant[0]


def _begins(name: str, word: str) -> bool:
    return name == word or (len(word) >= SHORTEST and name.startswith(word))


def _sets(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    found = (_SET.fullmatch(line) for line in lines)
    return tuple((each["key"].lower(), each["value"]) for each in found if each)
