"""The players' manual: the committed pages are what the command prints, and every example in them is played.

`PBEM_GOLDEN=write pytest tests/adapters/test_manual.py` writes the pages anew; review the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from jinja2 import Environment, meta

from pbem.adapters import manual as manuals
from pbem.adapters.manual import commands
from pbem.cli.main import main
from pbem.core.refusal import Refusal
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.games.imperial import GAME
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.notation.grammar import GIVEN_WORDS
from pbem.games.imperial.notation.write import DID
from pbem.host.archive.replay import Replay
from pbem.host.commands.table import COMMANDS
from pbem.host.moderation.commands import MODERATOR_COMMANDS
from pbem.language.absences import part_deputy
from pbem.language.parser import Parser
from pbem.language.words import HEADS, LANGUAGES, WORDS
from pbem.render.wording import own_sentences
from tests.examples import Example, examples

CHECKOUT = Path(__file__).parents[2]
PAGES = CHECKOUT / "games" / "imperial" / "manual"
EXAMPLES = manuals.examples(GAME.presenter)["sections"]
in_each_language = pytest.mark.parametrize("language", LANGUAGES)


def manual(language: str) -> str:
    return manuals.manual(GAME.presenter, language)


def examples_in(language: str) -> list[Example]:
    return examples((PAGES / f"{language}.md").read_text("utf-8"))


def said(refusal: Refusal) -> str:
    return f"{refusal.code} {refusal.facts}"


@in_each_language
def test_page_is_what_the_command_prints(language: str) -> None:
    printed = CliRunner().invoke(main, ["manual", "--language", language])
    assert printed.exit_code == 0
    check_page(PAGES / f"{language}.md", printed.output)


def test_page_of_commands_is_what_the_table_says() -> None:
    check_page(CHECKOUT / "docs" / "play" / "commands.md", commands(GAME.presenter))


def check_page(file: Path, written: str) -> None:
    if os.environ.get("PBEM_GOLDEN") == "write":
        file.write_text(written, "utf-8")
    assert written == file.read_text("utf-8"), f"{file} differs"


def test_there_is_no_manual_in_a_language_we_do_not_speak() -> None:
    assert "en, de, it" in CliRunner().invoke(main, ["manual", "--language", "fr"]).output


@in_each_language
def test_every_example_is_played(language: str) -> None:
    found = examples_in(language)
    assert len(found) == manual(language).count("```") // 2 == sum(map(len, EXAMPLES.values()))
    for example in found:
        Replay(example.play, GAMES, said).run()


@in_each_language
def test_every_letter_of_an_example_is_read_whole(language: str) -> None:
    """Nothing of it is passed over as prose, and whatever is refused is meant to be."""
    seats = ("anton", "bert", "claudia")
    read = Parser(imperial(Setup()).notation, COMMANDS, seats)
    for example in examples_in(language):
        letter = example.text.splitlines()
        if example.writer == "moderator":
            powers, prose = MODERATOR_COMMANDS.read(letter)
            assert [power.refusal for power in powers] == [None]
            assert not prose
            continue
        own, parts = part_deputy(letter, letter, seats)
        reading = read.read(next(iter(parts.values()), own))
        assert not reading.passed
        assert reading.stopped == example.then.startswith("! ")


@in_each_language
def test_every_word_the_reader_knows_is_in_the_tables(language: str) -> None:
    notation, page = imperial(Setup()).notation, manual(language)
    rows, headings = len(re.findall(r"^\| .* \|$", page, re.MULTILINE)), page.count("|---|---|")
    own = [word for word in notation.keywords if word not in GIVEN_WORDS]
    names = {kind: {*table} for kind, table in notation.names.items()} | {"DONE": {*DID.values()}}
    assert rows - headings == len({*own, *COMMANDS.words, *WORDS}) + sum(map(len, names.values()))


@in_each_language
def test_every_word_for_what_a_nation_did_is_in_the_tables(language: str) -> None:
    names, page = imperial(Setup()).notation.names, manual(language)
    told = {way for row in re.findall(r"^\| (.*) \|$", page, re.MULTILINE) for way in re.split(r" \| |, ", row)}
    spaces = {way for kind, table in names.items() if kind.startswith("S_") for ways in table.values() for way in ways}
    assert {way for ways in names["DONE"].values() for way in ways} - spaces <= told


def test_every_kind_of_order_has_an_example() -> None:
    shown = " ".join(str(one["text"]) for examples in EXAMPLES.values() for one in examples.values())
    words = re.findall(r"K_(\w+)", imperial(Setup()).notation.grammar)
    idle = {"stay", "off"}  # they may as well be left out
    assert {word.lower() for word in words} - idle <= {*re.findall(r"[a-z]+", shown)}


@in_each_language
def test_every_language_says_the_same(language: str) -> None:
    own, english = own_sentences("games/imperial/manual", language), own_sentences("games/imperial/manual", "en")
    assert {*own} == {*english}
    for key in own:
        facts = [meta.find_undeclared_variables(Environment().parse(text)) for text in (own[key], english[key])]
        assert facts[0] == facts[1], key


@in_each_language
def test_what_sentences_tell_to_write_is_a_word_of_the_language(language: str) -> None:
    known = {way for ways in imperial(Setup()).notation.keywords.values() for way in ways} | {*HEADS["moderator"]}
    known |= {
        way for one in MODERATOR_COMMANDS.by_name.values() for form in one.forms for way in form.split()[0].split("|")
    }
    for sentence in own_sentences("games/imperial/manual", language).values():
        assert {*re.findall(r"[„“](\w+)[“”]", sentence)} <= known
