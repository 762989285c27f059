"""An answer stays short, whatever the letter was: long quotations are cut, and of many lines the first are listed.

What a letter says at most is limited where it is read; what is said of each word, in text and in HTML, is many times
as long as the word itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from pbem.host.messages.replies import Line, OnFile, Reply, Rest

ROOM = 16_000  # bytes, roughly, that lines take up in an answer as text and as HTML, and as many for what is on file
QUOTED = 240  # characters of a word or line that are quoted where there is not room for all
FLAWS = 5  # of one line that are told
COPIES = 3  # a character stands in the text, and in the HTML with its signs
SENTENCE = 700  # bytes of what is said of a line
PAPER = 150  # bytes about a paper, besides its text

T = TypeVar("T")


def brief(reply: Reply) -> Reply:
    """The answer as it is, or what there is room for of it: of each outcome and refusal at least one line."""
    facts = quoted(reply.facts)
    shortened = replace(reply, facts=facts, cut=tuple(quoted(each) for each in reply.cut))
    return _few_papers(_few_lines(shortened))


def quoted(value: Any) -> Any:
    """A plain value, in which no text is longer than what is quoted."""
    match value:
        case str():
            return value if len(value) <= QUOTED else value[:QUOTED].rstrip() + " …"
        case dict():
            return {name: quoted(each) for name, each in value.items()}
        case list() | tuple():
            return type(value)(quoted(each) for each in value)
        case _:
            return value


def _few_lines(reply: Reply) -> Reply:
    if sum(map(_weight, reply.lines)) <= ROOM:
        return reply
    lines = [_cut(line) for line in reply.lines]
    listed = _that_fit(lines, _weight, _first_of_each(lines))
    rest = [line for number, line in enumerate(lines) if number not in listed]
    refused = sum(line.outcome == "refused" for line in rest)
    more = Rest(count=len(rest), refused=refused, text=rest[0].text) if rest else None
    events = (*reply.events, *(event for line in rest for event in line.events))
    few = tuple(line for number, line in enumerate(lines) if number in listed)
    return replace(reply, lines=few, more=more, events=events)


def _first_of_each(lines: Sequence[Line]) -> list[int]:
    """The numbers of the lines; those come first with which something new happens."""
    first: dict[tuple[str, str | None], int] = {}
    for number, line in enumerate(lines):
        first.setdefault((line.outcome, line.code), number)
    new = set(first.values())
    return sorted(range(len(lines)), key=lambda number: (number not in new, number))


def _that_fit(all_: Sequence[T], weight: Callable[[T], int], order: Iterable[int]) -> set[int]:
    """The numbers of those for which there is room; there is for the first."""
    listed: set[int] = set()
    left = ROOM
    for number in order:
        left -= weight(all_[number])
        if left < 0 and listed:
            break
        listed.add(number)
    return listed


def _cut(line: Line) -> Line:
    flaws = tuple(replace(flaw, text=quoted(flaw.text), facts=quoted(flaw.facts)) for flaw in line.flaws[:FLAWS])
    kept = quoted(line.kept) if line.kept else None
    return replace(line, text=quoted(line.text), kept=kept, facts=quoted(line.facts), flaws=flaws)


def _weight(line: Line) -> int:
    flaws = sum(SENTENCE + COPIES * _length([flaw.text, flaw.facts]) for flaw in line.flaws)
    return SENTENCE + flaws + COPIES * _length([line.text, line.kept or "", line.facts])


def _length(value: Any) -> int:
    """Bytes of all texts in a plain value."""
    match value:
        case str():
            return len(value.encode())
        case dict():
            return sum(map(_length, value.values()))
        case list() | tuple():
            return sum(map(_length, value))
        case _:
            return 0


def _few_papers(reply: Reply) -> Reply:
    if sum(map(_weight_of_paper, reply.on_file)) <= ROOM:
        return reply
    papers = [replace(paper, text=quoted(paper.text)) for paper in reply.on_file]
    listed = _that_fit(papers, _weight_of_paper, range(len(papers)))
    return replace(reply, on_file=tuple(papers[: len(listed)]), more_on_file=len(papers) - len(listed))


def _weight_of_paper(paper: OnFile) -> int:
    return PAPER + COPIES * len(paper.text.encode())
