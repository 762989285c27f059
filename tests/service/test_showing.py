"""The operator's page about a game."""

from __future__ import annotations

import pytest

from pbem.cli.output import show_game
from tests.service.bureau import Bureau
from tests.service.test_moderation import MODERATOR, appoint


def page(bureau: Bureau, capsys: pytest.CaptureFixture[str]) -> list[str]:
    show_game("imp-1", *bureau.server.app.query("imp-1"), bureau.server.words("imp-1"))
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) < 80
    return shown.replace("\n    ", " ").splitlines()


def test_the_page_tells_all_but_what_is_sealed(bureau: Bureau, capsys: pytest.CaptureFixture[str]) -> None:
    appoint(bureau, MODERATOR)
    bureau.write("anton", "draft\naustria: taxation")
    bureau.write("bert", "advance italy: taxation")
    bureau.write(MODERATOR, "eject fritz: he is rude\nannounce: Hello")
    bureau.postman.refuse("claudia@players.test")
    bureau.write("anton", "play")
    shown = page(bureau, capsys)
    assert shown[0] == "imp-1: running, turn 3"
    assert "  moderator Zoe <zoe@players.test>" in shown
    assert "  fritz is free" in shown
    assert any(line.startswith("awaited: claudia, turn france, ") and "until " in line for line in shown)
    assert any(line.startswith("letter: ") and "anton@players.test, answered" in line for line in shown)
    assert any(line.startswith("not delivered: ") and "550 unknown" in line for line in shown)
    assert any("The moderator Zoe has taken the seat of fritz" in line and "he is rude" in line for line in shown)


def test_what_is_on_file_is_told_without_its_text(bureau: Bureau, capsys: pytest.CaptureFixture[str]) -> None:
    bureau.write("anton", "draft\naustria: taxation")
    bureau.write("bert", "advance italy: investor")
    shown = page(bureau, capsys)
    on_file = [line for line in shown if line.startswith("on file: ")]
    assert [line.split(", since")[0] for line in on_file] == ["on file: anton, draft", "on file: bert, advance"]
    assert not any("taxation" in line or "investor" in line for line in shown)
