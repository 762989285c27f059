"""Everything that the rules tell, and every reason that they refuse for, has a sentence in each language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from pbem.core.languages import LANGUAGES
from pbem.core.presenter import Event
from pbem.games import empire
from pbem.games.empire.data.editions import order_language
from pbem.games.empire.presentation.words import VOICE
from pbem.games.empire.rules.options import OPTIONS
from pbem.host.commands.table import COMMANDS
from pbem.render.wording import Wording, own_sentences

RULES = Path(empire.__file__).parent / "rules"
NO_REASONS = {""}  # a raid that nothing stands against
COMPUTED = {"gun_destroyed", "gun_damaged", "inflation_began", "inflation_ended", "burnt", "dumped"}


@cache
def nodes() -> Sequence[ast.AST]:
    return [node for file in sorted(RULES.rglob("*.py")) for node in ast.walk(ast.parse(file.read_text("utf-8")))]


def calls() -> Iterator[ast.Call]:
    return (node for node in nodes() if isinstance(node, ast.Call))


def texts(node: ast.expr | None) -> Iterator[str]:
    """What a value may be, where it is written down."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)


def noted() -> set[str]:
    found = (
        call for call in calls() if isinstance(call.func, ast.Attribute) and call.func.attr == "note" and call.args
    )
    return {text for call in found for text in texts(call.args[0])} | COMPUTED


def codes() -> set[str]:
    found = (call for call in calls() if isinstance(call.func, ast.Name) and call.func.id == "Illegal" and call.args)
    return {text for call in found for text in texts(call.args[0])}


def reasons() -> set[str]:
    """Where a refusal says why: itself, through a helper, by a name, or by a function that is called after it."""
    return {text for node in nodes() for value in _whys(node) for text in texts(value)} - NO_REASONS


def _whys(node: ast.AST) -> Iterator[ast.expr | None]:
    match node:
        case ast.Call(func=ast.Name(id="Illegal"), keywords=said):
            yield from (word.value for word in said if word.arg == "why")
        case ast.Call(func=ast.Name(id="refuse" | "_refuse"), args=[*_, last]):
            yield last
        case ast.Assign(targets=[ast.Name(id="why")], value=value):
            yield value
        case ast.FunctionDef(name=name) if "why" in name:
            yield from (each.value for each in ast.walk(node) if isinstance(each, ast.Return))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_told_has_a_sentence(language: str) -> None:
    known = own_sentences("games/empire/sentences", language)
    assert {note for note in noted() if f"told.{note}" not in known} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_and_reason_has_a_sentence(language: str) -> None:
    known = own_sentences("games/empire/sentences", language)
    house = own_sentences("templates/mail", language)
    assert {code for code in codes() if f"refusals.{code}" not in {*known, *house}} == set()
    assert {reason for reason in reasons() if f"reason.{reason}" not in known} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_says_what_it_means(language: str) -> None:
    """Whatever its value is."""
    wording = Wording(VOICE, language, html=False)
    for key, option in OPTIONS.items():
        for value in option.values or (option.default,):
            assert wording.say(f"options.{key}", value=value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_could_stand_in_an_order_is_told_in_words(language: str) -> None:
    """A refusal names what would do: a square, a kind of unit."""
    own = order_language()
    wording = Wording(VOICE, language, html=False, commands=COMMANDS.sentences)
    lots_only = {"FRACTION", "SLOT", "CARD", "STATE", "BOOKED", "DEBT"}  # of play files
    assert {name for name in {*own.names, *own.patterns} - lots_only if not wording.knows(f"expected.{name}")} == set()
    told = [terminal for terminal in own.keywords if terminal.startswith("K_")]
    assert [
        word for word in told if wording._terminal(word) != wording.say("quoted", word=called(language, word))
    ] == []


def called(language: str, terminal: str) -> str:
    return VOICE.names(language)["words"][terminal.removeprefix("K_").lower()]


YOURS = {"en": r"\byours?\b", "de": r"\b[Dd]ein", "it": r"\b(?:tu[oae]|tuoi)\b"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["imperial", "empire"])
def test_what_is_awaited_is_told_to_everybody(game: str, language: str) -> None:
    """In the list of who is next, in the move order sheet: to others, too, it is never theirs."""
    own = own_sentences(f"games/{game}/sentences", language)
    named = [said for key, said in own.items() if key.startswith("questions.") and key.endswith(".short")]
    assert named
    assert not [said for said in named if re.search(YOURS[language], said)]


# What a slot and a turn of all are called; where English has another word of the kind, the rest of it says which.
NAMED = {"en": (r"\bslots?\b", r"\bturns?\b(?! (?:back|an|another|down))")}
NAMED |= {"de": (r"\bZu(?:g|gs|ges)\b|\bZüge", r"Runden?"), "it": (r"\bturn[oi]\b", r"\bgir[oi]\b")}
IN_JINJA = re.compile(r"{[{%].*?[%}]}")


def plain(sentence: str) -> str:
    """Without what is no text."""
    return IN_JINJA.sub(lambda found: " ".join(re.findall(r"'[^']*'|\"[^\"]*\"", found[0])), sentence)


@pytest.mark.parametrize("language", ["de", "it"])
@pytest.mark.parametrize("folder", ["sentences", "manual"])
def test_a_slot_and_a_turn_have_one_word_each(folder: str, language: str) -> None:
    english, own = (own_sentences(f"games/empire/{folder}", each) for each in ("en", language))
    for key, sentence in own.items():
        ours = [bool(re.search(word, plain(english.get(key, "")), re.IGNORECASE)) for word in NAMED["en"]]
        if sum(ours) == 1:
            theirs = [bool(re.search(word, plain(sentence), re.IGNORECASE)) for word in NAMED[language]]
            assert theirs == ours, (key, sentence)


@pytest.mark.parametrize(("language", "worded"), [("de", "2 Arbeiter C3 - B2"), ("it", "2 operai C3 - B2")])
def test_several_workers_are_none_in_english(language: str, worded: str) -> None:
    assert Wording(VOICE, language, html=False).order("2 workers C3 - B2") == worded


def test_harvests_of_a_slot_are_told_in_one_line() -> None:
    """Nine farms are a line on a phone; what comes between ends it, what is another amount has a line of its own."""

    def harvest(at: str, count: int) -> Event:
        facts = {"at": at, "what": "food", "count": count}
        return {"type": "Noted", "what": "yielded", "country": "anton", "only": None, "facts": facts}

    fed = {
        "type": "Noted",
        "what": "fed",
        "country": "anton",
        "only": None,
        "facts": {"fed": 9, "out": 0, "starved": 0},
    }
    wording = Wording(VOICE, "en", html=False)
    events = [harvest("J2", 5), harvest("H3", 2), harvest("I3", 5), fed, harvest("J2", 5)]
    assert [wording.event(event) for event in VOICE.gathered(events)] == [
        "anton: 5 food each at J2, I3.",
        "anton: 2 food at H3.",
        "anton: 9 eat.",
        "anton: 5 food at J2.",
    ]
