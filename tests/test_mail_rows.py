"""MAIL.md: each demand on mail has a test that is there, or a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGE = (HERE / "MAIL.md").read_text("utf-8")
STUDY = HERE.parents[1] / "shared" / "research" / "mail.md"  # beside the repository, where there is one
NAMED = re.findall(r"`([\w/]+\.py)::(\w+)`", PAGE)


def rows(page: str) -> list[list[str]]:
    """The cells of all tables."""
    lines = [line for line in page.splitlines() if line.startswith("|") and not line.startswith(("|---", "| row "))]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


@pytest.mark.parametrize("file", sorted({file for file, _ in NAMED}))
def test_every_test_that_is_named_is_there(file: str) -> None:
    there = set(re.findall(r"^def (test_\w+)", (HERE / file).read_text("utf-8"), re.MULTILINE))
    assert {test for named, test in NAMED if named == file} <= there


def test_every_row_has_a_behaviour_and_a_test() -> None:
    assert len(rows(PAGE)) > 50
    for title, behaviour, shown in rows(PAGE):
        assert title
        assert behaviour
        assert re.fullmatch(r"(`[\w/]+\.py::\w+` ?)+", shown), title


def test_no_row_stands_twice() -> None:
    titles = [title for title, *_ in rows(PAGE)]
    assert len(titles) == len(set(titles))


@pytest.mark.skipif(not STUDY.exists(), reason="the study is not beside the repository")
def test_every_row_of_the_study_is_there() -> None:
    titles = [title for title, *_ in rows(PAGE)]
    missing = [demand for demand in demands(STUDY.read_text("utf-8")) if not any(demand.startswith(t) for t in titles)]
    assert missing == []


def demands(study: str) -> Iterator[str]:
    """First cells of its tables, points of its complaints, numbers of its rules."""
    for line in study.splitlines():
        if line.startswith("| ") and not line.startswith(("| hazard", "| standard", "|---")):
            yield line.split("|")[1].strip().replace("*", "")
        elif line.startswith("* "):
            yield line.removeprefix("* ")
    rules = study.partition("\n## 5")[2]
    for number in re.findall(r"(?<![\w.])(\d)\. (?=\w)", rules):
        yield f"rule {number}"
