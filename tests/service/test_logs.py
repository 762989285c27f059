"""The log: every event on a line of its own, and nothing in it that should be known to nobody."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.adapters.logs import Discreet, Structured
from pbem.host.play.executor import CommandExecutor
from pbem.language.statements import Reading
from tests.service.bureau import NAMES, Bureau

PACKAGE = Path(__file__).parents[2] / "pbem"
PASSWORD = "correct horse"
BODY = "zebra crossing at midnight"


@pytest.fixture(params=[Discreet, Structured])
def log(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """All that is logged, in one of the two forms."""
    out = io.StringIO()
    writer = logging.StreamHandler(out)
    writer.setFormatter(request.param([PASSWORD]))
    root = logging.getLogger("pbem")
    level = root.level
    root.addHandler(writer)
    root.setLevel(logging.INFO)
    yield out
    root.removeHandler(writer)
    root.setLevel(level)


def test_letters_of_all_fates_leave_no_secret_in_the_log(
    bureau: Bureau, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders, strangers, forged tickets, machines, faults whose words quote the letter, and mail that is refused."""
    back = bureau.way_back("anton")
    bureau.write("anton", "austria: import A lemberg")
    bureau.write("eve@home.test", BODY)
    bureau.write("anton", BODY, to="pbem@pbem.test")
    bureau.write("bert", BODY, Auto_Submitted="auto-replied")
    bureau.write("bert", BODY, id_=f"<{back}>")
    bureau.postman.fail(f"550 no {back} with {PASSWORD}", permanent=False)

    def stumble(self: CommandExecutor, reading: Reading[Any]) -> None:
        lines = [each.text for each in reading.statements]
        try:
            raise KeyError(*lines)
        except KeyError as fault:
            raise ValueError(f"{lines} to {back}, {PASSWORD}") from fault

    monkeypatch.setattr(CommandExecutor, "execute", stumble)
    bureau.write("bert", BODY, id_="<fault@home.test>")
    logging.getLogger("pbem").warning("login as %s with %s failed\r\nforged line", back, PASSWORD)
    told = log.getvalue()
    for who in NAMES:
        token = bureau.way_back(who).partition("+")[2].partition("@")[0]
        assert token.rpartition(".")[2] not in told
    for secret in (BODY, PASSWORD, "midnight", back):
        assert secret not in told
    assert not re.search(r"pbem\+[^…]", told)
    assert not re.search(r"^forged", told, re.MULTILINE)
    assert "fault@home.test" in told
    assert "stumble" in told
    assert "KeyError" in told
    assert "letter handed over" in told


def test_a_line_for_programs_tells_event_letter_game_and_duration(bureau: Bureau) -> None:
    out = io.StringIO()
    writer = logging.StreamHandler(out)
    writer.setFormatter(Structured())
    logging.getLogger("pbem").addHandler(writer)
    logging.getLogger("pbem").setLevel(logging.INFO)
    try:
        bureau.write("anton", "austria: import A lemberg", id_="<orders@home.test>")
    finally:
        logging.getLogger("pbem").removeHandler(writer)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    dealt = next(line for line in lines if line["event"] == "letter dealt with")
    assert (dealt["level"], dealt["letter"], dealt["game"], dealt["fate"]) == (
        "info",
        "<orders@home.test>",
        "imp-1",
        "answered",
    )
    assert dealt["seconds"] >= 0
    handed = [line for line in lines if line["event"] == "letter handed over"]
    assert {line["game"] for line in handed} == {"imp-1"}
    assert len({line["row"] for line in handed}) == len(handed) == 6


@pytest.mark.parametrize(
    ("message", "facts", "event"),
    [
        ("letter %s could not be dealt with", ("<a@b>",), "letter could not be dealt with"),
        ("out of reach: %s (%s)", ("mailbox", "x"), "out of reach"),
        ('"%s" %s %s', ("GET /", 200, 5), "pbem"),
    ],
)
def test_an_event_has_the_same_name_whatever_it_is_about(message: str, facts: tuple[object, ...], event: str) -> None:
    record = logging.LogRecord("pbem", logging.INFO, "", 1, message, facts, None)
    assert json.loads(Structured().format(record))["event"] == event


def test_no_event_of_ours_is_without_words() -> None:
    """A line of the log that is all facts would be found by no name."""
    calls = re.compile(r"log\.(?:debug|info|warning|error|exception)\(\s*[rf]?([\"'])(.*?)\1", re.DOTALL)
    messages = [found[2] for file in PACKAGE.rglob("*.py") for found in calls.finditer(file.read_text("utf-8"))]
    assert len(messages) > 10
    assert [text for text in messages if not re.search(r"[a-z]{3} [a-z]+", re.sub(r"%\w", "", text))] == []
