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

import msgspec
import pytest
from jinja2 import UndefinedError, meta
from msgspec.structs import replace

import pbem
from pbem.adapters.editions import imperial
from pbem.adapters.examples import examples
from pbem.adapters.pages import Pages
from pbem.adapters.wording import Wording, sentences
from pbem.language.reader import Reader
from pbem.rules.imperial import events as ev
from pbem.rules.imperial.bots import BOTS
from pbem.service import correspondence as co
from pbem.table.chance import Lots, NoLots
from pbem.table.decision import Answer
from pbem.table.seat import Seat, Setup
from tests.adapters.letter_samples import MANEUVER, Scene, samples

GOLDEN = Path(__file__).parent.parent / "golden"
SOURCE = Path(pbem.__file__).parent
CODE = re.compile(r"[a-z]+\.[a-z_]+")
HOST_CODES = {  # of replies that the service makes for a letter as a whole
    "letter.empty",
    "letter.fault",
    "letter.no_game",
    "letter.not_begun",
    "letter.stranger",
    "invitation.already",
    "invitation.declined",
    "invitation.joined",
    "invitation.unclear",
}
PAGES = Pages()
SEAS = ["ionian_sea", "western_mediterranean_sea"]
SYNTAX = Wording("imperial", "en", html=False)._environment


@cache
def letters() -> dict[str, co.Content]:
    return samples()


def mail(content: co.Content):
    return PAGES.mail(content, message_id="<1@example.org>", to="bert@example.org")


# -- golden files ---


@pytest.mark.parametrize("name", sorted(letters()))
def test_letter_is_as_reviewed(name):
    letter = mail(letters()[name])
    found = {"txt": f"Subject: {letter.subject}\n\n{letter.text}", "html": letter.html}
    for ending, text in found.items():
        file = GOLDEN / f"{name}.{ending}"
        if os.environ.get("PBEM_GOLDEN") == "write":
            file.write_text(text, "utf-8")
        assert text == file.read_text("utf-8"), f"{file} differs"


def test_no_golden_file_is_left_over():
    assert {file.stem for file in GOLDEN.iterdir()} == set(letters())


@pytest.mark.parametrize("name", sorted(letters()))
def test_lines_are_short_and_subjects_begin_with_the_tag(name):
    letter = mail(letters()[name])
    assert max(map(len, letter.text.splitlines())) <= 78
    assert re.match(r"\[(imp-1|pbem)\] \S", letter.subject)
    assert "\n" not in letter.subject


def test_every_kind_of_letter_has_a_golden_file():
    assert {type(content) for content in letters().values()} == set(get_args(co.Content))


# -- a sentence for everything, and nothing else ---


def keys(folder: str, section: str) -> set[str]:
    found = (key for key in sentences(folder, "en") if key.startswith(f"{section}."))
    return {key.removeprefix(f"{section}.") for key in found}


def test_every_event_has_a_sentence():
    tags = {kind.__struct_config__.tag for kind in get_args(ev.Event)}
    assert keys("imperial", "events") == tags


def test_sentences_of_events_need_only_their_facts():
    for kind in get_args(ev.Event):
        tag = kind.__struct_config__.tag
        sentence = sentences("imperial", "en")[f"events.{tag}"]
        assert meta.find_undeclared_variables(SYNTAX.parse(sentence)) <= {*kind.__struct_fields__}, tag


def raised(*folders: str) -> set[str]:
    """All refusal codes that stand in the source."""
    files = [file for folder in folders for file in sorted((SOURCE / folder).rglob("*.py"))]
    return {code for file in files for code in _codes(ast.parse(file.read_text("utf-8")))}


def _codes(tree: ast.AST) -> Iterator[str]:
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.args:
            if call.func.id in ("Illegal", "Unreadable", "_unreadable"):
                yield from _texts(call.args[0])
        elif isinstance(call, ast.Assign) and getattr(call.targets[0], "id", "") == "code":
            yield from _texts(call.value)


def _texts(tree: ast.AST) -> Iterator[str]:
    for part in ast.walk(tree):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and CODE.fullmatch(part.value):
            yield part.value


def test_every_refusal_of_the_game_has_a_sentence():
    assert keys("imperial", "refusals") == raised("rules/imperial")


def test_every_refusal_of_the_house_has_a_sentence():
    house = raised("language", "service") | HOST_CODES
    own = keys("mail", "refusals")
    assert own >= house
    assert own - house <= raised("rules/imperial")  # what any game may say


def test_every_position_that_can_not_be_has_a_sentence():
    tree = ast.parse((SOURCE / "rules/imperial/position.py").read_text("utf-8"))
    calls = [call for call in ast.walk(tree) if isinstance(call, ast.Call)]
    reasons = {c.args[1].value for c in calls if getattr(c.func, "id", "") == "_refuse"}
    told = re.findall(r"reason == '(\w+)'", sentences("imperial", "en")["refusals.given.impossible"])
    assert set(told) == reasons


def test_every_kind_of_question_has_its_sentences():
    parts = {"subject", "short", "reminder", "ask", "silence", "draft"}
    kinds = {"turn", "battle", "invest", "swiss", "bid"}
    assert keys("imperial", "questions") == {f"{k}.{p}" for k in kinds for p in parts} | {"turn.spaces"}


def test_every_outcome_cause_cut_and_paper_has_its_words():
    outcomes = [
        "played",
        "filed",
        "drafted",
        "refused",
        "held",
        "shown",
        "withdrawn",
        "nothing",
        "unused",
        "passed",
    ]
    assert keys("mail", "outcomes") == keys("mail", "signs") == {*outcomes}
    cuts = ["quote", "attribution", "signature", "footer", "end", "forward"]
    assert keys("mail", "cuts") == {f"{cut}.{n}" for cut in cuts for n in ("one", "many")}
    assert keys("mail", "papers") == {"draft", "advance", "standing"}
    assert {f"said_{c}" for c in ("letter", "advance", "standing", "draft", "lapse")} <= keys("mail", "says")


def test_sentences_serve_text_and_html_alike():
    for folder in ("imperial", "mail"):
        for key, sentence in sentences(folder, "en").items():
            plain = re.sub(r"\{[{%].*?[}%]\}", "", sentence)
            assert not set("<&") & set(plain), key


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
         "Italy moves an army from Venice to Trieste. It lies down there, friendly: the last free factory of "
         "a nation can’t be threatened."),
        ({"type": "InterestPaid", "nation": "italy", "seat": "bert", "due": 4, "paid": 3, "by_government": 0},
         "Italy pays bert 3m of interest from its treasury. The other 1m that were due are not paid."),
        ({"type": "InterestPaid", "nation": "italy", "seat": "bert", "due": 4, "paid": 4, "by_government": 1},
         "Italy pays bert 4m of interest: 3m from its treasury, 1m from the cash of its government."),
        ({"type": "TurnBegan", "nation": "italy", "round": 2}, ""),
    ],
)  # fmt: skip
def test_event(event, said):
    assert PAGES.event(event) == said


def test_missing_fact_is_a_mistake():
    with pytest.raises(UndefinedError):
        PAGES.event({"type": "FactoryBuilt", "nation": "italy"})


def test_language_without_its_own_words_is_worded_in_english():
    assert Wording("imperial", "it", html=False).say("events.CardMoved", seat="bert").endswith("bert.")


def test_instant_in_a_time_zone():
    wording = Wording("imperial", "en", html=False)
    assert wording.moment(1_772_539_200) == "Tue 3 Mar 2026, 12:00 UTC"
    assert wording.moment(1_772_539_200, "Europe/Berlin") == "Tue 3 Mar 2026, 13:00 CET"


# -- secrets and sly players ---


def test_answers_to_an_open_question_are_not_told():
    question = letters()["question_battle"]
    answered = {"type": "BattleAnswered", "seat": "claudia", "nation": "france", "fights": True}
    letter = mail(replace(question, events=(*question.events, answered)))
    assert "wants a battle" not in letter.text + letter.html


def test_nothing_a_player_wrote_becomes_html():
    sly = "<b>x</b><script>alert(1)</script>"
    reply = letters()["reply_refused"]
    lines = (co.Line(text=sly, outcome="refused", code="name.unknown", facts={"read": sly, "candidates": [sly]}),)
    letter = mail(replace(reply, lines=(*lines, co.Line(text=sly, outcome="passed"))))
    assert "<script" not in letter.html
    assert letter.html.count("&lt;b&gt;x&lt;/b&gt;") == 4
    assert sly in letter.text


def test_seat_with_signs_of_html_is_shown_as_it_is():
    report = Scene(MANEUVER).report("claudia")
    raw = msgspec.json.encode(report).replace(b'"anton"', b'"<b>x</b>"')
    letter = mail(msgspec.json.decode(raw, type=co.Report))
    assert "<b>x</b>" not in letter.html
    assert "&lt;b&gt;x&lt;/b&gt; wrote:" in letter.html


def test_long_word_is_broken():
    reply = replace(letters()["reply_refused"], lines=(co.Line(text="x" * 300, outcome="passed"),))
    assert max(map(len, mail(reply).text.splitlines())) <= 78


def test_html_loads_nothing():
    for content in letters().values():
        assert not re.search(r"(?i)<(img|link|script)|url\(|https?:", mail(content).html)


# -- what we propose is legal ---


@pytest.mark.parametrize("seed", range(4))
def test_every_example_would_be_accepted(seed):
    seats = tuple(Seat(name) for name in ("anton", "bert", "claudia", "daniel")[: 2 + seed % 3])
    setup = Setup(seats=seats)
    game, rng = imperial(setup), random.Random(seed)
    reader, state = Reader(game.phrases, seats), game.blank(setup)
    state = _applied(game, state, game.open(state, Lots(str(seed), "imp-1"), {}))
    bot = next(iter(BOTS.values()))
    for _ in range(150):
        if game.finished(state):
            break
        pending = game.pending(state)
        for decision in pending:
            facts, view = game.ask(state, decision), game.view(state, decision.seat)
            for text in _as_sent(examples(facts, view)):
                game.check(state, Answer(seat=decision.seat, order=reader.order(text), decision=decision))
        answer = Answer(seat=pending[0].seat, order=bot(game, state, pending[0], rng.randrange), decision=pending[0])
        state = _applied(game, state, game.resolve(state, [answer], NoLots()))


def _applied(game, state, events):
    for event in events:
        state = game.apply(state, event)
    return state


def _as_sent(orders):
    """With the names as the letter prints them."""
    return [PAGES._text.order(order) for order in orders]
