"""Map files with mistakes: every one is told, with its line, and no text whatever is too much for the check."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.empire.geography.board import board
from pbem.games.empire.geography.checking import WHY, mistakes, told, warnings
from pbem.games.empire.geography.map_file import read
from tests.depth import examples_of

MAPS = Path(__file__).resolve().parents[2] / "games" / "empire" / "maps"
TRAINING = (MAPS / "training.map").read_text("utf-8").rstrip()
LINES = TRAINING.splitlines()


def codes(text: str) -> list[tuple[str, int]]:
    return [(each.code, each.line) for each in mistakes(read(text))]


def with_line(line: str) -> list[str]:
    """What is wrong with the training map once it has this line, too."""
    found = mistakes(read(f"{TRAINING}\n{line}\n"))
    assert all(each.line == len(LINES) + 1 for each in found), found
    return [each.code for each in found]


def test_the_training_map_is_in_order() -> None:
    assert mistakes(read(TRAINING)) == []
    assert [each.code for each in warnings(read(TRAINING))] == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("lighthouse C3", "map.word"),
        ("reef Z9 - F8", "map.square"),
        ("wall C3 - D9", "map.chain"),
        ("mark coal 1 J6", "map.square"),
        ("mark coal 1 D8c", "map.square"),
        ("start K4w", "map.square"),
        ("road C3 - C5", "map.chain"),
        ("river single X C9 - C10 - D10", "map.river"),
        ("river single Blue B8 - B9 - A9", "map.river"),
        ("river triple X B8 - B9 - A9", "map.river"),
        ("river double X B9 - A9", "map.river"),
        ("river single X B8 - B9 - B8 - A9", "map.river"),
        ("river single X A1 - B1", "map.river"),
        ("river", "map.river"),
        ("falls B8 - B9", "map.falls"),
        ("falls C4", "map.falls"),
        ("divide A1 sea N E Q / S W P", "map.divide"),
        ("divide D8 sea N E Q / S W P", "map.divide"),
        ("divide J6 mountain N E Q / S W P", "map.divide"),
        ("divide C3 mountain N E Q / S W", "map.divide"),
        ("divide C3 mountain N E Q N / S W P", "map.divide"),
        ("divide C3 mountain N E Q S W P", "map.divide"),
        ("divide", "map.divide"),
        ("wall A1 - A2", "map.wall"),
        ("wall E6 - E5", "map.wall"),
        ("wall J7 - K8", "map.wall"),
        ("reef C3 - C4", "map.wall"),
        ("reef C10 - D10", "map.wall"),
        ("mark gold 1 C3", "map.mark"),
        ("mark coal 4 C3", "map.mark"),
        ("mark coal C3", "map.mark"),
        ("mark coal 1 A1", "map.mark"),
        ("mark fish C3", "map.mark"),
        ("mark iron 1 C3, C3", "map.mark"),
        ("mark iron 2 B2", "map.mark"),
        ("harbor C7", "map.harbor"),
        ("harbor A1", "map.harbor"),
        ("bridge C3", "map.work"),
        ("bridge D8", "map.work"),
        ("mountain road C3", "map.work"),
        ("mountain road C3 - C4", "map.work"),
        ("canal C7 - C8", "map.work"),
        ("road A1 - B1", "map.work"),
        ("road E6 - E5", "map.work"),
        ("road J7 - K8", "map.work"),
        ("pipeline J7 - K8", "map.work"),
        ("start E5", "map.start"),
        ("start D3", "map.start"),
        ("name", "map.square"),
    ],
)
def test_a_line_that_may_not_stand(line: str, code: str) -> None:
    assert {*with_line(line)} == {code}


@pytest.mark.parametrize(
    "line",
    [
        "river single Brook B8 - B9 - A9",
        "mark oil 3 A1",
        "mark coal 2 D8b",
        "mark farm C3",
        "harbor c4",
        "road C3 - C4 - d4",
        "power line C3 - C2 - C1",
        "mountain road J7 - K8",
        "mountain road D8",
        "mountain road D6 - E6\nroad D6 - E6",
        "bridge J6",
        "canal F4",
        "canal E4 - F4",
        "divide C5 sea N, E, Q / S, W, P",
        "name C3 Old # town",
    ],
)
def test_a_line_that_may(line: str) -> None:
    assert with_line(line) == []
    board(read(f"{TRAINING}\n{line}\n"))


def test_all_mistakes_are_told_at_once() -> None:
    text = TRAINING.replace("  2   .", "  3   ?").replace("12 x 10", "12 x 11") + "\nreef\nlake C3\nstart C3w"
    found = codes(text)
    assert {"map.size", "map.sign", "map.wall", "map.word", "map.square"} <= {code for code, _ in found}
    assert found == sorted(found, key=lambda each: each[1])
    assert all(told(each) for each in mistakes(read(text)))


def test_a_start_that_starves() -> None:
    text = "map x\nsize 4 x 4\ngrid\n    A B C D\n" + "".join(f"  {row} . o o .\n" for row in range(1, 5)) + "start B2"
    assert codes(text) == [("map.food", 9)]
    rich = text.replace(". o o .", "o o o o")
    assert codes(rich) == []
    assert [each.code for each in warnings(read(rich))] == ["map.poor"]


@pytest.mark.parametrize("text", ["", "grid", "size x", "size ² x ²", "map x\nsize 9999 x 9\ngrid\n A", "\ufeffmap x"])
def test_what_is_no_map_is_told_so(text: str) -> None:
    assert mistakes(read(text))


edits = st.tuples(
    st.sampled_from(["swap", "drop", "put", "word", "cut"]),
    st.integers(0, len(LINES) - 1),
    st.integers(0, 40),
    st.one_of(
        st.sampled_from(
            [*"ABCDEFGHIJKL.=opfrdasm^/-,#0123456789 ", "C3", "D8a", "N E Q", "/", "river", "9999", "²", "AAA1"]
        ),
        st.text(max_size=4),
    ),
)


def edited(lines: list[str], edit: tuple[str, int, int, str]) -> list[str]:
    how, number, place, text = edit
    line = lines[number]
    words = line.split(" ")
    new = {
        "swap": lambda: lines[place % len(lines)],
        "drop": lambda: "",
        "put": lambda: line[:place] + text + line[place + 1 :],
        "word": lambda: " ".join([*words[: place % len(words)], text, *words[place % len(words) + 1 :]]),
        "cut": lambda: line[:place],
    }[how]()
    return [*lines[:number], new, *lines[number + 1 :]]


@settings(max_examples=examples_of(25))
@given(st.lists(edits, min_size=1, max_size=4))
def test_any_text_is_read_and_what_has_no_mistake_can_be_built(changes: list[tuple[str, int, int, str]]) -> None:
    lines = LINES
    for change in changes:
        lines = edited(lines, change)
    file = read("\n".join(lines))
    found = mistakes(file)
    assert all(each.code in WHY and 0 < each.line <= max(1, file.last) for each in found)
    if not found:
        built = board(file)
        assert warnings(file) == [] or built.starts


@given(st.text())
def test_no_text_is_too_much(text: str) -> None:
    assert mistakes(read(text))
