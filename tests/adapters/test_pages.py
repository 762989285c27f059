"""Letters: a sentence for everything, golden files of each kind, and players' text stays text.

`PBEM_GOLDEN=write pytest tests/adapters/test_pages.py` writes the golden files anew; review the difference.
"""

from __future__ import annotations

import ast
import os
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args
from urllib.parse import unquote

import msgspec
import pytest
from jinja2 import UndefinedError, meta
from lxml import html
from msgspec.structs import replace

import pbem
from pbem.adapters.composing import FromAddress, compose
from pbem.adapters.mail_renderer import MailRenderer
from pbem.core.chance import Lots, NoLots
from pbem.core.decision import Answer
from pbem.core.languages import LANGUAGES
from pbem.core.refusal import NotAwaited, Refusal
from pbem.core.seat import Seat, Setup
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import imperial, option_values
from pbem.games.imperial.presentation.examples import brings, examples
from pbem.games.imperial.presentation.presenter import PRESENTER
from pbem.games.imperial.presentation.words import VOICE
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules.places import SPACES
from pbem.host.commands.table import COMMANDS
from pbem.host.lobby import addresses
from pbem.host.messages import letters, replies
from pbem.host.moderation.commands import MODERATOR_COMMANDS
from pbem.host.organising.commands import ORGANISER_COMMANDS
from pbem.host.reporting.notices import SILENT
from pbem.host.session.acts import Act
from pbem.language.answers import DEPUTY, INVITATION, Consent
from pbem.language.leagues import mustered
from pbem.language.parser import Parser
from pbem.language.petitions import is_about_petitions
from pbem.language.tokens import tokenize
from pbem.language.words import HEADS
from pbem.mail.mail_writer import Envelope
from pbem.render.wording import Wording, own_sentences, sentences, wording
from tests.adapters.letter_samples import MANEUVER, Scene, samples
from tests.language.test_reading import ADVANCE, ORDERS, STANDING

GOLDEN = Path(__file__).parent.parent / "golden"
SOURCE = Path(pbem.__file__).parent
CODE = re.compile(r"[a-z]+\.[a-z_]+")
HOST_CODES = {  # of replies that the service makes for a letter as a whole, and codes put together of two parts
    "identity.unknown_address",
    "petition.order_inside",
    "remark.order_inside",
    "accept.accepted",
    "accept.declined",
    "accept.seated",
    "accept.unclear",
    "waiting.off",
    "waiting.on",
    *(
        f"league.{code}"
        for code in (
            "away",
            "not_away",
            "in",
            "out",
            "said_no",
            "said_rest",
            "said_yes",
            "reports",
            "unclear",
            "objected_to",
            "leading",
            "leaving",
            "called",
            "reserve_on",
            "reserve_off",
        )
    ),
    "power.none",
    "promote.accepted",
    "promote.declined",
    "nominee.declined",
    "letter.empty",
    "letter.fault",
    "letter.much",
    "letter.no_game",
    "letter.not_begun",
    "letter.resent",
    "letter.stranger",
    "letter.unreadable",
    "letter.too_long",
    "invitation.already",
    "invitation.declined",
    "invitation.joined",
    "invitation.unclear",
    "opening.confirm",
    "opening.given_up",
    "opening.joined",
    "opening.known_only",
    "opening.left",
    "opening.nobody",
    "opening.opened",
    "identity.no_token",
    "identity.old_ticket",
    "identity.wrong_token",
    "address.stale",
    "address.taken",
    "address.confirmed",
    "address.confirm_unclear",
    "address.undone",
    "address.undo_unclear",
    "address.too_late",
}
ALL_PAGES = {language: MailRenderer(PRESENTER, language) for language in LANGUAGES}
PAGES = ALL_PAGES["en"]
WORDS = {language: wording(VOICE, language, html=False) for language in LANGUAGES}
WORDINGS = {language: Wording(VOICE, language, html=False, commands=COMMANDS.sentences) for language in LANGUAGES}
SEAS = ["ionian_sea", "western_mediterranean_sea"]
HERE = re.compile(r"say\('here\.(\w+)'")
SYNTAX = WORDINGS["en"]._environment
IMPERIAL, MAIL, SITE = "games/imperial/sentences", "templates/mail", "templates/site"
FOLDERS = (IMPERIAL, MAIL, SITE)
CONFIRM_OR_UNDO = {word for question in addresses.QUESTIONS.values() for word in question.ways}
# whole games and hands full, and one more of what was named
NEVER_ONE = {"refusals.seat.full", "subjects.more", "refusals.import.too_many"}
# A number that may be 1 and the word behind it, unless its ending is told apart.
COUNTED = re.compile(
    r"\{\{ (?:\w+\.)?(?:points|count|games|turns|units|late|free|others|silent|minutes|days|forced|missing|pairs)(?:\|length)? \}\}"
    r"[ \u00a0](\w+)\b(?!\{\{ '')"
)
OF_ANY_NUMBER = {"more", "unità", "dabei"}  # words, or what stands before one that is told apart
BADLY_ENDED = re.compile(r"\.\.|\.:| [.,;:!?](?!\S)")
in_each_language = pytest.mark.parametrize("language", LANGUAGES)
in_each_other = pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])


@cache
def all_letters() -> dict[str, letters.Message]:
    return samples()


def mail(content: letters.Message, language: str = "en"):
    return ALL_PAGES[language].mail(
        content,
        Envelope(
            message_id="<1@example.org>",
            to="bert@example.org",
            tag=getattr(content, "game", None) or "pbem",
            reply_to="pbem@example.org",
        ),
    )


@cache
def mails(language: str):
    """Every letter in that language, by name."""
    return {name: mail(content, language) for name, content in all_letters().items()}


# -- golden files ---


@in_each_language
def test_letters_are_as_reviewed(language, subtests):
    for name, letter in mails(language).items():
        found = {"txt": f"Subject: {letter.subject}\n\n{letter.text}"}
        if language == "en":
            found["html"] = letter.html
        for ending, text in found.items():
            file = GOLDEN / language / f"{name}.{ending}"
            if os.environ.get("PBEM_GOLDEN") == "write":
                file.parent.mkdir(exist_ok=True)
                file.write_text(text, "utf-8")
            with subtests.test(f"{language}/{file.name}"):
                assert text == file.read_text("utf-8")


def test_no_golden_file_is_left_over():
    wanted = {f"{language}/{name}.txt" for language in LANGUAGES for name in all_letters()}
    wanted |= {f"en/{name}.html" for name in all_letters()}
    assert {str(file.relative_to(GOLDEN)) for file in GOLDEN.rglob("*.*")} == wanted


@in_each_other
def test_pages_are_built_as_in_english(language):
    for name, letter in mails(language).items():
        assert built(letter.html) == built(mails("en")[name].html), name


def built(page: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The elements of a page in their order, with all that makes them look and work as they do."""
    told = {"alt", "lang", "title"}
    root = html.document_fromstring(page)
    return [
        (part.tag, [(key, _bare(value)) for key, value in part.items() if key not in told]) for part in root.iter("*")
    ]


def _bare(value: str) -> str:
    """A link that writes an answer without what it writes."""
    return "mailto:" if value.startswith("mailto:") else value


@in_each_language
def test_lines_are_short_and_subjects_begin_with_the_tag(language):
    for name, letter in mails(language).items():
        assert max(map(len, letter.text.splitlines())) <= 72, name
        assert re.match(r"\[(imp-1|pbem)\] \S", letter.subject), name
        assert "\n" not in letter.subject, name


@in_each_language
def test_sentences_end_with_one_full_stop(language):
    assert [name for name, letter in mails(language).items() if BADLY_ENDED.search(letter.text)] == []


def test_every_kind_of_letter_has_a_golden_file():
    assert {type(content) for content in all_letters().values()} == set(get_args(letters.Message))


# -- a sentence for everything, and nothing else ---


def keys(folder: str, section: str) -> set[str]:
    found = (key for key in sentences(folder, "en") if key.startswith(f"{section}."))
    return {key.removeprefix(f"{section}.") for key in found}


def test_every_act_that_is_told_has_its_sentences():
    tags = {kind.__struct_config__.tag for kind in get_args(Act) if kind not in SILENT}
    assert keys(MAIL, "acts") == keys(MAIL, "subjects.notices") == tags


def test_every_event_has_a_sentence():
    tags = {kind.__struct_config__.tag for kind in get_args(ev.Event)}
    assert keys(IMPERIAL, "events") == tags


def test_sentences_of_events_need_only_their_facts():
    for kind in get_args(ev.Event):
        tag = kind.__struct_config__.tag
        sentence = sentences(IMPERIAL, "en")[f"events.{tag}"]
        assert meta.find_undeclared_variables(SYNTAX.parse(sentence)) <= {*kind.__struct_fields__}, tag


def raised(*folders: str) -> set[str]:
    """All refusal codes that stand in the source."""
    files = [file for folder in folders for file in sorted((SOURCE / folder).rglob("*.py"))]
    return {code for file in files for code in _codes(ast.parse(file.read_text("utf-8")))}


def _codes(tree: ast.AST) -> Iterator[str]:
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == NotAwaited.__name__:
            yield NotAwaited().code
        elif isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.args:
            if call.func.id in ("Unfit", "unreadable_at", "check_words", *_kinds(Refusal)):
                yield from _texts(call.args[0])
        elif isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__":
            yield from _texts(call)
        elif isinstance(call, ast.Assign) and getattr(call.targets[0], "id", "") == "code":
            yield from _texts(call.value)


def _kinds(of: type) -> Iterator[str]:
    for kind in of.__subclasses__():
        yield kind.__name__
        yield from _kinds(kind)


def _texts(tree: ast.AST) -> Iterator[str]:
    for part in ast.walk(tree):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and CODE.fullmatch(part.value):
            yield part.value


def test_every_refusal_of_the_game_has_a_sentence():
    assert keys(IMPERIAL, "refusals") == raised("games/imperial")


def test_every_refusal_of_the_house_has_a_sentence():
    house = raised("core", "language", "league", "host", "mail") | HOST_CODES
    own = keys(MAIL, "refusals")
    assert own >= house
    assert own - house <= raised("games/imperial")  # what any game may say


def test_a_game_says_what_the_sentences_of_all_leave_to_it():
    sheets = [own_sentences(folder, "en").values() for folder in (MAIL, SITE)]
    assert keys(IMPERIAL, "here") == {key for sheet in sheets for each in sheet for key in HERE.findall(each)}


def test_every_position_that_can_not_be_has_a_sentence():
    tree = ast.parse((SOURCE / "games/imperial/rules/given.py").read_text("utf-8"))
    calls = [call for call in ast.walk(tree) if isinstance(call, ast.Call)]
    reasons = {c.args[1].value for c in calls if getattr(c.func, "id", "") == "_refuse"}
    told = re.findall(r"reason == '(\w+)'", sentences(IMPERIAL, "en")["refusals.given.impossible"])
    assert set(told) == reasons


def test_every_kind_of_question_has_its_sentences():
    parts = {"subject", "short", "reminder", "ask", "silence", "draft"}
    kinds = {"turn", "battle", "invest", "swiss", "bid"}
    assert keys(IMPERIAL, "questions") == {f"{k}.{p}" for k in kinds for p in parts}


def test_every_space_has_its_prospect():
    assert keys(IMPERIAL, "prospects") >= {space.rstrip("_12") for space in SPACES}


def test_every_outcome_cause_cut_and_paper_has_its_words():
    outcomes = [
        "played",
        "filed",
        "drafted",
        "refused",
        "held",
        "shown",
        "set",
        "tried",
        "withdrawn",
        "nothing",
        "unused",
        "passed",
        "sent",
        "unsent",
        "done",
        "asked",
        "posted",
        "voted",
        "heard",
        "binds",
        "undone",
    ]
    assert keys(MAIL, "outcomes") == keys(MAIL, "signs") == {*outcomes, "die"}
    cuts = ["quote", "attribution", "signature", "footer", "end", "forward", "struck", "hidden"]
    assert keys(MAIL, "cuts") == {f"{cut}.{n}" for cut in cuts for n in ("one", "many")}
    assert keys(MAIL, "papers") == {"draft", "advance", "standing"}
    assert {f"said_{c}" for c in ("letter", "advance", "standing", "draft", "moderator", "lapse")} <= keys(MAIL, "says")


@in_each_language
def test_sentences_serve_text_and_html_alike(language):
    for folder in FOLDERS:
        for key, sentence in sentences(folder, language).items():
            plain = re.sub(r"\{[{%].*?[}%]\}", "", sentence)
            assert not set("<&") & set(plain), key


# -- the same in all languages ---


def _said(folder: str, language: str) -> set[str]:
    """All keys but those of forms of names, which are each language's own."""
    return {key for key in own_sentences(folder, language) if not key.startswith("forms.")}


@in_each_other
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_language_says_what_english_says(folder, language):
    assert _said(folder, language) == _said(folder, "en")


@in_each_other
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_sentence_and_its_translation_tell_the_same_facts(folder, language):
    for key in _said(folder, language):
        assert facts_of(own_sentences(folder, language)[key]) == facts_of(own_sentences(folder, "en")[key]), key


@cache
def facts_of(sentence: str) -> set[str]:
    return meta.find_undeclared_variables(SYNTAX.parse(sentence))


@in_each_other
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_sentence_and_its_translation_tell_the_same_cases(folder, language):
    """Where facts decide what is said, each language knows the same reasons, and is silent in the same places."""
    for key in _said(folder, language):
        first, second = (own_sentences(folder, l)[key] for l in ("en", language))
        assert re.findall(r"(?:reason|why|space) == '\w+'", first) == re.findall(
            r"(?:reason|why|space) == '\w+'", second
        ), key
        assert bool(first) == bool(second), key


@in_each_language
def test_every_name_has_the_forms_that_sentences_ask_for(language):
    for kind, filters in (("nations", "nation"), ("regions", "places?")):
        everything = " ".join(own_sentences(IMPERIAL, language).values())
        asked = {form.lower() for form in re.findall(rf"\|{filters}\('(\w+)'\)", everything)}
        if kind == "regions" and re.search(r"\|places?(?!\()", everything):
            asked.add("the")
        forms = {key for key in own_sentences(IMPERIAL, language) if key.startswith(f"forms.{kind}.")}
        given = {key.rpartition(".")[2] for key in forms}
        assert asked == given, kind
        if language != "en":
            assert {f"forms.{kind}.any.{form}" for form in asked} <= forms


@in_each_other
def test_what_has_an_article_in_english_has_its_own_forms(language):
    for key in own_sentences(IMPERIAL, "en"):
        assert not key.startswith("forms.") or key in own_sentences(IMPERIAL, language)


@in_each_language
def test_days_and_months_are_named(language):
    assert len(own_sentences(MAIL, language)["time.weekdays"].split()) == 7
    assert len(own_sentences(MAIL, language)["time.months"].split()) == 12


# -- orders in the words of the reader ---


def reader(*seats: str) -> Parser:
    return Parser(imperial(Setup(seats=tuple(map(Seat, seats)))).notation, COMMANDS, seats)


@in_each_language
def test_orders_read_back_in_the_words_of_every_language(language):
    notation, read = imperial(Setup()).notation, reader()
    for _, order in ORDERS:
        assert read.order(WORDINGS[language].order(notation.write(order))) == order
    for _, order in ADVANCE:
        assert read.order(WORDINGS[language].order(f"advance {notation.write(order)}")) == order
    for _, order in STANDING:
        if order is not None:
            assert read.order(WORDINGS[language].order(f"standing {notation.write(order)}")) == order


@in_each_language
def test_every_value_of_an_option_has_its_sentence(language):
    assert {key.removeprefix("options.") for key in keys(IMPERIAL, "options")} == {*option_values()}
    for key, values in option_values().items():
        said = [WORDINGS[language].say(f"options.{key}", value=value) for value in values or ("7",)]
        assert all(said), key
        assert len({*said}) == len(said), key


@in_each_other
def test_no_english_word_stays_in_an_order(language):
    order = (
        "advance italy: maneuver_1\n  2 A rome hostile - vienna via ionian_sea friendly attack russia fleet ask germany"
    )
    said = WORDINGS[language].order(order)
    assert not set(re.findall(r"\w{4,}", order)) & set(re.findall(r"\w{4,}", said))


@in_each_other
def test_no_english_word_stays_in_an_order_with_a_condition(language):
    order = "advance italy: if russia not produced then import A rome\nelse taxation"
    said = WORDINGS[language].order(order)
    assert not set(re.findall(r"\w{4,}|if", order)) & set(re.findall(r"\w+", said))


@in_each_language
def test_every_command_has_a_word_and_help_in_every_language(language):
    own = {**COMMANDS.sentences(language), **own_sentences(MAIL, language), **own_sentences(IMPERIAL, language)}
    assert all(own[f"help.{topic}.{part}"] for topic in COMMANDS.topics for part in ("says", "write"))
    assert {key.split(".")[0] for key in keys(MAIL, "help")} <= {*COMMANDS.topics}
    assert all(own[f"commands.{name}"] in words for name, words in COMMANDS.topics.items())
    assert [INVITATION.answer([own[f"commands.{word}"]]) for word in ("join", "decline")] == [
        Consent(yes=True),
        Consent(yes=False),
    ]


ANSWERS = (*INVITATION.ways, *CONFIRM_OR_UNDO, *DEPUTY.ways, *HEADS["deputy"])


def _is_power(line: str) -> bool:
    return MODERATOR_COMMANDS.reads(line) or ORGANISER_COMMANDS.reads(line)


@in_each_language
def test_what_sentences_tell_to_write_can_be_read(language):
    """Between quotes there is nothing but words and signs that the order language knows, written in full."""
    lexicon = reader()._grammar.lexicon
    quotes = "„([^{}|]+?)“" if language == "de" else "“([^{}|]+?)”"
    for key, sentence in [(k, s) for folder in FOLDERS for k, s in own_sentences(folder, language).items()]:
        for quoted in re.findall(quotes, sentence):
            is_other = is_about_petitions(quoted, _is_power) or is_about_games(quoted)
            line = [] if is_other else tokenize(quoted, 1)
            while line and quoted not in ANSWERS and "@" not in quoted:
                found = lexicon.find(line, [*lexicon._listed]) if line[0].kind in ("WORD", "NUMBER") else None
                assert found or line[0].kind in ("TO", "COMMA", "PLUS", "COLON", "NUMBER"), (key, quoted)
                line = line[found.length if found else 1 :]


def is_about_games(quoted: str) -> bool:
    """Words for a letter that starts or joins a game, and those of a moderator before one begins."""
    powers, _ = MODERATOR_COMMANDS.read([quoted])
    is_begun = quoted in ("join", "mitspielen", "partecipo a")  # the game's name stands behind it
    is_request = COMMANDS.requests.read([quoted]) is not None or mustered([quoted]) is not None
    return is_begun or is_request or any(power.refusal is None for power in powers)


@in_each_language
def test_every_example_of_the_help_can_be_read(language):
    read = reader("bert", "claudia")
    for topic in (*WORDINGS[language].topics(), *COMMANDS.topics):
        lines = WORDINGS[language].say(f"help.{topic}.write").splitlines()
        if topic == "moderator":
            check_powers(lines)
            continue
        reading = read.read(lines)
        assert not reading.stopped, topic
        assert not reading.passed, topic


def check_powers(lines):
    """Each is one that moderators have, and nothing is passed over."""
    powers, prose = MODERATOR_COMMANDS.read(lines)
    assert [power.refusal for power in powers] == [None] * len(lines)
    assert not prose


@in_each_language
def test_help_can_be_asked_for_by_the_words_it_names(language):
    for topic in (*WORDINGS[language].topics(), *COMMANDS.topics):
        (asked,) = reader().read([f"help {WORDINGS[language].called(topic)}"]).statements
        assert (asked.command.name, asked.rest) == ("help", topic)


# -- sentences with their facts ---


@pytest.mark.parametrize(
    ("code", "facts", "said"),
    [
        ("space.too_far",
         {"space": "taxation", "nation": "italy", "before": "factory", "steps": 7, "most": 6},
         "Italy stands on Factory, and Taxation is 7 spaces ahead; 6 spaces is the farthest a nation may go. "
         "Please choose another space."),
        ("nation.not_yours", {"nation": "france", "holder": "claudia"},
         "France is not yours to command: claudia governs it."),
        ("unit.absent", {"unit": "army", "region": "rome", "nation": "italy", "count": 2, "has": 1},
         "Italy has only an army in Rome that could do this, not 2."),
        ("move.no_convoy", {"region": "rome", "target": "tunis", "via": SEAS},
         "The army can’t be carried from Rome to Tunis over the Ionian Sea and the Western Mediterranean "
         "Sea: each sea on the way needs a fleet of its own nation that has not carried anybody this turn."),
        ("bond.taken", {"nation": "italy", "price": 9, "back": None, "bonds": [2, 9], "holder": "bert"},
         "The 9m bond of Italy is sold: bert has it."),
        ("order.incomplete", {"space": "import", "nation": "italy"},
         "Import needs units and their places, as in “import F trieste, A lemberg”; or write “import none”."),
        ("order.incomplete", {"read": "invest italy", "candidates": [], "expected": ["NUMBER"]},
         "The order is not finished after “invest italy”. There should follow a number."),
        ("order.not_awaited", {"seat": "bert"}, "No such answer is awaited from you now."),
        ("game.over", {}, "This game is over; nothing can be ordered any more."),
        ("no.such_code", {}, "no.such_code"),
    ],
)  # fmt: skip
def test_refusal(code, facts, said):
    assert PAGES.sentence(code, facts) == said


ARMY = {
    "type": "ArmiesMoved",
    "nation": "italy",
    "count": 1,
    "left": None,
    "status": None,
    "laid_down": False,
}
ARMY |= {"embarked": None, "seas": [], "landed": None, "rail": False}


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (ARMY | {"origin": "rome", "target": "naples", "rail": True},
         "Italy moves an army from Rome to Naples by rail."),
        (ARMY | {"origin": "florence", "target": "tunis", "embarked": "naples", "seas": SEAS},
         "Italy moves an army from Florence to Tunis, by rail to Naples, by sea over the Ionian Sea and the "
         "Western Mediterranean Sea."),
        (ARMY | {"origin": "tunis", "target": "rome", "seas": ["ionian_sea"], "landed": "venice", "count": 2},
         "Italy moves 2 armies from Tunis to Rome, by sea over the Ionian Sea to Venice, then on by rail."),
        (ARMY | {"origin": "venice", "target": "trieste", "status": "friendly", "laid_down": True},
         "Italy moves an army from Venice to Trieste. It is laid down there as friendly: the last free factory of "
         "a nation can’t be threatened."),
        ({"type": "InterestPaid", "nation": "italy", "seat": "bert", "due": 4, "paid": 3, "by_government": 0},
         "Italy pays bert 3m of interest from its treasury. The other 1m that were due are not paid."),
        ({"type": "InterestPaid", "nation": "italy", "seat": "bert", "due": 4, "paid": 4, "by_government": 1},
         "Italy pays bert 4m of interest: 3m from its treasury, 1m from the cash of its government."),
        ({"type": "TurnBegan", "nation": "italy", "round": 2}, ""),
    ],
)  # fmt: skip
def test_event(event, said):
    assert WORDS["en"].event(event) == said


def test_missing_fact_is_a_mistake():
    with pytest.raises(UndefinedError):
        WORDS["en"].event({"type": "FactoryBuilt", "nation": "italy"})


def test_what_a_language_lacks_is_worded_in_english(monkeypatch):
    few = {(IMPERIAL, "it"): {"title": "Impero"}, (MAIL, "it"): {}}
    whole = own_sentences
    monkeypatch.setattr("pbem.render.wording.own_sentences", lambda *of: few.get(of) or whole(of[0], "en"))
    monkeypatch.setattr("pbem.render.wording.sentences", sentences.__wrapped__)
    wording = Wording(VOICE, "it", html=False, commands=COMMANDS.sentences)
    assert wording.say("title") == "Impero"
    assert wording.event({"type": "CardMoved", "seat": "bert"}) == "The investor card goes to bert."


@pytest.mark.parametrize(
    ("language", "there", "elsewhere"),
    [
        ("en", "Tue 3 Mar 2026, 12:00 UTC", "Tue 3 Mar 2026, 13:00 CET (12:00 UTC)"),
        ("de", "Dienstag, 3. März 2026, 12:00 Uhr UTC", "Dienstag, 3. März 2026, 13:00 Uhr MEZ (12:00 Uhr UTC)"),
        ("it", "martedì 3 marzo 2026, ore 12:00 UTC", "martedì 3 marzo 2026, ore 13:00 CET (12:00 UTC)"),
    ],
)
def test_instant_in_a_time_zone(language, there, elsewhere):
    moment = WORDINGS[language].times.moment
    assert moment(1_772_539_200).replace("\u00a0", " ") == there
    assert moment(1_772_539_200, "Europe/Berlin").replace("\u00a0", " ") == elsewhere


# -- secrets and sly players ---


def test_answers_to_an_open_question_are_not_told():
    question = all_letters()["question_battle"]
    answered = {"type": "BattleAnswered", "seat": "claudia", "nation": "france", "fights": True}
    letter = mail(replace(question, events=(*question.events, answered)))
    assert "wants a battle" not in letter.text + letter.html


@in_each_language
def test_nothing_a_player_wrote_becomes_html(language):
    sly = "<b>x</b><script>alert(1)</script>"
    reply = all_letters()["reply_refused"]
    lines = (replies.Line(text=sly, outcome="refused", code="name.unknown", facts={"read": sly, "candidates": [sly]}),)
    letter = mail(replace(reply, lines=(*lines, replies.Line(text=sly, outcome="passed"))), language)
    assert "<script" not in letter.html
    assert letter.html.count("&lt;b&gt;x&lt;/b&gt;") == 4
    assert sly in letter.text


def test_seat_with_signs_of_html_is_shown_as_it_is():
    report = Scene(MANEUVER).report("claudia")
    raw = msgspec.json.encode(report).replace(b'"anton"', b'"<b>x</b>"')
    letter = mail(msgspec.json.decode(raw, type=letters.Report))
    assert "<b>x</b>" not in letter.html
    assert "&lt;b&gt;x&lt;/b&gt; wrote:" in letter.html


def test_long_word_is_broken():
    reply = replace(all_letters()["reply_refused"], lines=(replies.Line(text="x" * 300, outcome="passed"),))
    assert max(map(len, mail(reply).text.splitlines())) <= 72


@in_each_language
def test_html_loads_nothing(language):
    for name, letter in mails(language).items():
        assert not re.search(r"(?i)<(img|link|script)|url\(|https?:", letter.html), name


# -- what we propose is legal ---


@pytest.mark.parametrize("seed", range(2))
def test_every_example_would_be_accepted(seed):
    seats = tuple(Seat(name) for name in ("anton", "bert", "claudia", "daniel")[: 2 + seed % 3])
    setup = Setup(seats=seats)
    game, rng = imperial(setup), random.Random(seed)
    read, state = reader(*seats), game.blank(setup)
    state = _applied(game, state, game.open(state, Lots(str(seed), "imp-1"), {}))
    bot = next(iter(BOTS.values()))
    for step in range(150):
        if game.finished(state):
            break
        pending = game.pending(state)
        for decision in pending if step % 2 else ():
            facts = game.ask(state, decision)
            for words in WORDS.values():  # what a button has room for
                assert max(map(len, brings(facts, words).values()), default=0) <= 42
            for text in examples(facts):
                for form in {text, text.replace("# ", "")}:  # as it stands, and with every line wanted
                    order, *same = (read.order(wording.order(form)) for wording in WORDINGS.values())
                    assert same == [order] * 2
                    game.check(state, Answer(seat=decision.seat, order=order, decision=decision))
        answer = Answer(seat=pending[0].seat, order=bot(game, state, pending[0], rng.randrange), decision=pending[0])
        state = _applied(game, state, game.resolve(state, [answer], NoLots()).events)


def _applied(game, state, events):
    """The position after these events, each of which has been told in every language."""
    for event in events:
        said = {words.event(msgspec.to_builtins(event)) for words in WORDS.values()}
        assert not any(map(BADLY_ENDED.search, said))
        assert said == {""} or all(one.endswith(".") for one in said)
        state = game.apply(state, event)
    return state


# -- pictures ---


def test_a_letter_shows_the_board_and_reads_the_same_without_it():
    report = all_letters()["report_move"]
    plain, shown = (
        MailRenderer(PRESENTER, "de", pictures=wanted).mail(
            report, Envelope(message_id="<1@x.org>", to="a@b.org", tag="imp-1")
        )
        for wanted in (False, True)
    )
    assert plain.attachments == ()
    assert shown.text == plain.text
    (board,) = shown.attachments
    assert board.cid is not None
    assert f'src="cid:{board.cid}"' in (shown.html or "")
    assert "Runde 6" in (shown.html or "").partition('alt="')[2].partition('"')[0]
    assert len(board.data) <= 60_000
    assert len(compose(shown, FromAddress(address="pbem@x.org"), 0)) < 120_000


def test_a_board_on_which_nothing_happened_is_shown_to_who_is_asked_alone():
    told = all_letters()["report_bot"]
    for seat, questions, before, wanted in (
        ("claudia", told.questions, told.after, True),
        ("anton", (), told.after, False),
        ("anton", (), all_letters()["report_move"].after, True),
    ):
        report = replace(told, seat=seat, questions=questions, before=before)
        mail = MailRenderer(PRESENTER, pictures=True).mail(
            report, Envelope(message_id="<1@x.org>", to="a@b.org", tag="imp-1")
        )
        assert bool(mail.attachments) == ("<img" in mail.html) == wanted


def test_charts_come_when_there_is_something_to_compare():
    report = all_letters()["report_move"]
    views = [{**report.after, "round": number} for number in (4, 5, 6)]
    for course, names in ((views[:1], []), (views, ["power", "treasury", "score"])):
        mail = MailRenderer(PRESENTER, pictures=True).mail(
            replace(report, course=tuple(course)), Envelope(message_id="<1@x.org>", to="a@b.org", tag="imp-1")
        )
        assert [one.name.removesuffix(".png") for one in mail.attachments] == ["board", *names]
        alts = html.fromstring(mail.html).xpath("//img/@alt")[1:]
        assert [alt.partition(", round by round. After round 6: ")[0] for alt in alts] == (
            ["Power points", "Treasuries", "Running scores"] if names else []
        )
        if names:
            assert "After round 6: Italy 22, " in alts[0]
            assert alts[0].endswith("In front: Italy.")


def test_no_two_letters_show_their_pictures_under_one_name():
    """RFC 2045, section 7: a Content-ID is unique in the world, as the Message-ID is (RFC 2392 for its address)."""
    report = all_letters()["report_move"]
    seen = set()
    for id_ in ("imp-1.4.report.bert@x.org", "imp-1.5.report.bert@x.org", "odd+%2Fseat@x.org"):
        mail = MailRenderer(PRESENTER, pictures=True).mail(
            report, Envelope(message_id=f"<{id_}>", to="a@b.org", tag="imp-1")
        )
        (board,) = mail.attachments
        assert board.cid == f"board.{id_}"
        (shown,) = html.fromstring(mail.html).xpath("//img/@src")
        assert unquote(shown.removeprefix("cid:")) == board.cid
        seen.add(shown)
    assert len(seen) == 3


SEASON_PAGES = {  # None: what is told to one person alone
    "draw": "draws/{draw}/", "table": "tables/{table}/", "ending": "tables/{table}/", "round": "{group}/", "final": "{group}/",
    "desk": None, "audit": None, "away": None,
}  # fmt: skip


@in_each_language
def test_every_letter_about_a_game_leads_to_the_archive_where_there_is_one(language):
    """To the page of the last turn it tells, else to the game's; nowhere before the game has begun."""
    root = "https://games.example.org/of/the/club/with/a/long/name/that/fits/no/line/of/a/letter/"
    pages = MailRenderer(PRESENTER, language, archive=root)
    none_yet = {"invitation", "gathers", "unanswered", "arrivals"}
    for name, told in all_letters().items():
        mail = pages.mail(told, Envelope(message_id="<1@x.org>", to="a@b.org", tag="imp-1"))
        course = [part for part in letters.parts_of(told) if not isinstance(part, letters.Final | letters.Substitute)]
        turns = [turn for part in course for turn in getattr(part, "turns", ())]
        begun = told.awaited or told.on_file or told.over if isinstance(told, replies.Reply) else True
        has_pages = getattr(told, "game", None) and begun and told.__struct_config__.tag not in none_yet
        wanted = [f"{root}imp-1/" + (f"turn-{turns[-1].number}/" if turns else "")] if has_pages else []
        if isinstance(told, letters.SeasonNews):
            page = SEASON_PAGES.get(told.what, "")
            wanted = [] if page is None else [f"{root}leagues/euro/3/{page.format(**told.facts)}"]
        found = [line for line in mail.text.splitlines() if "https:" in line and "/order/" not in line]
        links = html.fromstring(mail.html).xpath("//a/@href[starts-with(., 'https:') and not(contains(., '/order/'))]")
        assert (found, links) == (wanted, wanted), name
        assert all(
            len(line) <= 72 or (line.startswith("https:") and " " not in line) for line in mail.text.splitlines()
        )
        assert "https:" not in mails(language)[name].text


@in_each_language
@pytest.mark.parametrize("folder", FOLDERS)
def test_what_is_counted_has_a_singular(folder, language):
    """No sentence says “1 points”: behind such a number no word stands that can't tell one from many."""
    for key, sentence in own_sentences(folder, language).items():
        words = [found for found in COUNTED.findall(sentence) if found not in OF_ANY_NUMBER]
        assert words == [] or key in NEVER_ONE, f"{key}: {words}"


@pytest.mark.parametrize(
    ("language", "one", "several"),
    [("de", "Einen Brief bekäme ", "Einen Brief bekämen "), ("it", "Riceverebbe una ", "Riceverebbero una ")],
)
def test_one_who_would_get_a_letter_is_one(language, one, several):
    say = Wording(VOICE, language, html=False, commands=COMMANDS.sentences).say
    for told, others, words in [
        (["anton"], 0, one),
        ([], 1, one),
        (["anton"], 1, several),
        (["anton", "bert"], 0, several),
    ]:
        assert say("says.trial_told", told=told, others=others).startswith(words)
