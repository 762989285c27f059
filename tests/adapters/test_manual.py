"""The players' manual of each game: the committed pages are what the command prints, and every example in them is played.

`PBEM_GOLDEN=write pytest tests/adapters/test_manual.py` writes the pages anew; review the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jinja2 import Environment, meta

from pbem.adapters import manual as manuals
from pbem.adapters.manual import commands
from pbem.cli.main import main
from pbem.core.game import AnyGame, complete, load
from pbem.core.languages import LANGUAGES
from pbem.core.notation import Notation
from pbem.core.refusal import Refusal
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.games.imperial import GAME as IMPERIAL
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.notation.grammar import GIVEN_WORDS
from pbem.games.imperial.notation.write import DID
from pbem.host.archive.replay import Replay
from pbem.host.commands.table import COMMANDS
from pbem.host.moderation.commands import MODERATOR_COMMANDS
from pbem.language.absences import part_deputy
from pbem.language.parser import Parser
from pbem.language.tokens import fold
from pbem.language.words import HEADS, WORDS
from pbem.render.wording import own_sentences
from tests.examples import Example, examples

CHECKOUT = Path(__file__).parents[2]
SEATS = ("anton", "bert", "claudia")
in_each_language = pytest.mark.parametrize("language", LANGUAGES)
of_each_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)


def manual(game: AnyGame, language: str) -> str:
    return manuals.manual(game.presenter, language)


def page(game: AnyGame, language: str) -> Path:
    return CHECKOUT / "games" / game.id / "manual" / f"{language}.md"


def examples_in(game: AnyGame, language: str) -> list[Example]:
    return examples(page(game, language).read_text("utf-8"))


def notation_of(game: AnyGame) -> Notation[Any]:
    notation: Notation[Any] = load(GAMES, complete(GAMES, Setup(game=game.id))).notation
    return notation


def of_sections(game: AnyGame) -> list[Mapping[str, Any]]:
    return [one for own in manuals.examples(game.presenter)["sections"].values() for one in own.values()]


def said(refusal: Refusal) -> str:
    return f"{refusal.code} {refusal.facts}"


@of_each_game
@in_each_language
def test_page_is_what_the_command_prints(game: AnyGame, language: str) -> None:
    printed = CliRunner().invoke(main, ["manual", "--game", game.id, "--language", language])
    assert printed.exit_code == 0
    check_page(page(game, language), printed.output)


def test_page_of_commands_is_what_the_table_says() -> None:
    check_page(CHECKOUT / "docs" / "play" / "commands.md", commands(IMPERIAL.presenter))


def test_the_first_game_need_not_be_named() -> None:
    first, named = (CliRunner().invoke(main, ["manual", *more]).output for more in ((), ("--game", IMPERIAL.id)))
    assert first == named


def test_of_a_game_that_we_do_not_have_there_is_no_manual() -> None:
    printed = CliRunner().invoke(main, ["manual", "--game", "chess"])
    assert (printed.exit_code, "chess" in printed.output) == (1, True)


def check_page(file: Path, written: str) -> None:
    if os.environ.get("PBEM_GOLDEN") == "write":
        file.write_text(written, "utf-8")
    assert written == file.read_text("utf-8"), f"{file} differs"


def test_there_is_no_manual_in_a_language_we_do_not_speak() -> None:
    assert "en, de, it" in CliRunner().invoke(main, ["manual", "--language", "fr"]).output


@of_each_game
@in_each_language
def test_every_example_is_played(game: AnyGame, language: str) -> None:
    found = examples_in(game, language)
    assert len(found) == manual(game, language).count("```") // 2 == len(of_sections(game))
    for example in found:
        Replay(example.play, GAMES, said).run()


@of_each_game
@in_each_language
def test_every_letter_of_an_example_is_read_whole(game: AnyGame, language: str) -> None:
    """Nothing of it is passed over as prose, and what can't be read is meant not to be."""
    read = Parser(notation_of(game), COMMANDS, SEATS)
    for example in examples_in(game, language):
        letter = example.text.splitlines()
        if example.writer == "moderator":
            powers, prose = MODERATOR_COMMANDS.read(letter)
            assert [power.refusal for power in powers] == [None]
            assert not prose
            continue
        own, parts = part_deputy(letter, letter, SEATS)
        reading = read.read(next(iter(parts.values()), own))
        assert not reading.passed
        refused = example.then.startswith("! ")
        assert refused if reading.stopped else not example.then.startswith(("! name.", "! order.")), example.text


@in_each_language
def test_every_word_the_reader_knows_is_in_the_tables(language: str) -> None:
    notation, page = imperial(Setup()).notation, manual(IMPERIAL, language)
    rows, headings = len(re.findall(r"^\| .* \|$", page, re.MULTILINE)), page.count("|---|---|")
    own = [word for word in notation.keywords if word not in GIVEN_WORDS]
    names = {kind: {*table} for kind, table in notation.names.items()} | {"DONE": {*DID.values()}}
    assert rows - headings == len({*own, *COMMANDS.words, *WORDS}) + sum(map(len, names.values()))


@in_each_language
def test_every_word_for_what_a_nation_did_is_in_the_tables(language: str) -> None:
    names, page = imperial(Setup()).notation.names, manual(IMPERIAL, language)
    told = {way for row in re.findall(r"^\| (.*) \|$", page, re.MULTILINE) for way in re.split(r" \| |, ", row)}
    spaces = {way for kind, table in names.items() if kind.startswith("S_") for ways in table.values() for way in ways}
    assert {way for ways in names["DONE"].values() for way in ways} - spaces <= told


# Words that may as well be left out, or say what another one does; those whose order is one of another section.
IDLE = {
    "imperial": {"stay", "off"},
    "empire": {"move", "inside", "forward", "manning", "aboard", "ruling", "goes", "no_births"},
}


@of_each_game
def test_every_kind_of_order_has_an_example(game: AnyGame) -> None:
    texts = [one["text"] for one in of_sections(game)]
    shown = "\n".join("\n".join(text.values()) if isinstance(text, Mapping) else text for text in texts)
    words = re.findall(r"K_(\w+)", notation_of(game).grammar)
    assert {word.lower() for word in words} - IDLE[game.id] <= {*re.findall(r"[a-z]+", shown)}


@of_each_game
@in_each_language
def test_every_language_says_the_same(game: AnyGame, language: str) -> None:
    folder = f"games/{game.id}/manual"
    own, english = own_sentences(folder, language), own_sentences(folder, "en")
    assert {*own} == {*english}
    for key in own:
        facts = [meta.find_undeclared_variables(Environment().parse(text)) for text in (own[key], english[key])]
        assert facts[0] == facts[1], key


@of_each_game
@in_each_language
def test_what_sentences_tell_to_write_is_a_word_of_the_language(game: AnyGame, language: str) -> None:
    notation = notation_of(game)
    tables = [*(ways for names in notation.names.values() for ways in names.values()), *notation.keywords.values()]
    tables += [*COMMANDS.words.values(), *WORDS.values()]
    known = {fold(way) for ways in tables for way in ways} | {*HEADS["moderator"]}
    known |= {
        way for one in MODERATOR_COMMANDS.by_name.values() for form in one.forms for way in form.split()[0].split("|")
    }
    for sentence in own_sentences(f"games/{game.id}/manual", language).values():
        assert {fold(word) for word in re.findall(r"[„“](\w+)[“”]", sentence)} <= known
