"""Petitions, votes and remarks in a letter: one line of what is said with its text below, or one vote a line.

They are parted from the orders before those are read, for what stands below a petition is kept as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Literal

from msgspec import Struct

from pbem.language.remarks import Remark, is_remark, read_remark
from pbem.language.signs import ends_letter, fold
from pbem.table.refusal import Unreadable

Kind = Literal["change", "clarify", "suspend", "resume", "replace", "remove", "finish", "abort"]
Vote = Literal["for", "against", "quorum"]

# English, German, Italian; the first is the one we use. Kinds may be shortened, votes may not.
KINDS: Mapping[Kind, tuple[str, ...]] = {
    "change": ("change", "Änderung", "Aenderung", "ändern", "modifica", "cambio"),
    "clarify": ("clarify", "clarification", "Klarstellung", "Klärung", "klären", "chiarimento", "chiarire"),
    "suspend": ("suspend", "suspension", "Aussetzung", "aussetzen", "sospensione", "sospendere"),
    "resume": ("resume", "resumption", "Fortsetzung", "fortsetzen", "ripresa", "riprendere"),
    "replace": ("replace", "Ersatz", "ersetzen", "sostituzione", "sostituire"),
    "remove": ("remove", "removal", "Absetzung", "absetzen", "rimozione", "rimuovere"),
    "finish": ("finish", "Schluss", "beenden", "fine", "concludere"),
    "abort": ("abort", "Abbruch", "abbrechen", "interruzione", "annullare"),
}
VOTES: Mapping[Vote, tuple[str, ...]] = {
    "for": ("for", "für", "fuer", "dafür", "dafuer", "favorevole", "a favore", "per"),
    "against": ("against", "gegen", "dagegen", "contro", "contrario", "contraria"),
    "quorum": ("quorum", "Enthaltung", "astensione", "astenuto", "astenuta"),
}
WITHDRAW = ("withdraw", "zurückziehen", "ritira", "ritiro")
SHORTEST = 3  # letters of a kind

# Two runs of blanks never meet in these forms: what does not match would cost the square of a long run.
_HEAD = re.compile(
    r"\s*(?:petition|antrag|petizione)(?:\s*:)?\s+(?P<kind>[^\W\d]+)(?:\s*:)?(?P<rest>.*)", re.IGNORECASE
)
_ENDED = "petition|interpretation|objection|antrag|deutung|einspruch|petizione|interpretazione|obiezione"
_END = re.compile(rf"\s*(?:end|ende|fine)\s+(?:{_ENDED})\s*", re.IGNORECASE)
_SET = re.compile(r"\s*(?:set|setze|imposta)\s+(?P<key>[\w.]+)\s*[=:]\s*(?P<value>\S(?:.{0,300}\S)?)\s*", re.IGNORECASE)
_REFERENCE = r"(?:(?:petition|antrag|petizione)\s+)?P(?:\s*[-‐‑–—])?\s*(?P<number>\d{1,4})(?!\w)"


class Motion(Struct, frozen=True, kw_only=True):
    """A petition as it was written; what it asks for is for the house to read."""

    kind: Kind
    said: str  # behind the kind: its title, of a suspension its length first, of a replacement the seat
    text: str  # below
    sets: tuple[tuple[str, str], ...]  # options and the values they are to have

    @property
    def words(self) -> str:
        """All of it that others read."""
        return f"{self.said}\n{self.text}"


class Ballot(Struct, frozen=True, kw_only=True):
    """A word about a petition. Without a number it is about the one that the letter answers."""

    does: Literal["vote", "withdraw"]
    number: int | None
    vote: Vote | None = None
    comment: str = ""

    @property
    def words(self) -> str:
        """What of it others read."""
        return self.comment


class Stretch(Struct, kw_only=True):
    """The lines of one petition, vote or remark."""

    line: int  # where it begins, from 1
    head: str
    below: list[tuple[int, str]]  # with their numbers

    @property
    def place(self) -> tuple[int, int]:
        """The line and column at which it begins."""
        return self.line, 1

    @property
    def text(self) -> str:
        """All of it as written."""
        return "\n".join([self.head.strip(), *(line for _, line in self.below)]).rstrip()


def part_petitions(lines: Sequence[str]) -> tuple[list[str], list[Stretch]]:
    """The lines without petitions, votes and remarks, each still at its number; and these.

    A petition or a remark goes on to a line that ends it, to the next one, or to the end of the letter.
    """
    rest, found, is_open = [*lines], [], False
    for number, line in enumerate(lines, 1):
        if ends_letter(line):
            break
        if _goes_on(line) or (ballot(line) and not is_open):
            found.append(Stretch(line=number, head=line, below=[]))
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


def is_about_petitions(line: str) -> bool:
    """Would the line be taken for the beginning or the end of a petition or remark, or for a vote that names one?"""
    said = ballot(line)
    return _goes_on(line) or _END.fullmatch(line) is not None or (said is not None and said.number is not None)


def read_petition(part: Stretch, is_order: Callable[[str], bool]) -> Motion | Ballot | Remark:
    """Raises `Unreadable`; an order below a petition would be mailed to rivals."""
    if is_remark(part.head):
        return read_remark(part.head, part.line, part.below, is_order)
    said = ballot(part.head)
    if said is not None:
        return said
    found = _HEAD.fullmatch(part.head)
    assert found, "a stretch begins with a petition or a vote"
    for number, line in part.below:
        if not _SET.fullmatch(line) and is_order(line):
            raise Unreadable("petition.order_inside", line=number, column=1, read=line.strip())
    sets = [line for _, line in part.below if _SET.fullmatch(line)]
    text = "\n".join(line for _, line in part.below if not _SET.fullmatch(line)).strip()
    return Motion(kind=_kind(found["kind"], part.line), said=found["rest"].strip(), text=text, sets=_sets(sets))


def ballot(line: str) -> Ballot | None:
    """The vote of a line, if it is one: a word alone, or a word and a petition with what the voter says to it."""
    for does, vote, pattern in _ballots():
        found = pattern.fullmatch(line)
        if found:
            facts = found.groupdict()
            number = facts.get("number")
            comment = (facts.get("comment") or "").strip(" \t:,;-–—")
            return Ballot(does=does, number=int(number) if number else None, vote=vote, comment=comment)
    return None


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


@cache
def _ballots() -> list[tuple[Literal["vote", "withdraw"], Vote | None, re.Pattern[str]]]:
    behind = r"(?P<comment>(?:[\s:,;.–—-].*)?)"
    found: list[tuple[Literal["vote", "withdraw"], Vote | None, re.Pattern[str]]] = []
    for vote, words in VOTES.items():
        for form in (rf"{_any(words)}(?:\s*[.!])?", rf"{_any(words)}(?:\s*:\s*|\s+){_REFERENCE}{behind}"):
            found.append(("vote", vote, _line(form)))
        found.append(("vote", vote, _line(rf"{_REFERENCE}\s*(?:[:,]\s*)?{_any(words)}{behind}")))
    found.append(("withdraw", None, _line(rf"{_any(WITHDRAW)}\s+{_REFERENCE}(?:\s*[.!])?")))
    found.append(("withdraw", None, _line(rf"ziehe\s+{_REFERENCE}\s+zurück(?:\s*[.!])?")))
    return found


def _any(words: Sequence[str]) -> str:
    return f"(?:{'|'.join(words)})"


def _line(form: str) -> re.Pattern[str]:
    return re.compile(rf"\s*{form}\s*", re.IGNORECASE)
