"""MAIL.md and FINDINGS.md: each demand on mail and each finding has a test that is there, or a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MAIL, FINDINGS = ((HERE / name).read_text("utf-8") for name in ("MAIL.md", "FINDINGS.md"))
DEMANDS = 66  # on mail, each a row
COUNTS = {"S": 12, "O": 12, "M": 20, "P": 15, "L": 13}  # of findings, by what was done: attacking, operating ...


def rows(page: str) -> list[list[str]]:
    """The cells of all tables."""
    lines = [line for line in page.splitlines() if line.startswith("|") and not line.startswith(("|---", "| row "))]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_every_test_that_is_named_is_there() -> None:
    named = {
        named
        for page in (MAIL, FINDINGS)
        for *_, shown in rows(page)
        for named in re.findall(r"`([\w/]+\.(?:py|play))(?:::(\w+))?`", shown)
    }
    there = {file: functions(file) for file, _ in named}
    assert [(file, test) for file, test in sorted(named) if test not in there[file]] == []


def functions(file: str) -> set[str]:
    """What a row may name of a file; nothing when it means all of it."""
    return {"", *re.findall(r"^def (\w+)", (HERE / file).read_text("utf-8"), re.MULTILINE)}


@pytest.mark.parametrize("page", [MAIL, FINDINGS], ids=["mail", "findings"])
def test_every_row_has_a_behaviour_and_a_test(page: str) -> None:
    assert len(rows(page)) > 50
    for title, behaviour, shown in rows(page):
        assert title
        assert behaviour
        assert re.fullmatch(r"(`[\w/]+\.(py|play)(::\w+)?` ?)+", shown), title


def test_no_demand_stands_twice() -> None:
    titles = [title for title, *_ in rows(MAIL)]
    assert len(titles) == len(set(titles)) >= DEMANDS


def test_every_finding_is_there() -> None:
    told = {id_ for title, *_ in rows(FINDINGS) for id_ in re.findall(r"\b[SOMPL]\d+\b", title)}
    assert {f"{kind}{number}" for kind, count in COUNTS.items() for number in range(1, count + 1)} == told
