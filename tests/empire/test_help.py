"""Help by mail: every word of an order and every thing is explained, in each language, with lines that can be read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.core.languages import LANGUAGES
from pbem.games.empire.data.editions import order_language
from pbem.games.empire.notation.grammar import KEYWORDS, OFFICIALS
from pbem.games.empire.presentation.help import topic_of
from pbem.games.empire.presentation.presenter import PRESENTER
from pbem.games.empire.presentation.words import THINGS
from pbem.host.commands.table import COMMANDS
from pbem.render.wording import Wording, own_sentences
from tests.empire.reading import reader

in_each_language = pytest.mark.parametrize("language", LANGUAGES)


def explained(language: str) -> set[str]:
    keys = own_sentences("games/empire/sentences", language)
    own = {key.split(".")[1] for key in keys if key.startswith("help.") and key.endswith(".says")}
    return own | {*COMMANDS.topics}


def askable() -> Iterator[str]:
    """What may stand behind `help`, but for commands."""
    own = order_language()
    yield from (terminal.removeprefix("K_").lower() for terminal in own.keywords if terminal.startswith("K_"))
    yield from (id_ for kind in own.topics for id_ in own.names[kind])


@in_each_language
def test_every_word_of_an_order_and_every_thing_is_explained(language: str) -> None:
    known = explained(language)
    assert {word for word in askable() if PRESENTER.help_topic(word) not in known} == set()
    assert {*KEYWORDS, *OFFICIALS} <= {*askable()}


@in_each_language
def test_what_help_names_is_an_order_or_a_command(language: str) -> None:
    assert explained(language) <= {*askable(), *COMMANDS.topics}


@in_each_language
def test_every_line_of_the_help_can_be_read(language: str) -> None:
    wording = Wording(PRESENTER.voice, language, html=False, commands=COMMANDS.sentences)
    for topic in wording.topics():
        reading = reader().read(wording.say(f"help.{topic}.write").splitlines())
        assert [(topic, found.refusal) for found in reading.statements if found.refusal] == []
        assert not reading.passed, topic


@in_each_language
def test_help_can_be_asked_for_by_the_words_it_names(language: str) -> None:
    wording = Wording(PRESENTER.voice, language, html=False, commands=COMMANDS.sentences)
    for topic in wording.topics():
        (asked,) = reader().read([f"help {wording.called(topic)}"]).statements
        assert (asked.command.name, asked.rest) == ("help", topic)


@in_each_language
def test_help_can_be_asked_for_by_the_name_of_a_thing(language: str) -> None:
    """A few are called alike: what is asked about is explained in any case."""
    for kind in THINGS:
        for id_, name in PRESENTER.voice.names(language)[kind].items():
            (asked,) = reader().read([f"help {name}"]).statements
            assert asked.command.name == "help", name
            assert topic_of(asked.rest) in explained(language), (id_, name)


@in_each_language
def test_what_letters_count_by_is_explained(language: str) -> None:
    known = PRESENTER.voice.names(language)
    for word in ("BTA", "EDU", "MCR", *known["words"]["figures"].split()):
        (asked,) = reader().read([f"help {word}"]).statements
        assert (asked.command.name, asked.rest) == ("help", "figures"), word


@pytest.mark.parametrize(
    ("word", "topic"),
    [("with", "move"), ("SM", "build"), ("steel", "make"), ("infantry_brigade", "arm"), ("power", "develop"),
     ("governor", "governor"), ("torpedo", "torpedo"), ("fort", "build"), ("scramble", "standing"), ("figures", "figures")],
)  # fmt: skip
def test_a_thing_is_explained_with_the_order_that_brings_it(word: str, topic: str) -> None:
    assert topic_of(word) == topic
