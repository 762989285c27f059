"""The operator leads a game from the command line: each power of a moderator's letter is a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli.common import opened
from pbem.cli.main import main
from pbem.cli.moderator import commands
from pbem.host.moderation.commands import MODERATOR_COMMANDS
from pbem.settings import Settings
from tests.test_cli import PEOPLE, folder, pbem, refused, said, settings

__all__ = ["folder", "settings"]


@pytest.fixture
def under_way(settings: Path) -> Path:
    """A game of carl and dora has begun."""
    said("game", "new", *PEOPLE)
    said("game", "seat", "imp-1", "carl", "carl@pbem.test")
    said("game", "seat", "imp-1", "dora", "dora@pbem.test")
    said("game", "start", "imp-1")
    return settings


def awaited() -> tuple[str, str]:
    """Who must move, and which nation."""
    (one,) = json.loads(said("game", "show", "imp-1", "--json"))["awaiting"]
    return one["seat"], one["nation"]


def test_each_power_is_a_command() -> None:
    own = {"act_for": "act"}
    assert {*commands()} == {own.get(name, name.replace("_", "-")) for name in MODERATOR_COMMANDS.by_name}
    for command in commands().values():
        assert command.get_short_help_str(200)
        assert command.name in said("game", str(command.name), "--help")


def test_before_the_beginning(settings: Path) -> None:
    said("game", "new", *PEOPLE)
    assert said("game", "invite", "imp-1", "carl@pbem.test", "--as", "karl") == "done  invite carl@pbem.test as karl\n"
    assert said("game", "invite", "imp-1", "dora@pbem.test") == "done  invite dora@pbem.test\n"
    assert "anton, bert, karl, dora" in said("game", "list")
    assert "The game can’t begin with 0 players." in refused("game", "start", "imp-1")
    said("game", "promote", "imp-1", "emil@pbem.test")
    assert "emil@pbem.test" in said("game", "show", "imp-1")
    said("game", "hand-over", "imp-1", "fritz@pbem.test", "--why", "he knows the rules")
    said("game", "cancel", "imp-1", "--why", "too few")
    assert "finished" in said("game", "list")


def test_a_preview_says_what_a_power_would_do(under_way: Path) -> None:
    why = ("--why", "a slip")
    for words in (
        ["correct", "imp-1", "treasury italy 17"],
        ["pause", "imp-1", "2", "days"],
        ["eject", "imp-1", "carl"],
    ):
        found = said("game", *words, *why, "--preview")
        assert found.startswith("tried  "), words
        assert "a slip" in found
    assert "treasury 17m" in said("game", "do", "imp-1", "correct treasury italy 17: a slip", "--preview")
    assert "a slip" not in said("game", "show", "imp-1")


def test_while_it_runs(under_way: Path) -> None:
    who, nation = awaited()
    why = ("--why", "it is so: really")
    for words in (
        ["announce", "imp-1", "Hello", "all: have", "fun"],
        ["pause", "imp-1", "2", "days", *why],
        ["resume", "imp-1", *why],
        ["pause", "imp-1", *why],
        ["resume", "imp-1", *why],
        ["act", "imp-1", who, f"{nation}: taxation", *why],
        ["close", "imp-1", "2", *why],
        ["rewind", "imp-1", "2", *why],
        ["forward", "imp-1", *why],
        ["correct", "imp-1", "treasury italy 17", "cash carl 3", *why],
        ["option", "imp-1", "slot_hours", "48", "--consent", "all players", *why],
        ["bot", "imp-1", "carl", *why],
        ["no-bot", "imp-1", "carl", *why],
        ["replace", "imp-1", "carl", "anna@pbem.test", *why],
        ["eject", "imp-1", "dora", *why],
        ["promote", "imp-1", "carl", *why],
        ["offer", "imp-1", "dora", "emil@pbem.test"],
        ["hand-over", "imp-1", "carl", *why],
        ["end", "imp-1", *why],
    ):
        outcome = "asked" if words[0] == "replace" else "done"  # nobody knows anna here
        assert said("game", *words).startswith(f"{outcome}  "), words
    shown = said("game", "show", "imp-1")
    assert "finished" in shown
    assert "today's rules" in said("verify", "imp-1")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["close", "imp-1", "7", "--why", "x"], "turn 7"),
        (["close", "imp-1", "x", "--why", "x"], "'x' is not a valid integer"),
        (["close", "imp-1", "1"], "Missing option '--why'"),
        (["pause", "imp-1", "soon", "--why", "x"], "soon"),
        (["extend", "imp-1", "carl", "12h", "--why", "x"], "carl"),
        (["deadline", "imp-1", "nobody", "Sun", "18:00", "--why", "x"], "nobody"),
        (["replace", "imp-1", "carl", "anna", "--why", "x"], "anna"),
        (["option", "imp-1", "slot_hours", "48", "--why", "x"], "consent"),
        (["invite", "imp-1", "anna@pbem.test"], "invite anna@pbem.test"),
        (["end", "imp-2", "--why", "x"], "no game imp-2"),
    ],
)
def test_what_can_not_be_done_is_said_in_a_sentence(under_way: Path, words: list[str], sentence: str) -> None:
    before = said("game", "record", "imp-1")
    result = pbem("game", *words)
    assert result.exit_code
    assert "Traceback" not in result.output
    assert sentence in result.output
    assert said("game", "record", "imp-1") == before


def test_the_commands_of_a_game_stand_together() -> None:
    shown = said("game", "--help")
    for command in commands().values():
        assert f"\n  {command.name} " in shown
    assert main.commands["game"]


# -- templates ---


def test_a_game_is_made_of_a_template(settings: Path) -> None:
    text = 'templates:\n  slow: {edition: third_2010, slot_hours: 72, idle_days: "sat, sun", cash: secret}\n'
    settings.write_text(settings.read_text() + text)
    said("game", "new", *PEOPLE, "--template", "slow", "--slot-hours", "48")
    said("game", "new", *PEOPLE)
    assert "there is slow" in refused("game", "new", *PEOPLE, "--template", "fast")
    with opened(Settings.load(settings)) as server, server.games.work() as desk:
        slow, plain = (server.games.load(desk.game(tag)).terms for tag in ("imp-1", "imp-2"))
    assert (slow.slot_hours, slow.idle_days, slow.setup.edition) == (48, "sat, sun", "third_2010")
    assert slow.setup.options == {"cash": "secret"}
    assert (plain.slot_hours, plain.idle_days, plain.setup.edition) == (24, "", "new")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("slow: {slot_hours: many}", "slow"), ("slow: {press: loud}", "press"), ("slow: 3", "slow")],
)
def test_a_template_that_can_not_be_is_told(settings: Path, text: str, sentence: str) -> None:
    settings.write_text(settings.read_text() + f"templates:\n  {text}\n")
    shown = refused("game", "list")
    assert "templates" in shown
    assert sentence in shown
