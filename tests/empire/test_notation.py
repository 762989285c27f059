"""Empire's order language: everything that may be written is read, and is written as it is read."""

from __future__ import annotations

import pytest
from hypothesis import given as said
from hypothesis import settings
from hypothesis import strategies as st

from pbem.core.languages import LANGUAGES
from pbem.core.refusal import Refusal, Unreadable
from pbem.games.empire.data.names import display_names
from pbem.games.empire.notation.write import write
from pbem.games.empire.presentation.words import VOICE
from pbem.games.empire.rules import orders as od
from pbem.host.commands.table import COMMANDS
from pbem.render.wording import Wording
from tests.depth import examples_of
from tests.empire.reading import given, listed, order, reader, refusal
from tests.empire.strategies import acts, given_lines, standing

WORDINGS = [Wording(VOICE, language, html=False, commands=COMMANDS.sentences) for language in LANGUAGES]


def test_every_order_of_the_manual_is_read_and_written() -> None:
    for text in listed("orders.txt"):
        read = order(text)
        assert order(as_filed(read)) == read, text


def as_filed(one: od.Order) -> str:
    """The house writes its own word before what stands until it is withdrawn."""
    return f"standing {write(one)}" if isinstance(one, od.Standing) else write(one)


def test_every_given_line_of_the_manual_is_read_and_written() -> None:
    for text in listed("given.txt"):
        read = given(text)
        assert given(write(read).removeprefix("given ")) == read, text


@said(acts)
def test_what_is_written_reads_back(one: od.Order) -> None:
    assert order(write(one)) == one


@said(acts)
def test_orders_in_the_words_of_each_language_read_back(one: od.Order) -> None:
    """As letters show them."""
    for wording in WORDINGS:
        assert order(wording.order(as_filed(one))) == one


def test_no_word_of_an_order_stays_english() -> None:
    """Also where it is a thing here, a verb there, and a word of the house at the beginning of a line."""
    for wording in WORDINGS[1:]:
        english = set(display_names("en")["words"].values())
        assert not [word for word in ("bomb", "torpedo", "dock", "power") if wording.order(word) == word]
        assert english - {*wording.order_names} == set()
        filed = wording.order("advance attack J2 with INF1 advance")
        assert filed.startswith(wording.say("commands.advance"))
        (found,) = reader().read([filed]).statements
        assert found.command.name == "advance"
        assert write(found.order).endswith("with INF1 advance")


@said(standing)
def test_standing_orders_read_back(one: od.Standing) -> None:
    assert order(as_filed(one)) == one


@said(acts)
def test_orders_may_be_written_before_they_are_due(one: od.Order) -> None:
    (found,) = reader().read(f"advance {write(one)}".splitlines()).statements
    assert (found.command.name, found.order) == ("advance", one)


@said(given_lines)
def test_given_lines_read_back(one: od.Given) -> None:
    assert given(write(one).removeprefix("given ")) == one


@said(acts)
def test_case_never_matters(one: od.Order) -> None:
    assert order(write(one).upper()) == one


# -- the sense of it ---


def worker(count: int, start: str, *way: str, **more: object) -> od.Move:
    return od.Move(kind="worker", count=count, start=start, way=way, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2 workers C3 - D3 - E4", worker(2, "C3", "D3", "E4")),
        ("2 workers c3 to d8A with 3 St, 1 cmx hold", worker(2, "C3", "D8a", cargo=(od.Item("steel", 3), od.Item("cmx", 1)), hold=True)),
        ("governor C3 - C4", od.Move(kind="governor", start="C3", way=("C4",))),
        ("governor at C3", od.Governor(at="C3")),
        ("truck C3 - C5 with 4 wood, 1 worker", od.Move(kind="truck", start="C3", way=("C5",), cargo=(od.Item("wood", 4), od.Item("worker", 1)))),
        ("INF1, INF2 C3 - D4", od.Move(units=("INF1", "INF2"), start="C3", way=("D4",))),
        ("CGO1 - E4 dock", od.Move(units=("CGO1",), way=("E4",), ending="dock")),
        ("CGO1 dock", od.Posture(units=("CGO1",), posture="dock")),
        ("load CGO1 from CGO2: 2 O, INF1", od.Load(carrier="CGO1", source="CGO2", items=(od.Item("oil", 2), od.Item("INF1", 1)))),
        ("arm 3 brigades at C3 from INF1, INF2, INF3", od.Arm(kind="infantry_brigade", count=3, at="C3", units=("INF1", "INF2", "INF3"))),
        ("make 2 steel at C3 from cmx, iron, coal", od.Make(item="steel", count=2, at="C3", inputs=("cmx", "iron", "coal"))),
        ("make cargo ship at E4 in NSY", od.Make(item="cargo_ship", at="E4", factory="NSY")),
        ("stop manning AA C3", od.Stop(what="manning", of="AA", at="C3")),
        ("build fort D4 facing south", od.Build(item="fort", squares=("D4",), facing="S")),
        ("seize truck D5 with INF1", od.Seize(target="truck", at="D5", by="INF1")),
        ("seize CGO3 with worker", od.Seize(target="CGO3", by="worker")),
        ("hostile bert at D5, D6", od.Attitude(player="bert", friendly=False, squares=("D5", "D6"))),
        ("accept t4", od.Accept(offer="T-4")),
        ("corinth: farm D4", od.Farm(country="corinth", squares=("D4",))),
        ("found Corinth at D5 with 5 workers D5, CGO1, city D5", od.Found(name="corinth", at="D5", parts=(od.Part("worker", 5, "D5"), od.Part("CGO1"), od.Part("city", None, "D5")))),
        ("retreat all at E5 to D4", od.Standing(what="retreat", at="E5", to="D4")),
    ],
)  # fmt: skip
def test_orders_mean_what_they_say(text: str, meant: od.Order) -> None:
    assert order(text) == meant


def test_a_naval_gun_stands_with_its_square() -> None:
    battle = order("attack CRU1, naval gun E4 at F3 with naval gun E5, BSH1 support STB1")
    assert battle == od.Battle(
        attacks=(
            od.Attack(targets=("CRU1", "naval_gun E4"), at="F3", units=("naval_gun E5", "BSH1"), support=("STB1",)),
        )
    )


@pytest.mark.parametrize(
    ("text", "target", "at"),
    [
        ("bomb road C3 - C4 with STB1", "road C3 - C4", "C3"),
        ("bomb road C3 - C4 at C4 with STB1", "road C3 - C4", "C4"),
        ("bomb workers at C4 with STB1", "worker", "C4"),
        ("bomb fort s C4 with STB1", "fort S", "C4"),
        ("bomb dock E4 with STB1", "dock", "E4"),
        ("bomb steel mill J3 with STB1", "SM", "J3"),
        ("bomb empty J3 with STB1", "empty", "J3"),
    ],
)
def test_targets_of_bombs(text: str, target: str, at: str) -> None:
    assert order(text) == od.Battle(attacks=(od.Bomb(target=target, at=at, units=("STB1",)),))


@pytest.mark.parametrize(
    "letter",
    [
        "battle\n  attack D5 with INF1, BRI2\n  torpedo BSH2 with SUB1",
        "attack D5 with INF1, BRI2\ntorpedo BSH2 with SUB1",
        "battle: attack D5 with INF1, BRI2; torpedo BSH2 with SUB1",
        "battle\nattack D5 with INF1, BRI2\nfarm C4\ntorpedo BSH2 with SUB1",
    ],
)
def test_attacks_join_the_battle_above(letter: str) -> None:
    found = [each.order for each in reader().read(letter.splitlines()).statements]
    attack = od.Attack(at="D5", units=("INF1", "BRI2"))
    assert found[0] == od.Battle(attacks=(attack, od.Strike(verb="torpedo", target="BSH2", units=("SUB1",))))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("used workers anton C3 2 4", od.Given(what="used_workers", who="anton", squares=("C3",), amounts={"count": "2", "": "4"})),
        ("goods anton C3 5 steel, 2 coal", od.Given(what="goods", who="anton", squares=("C3",), items=(("steel", "5"), ("coal", "2")))),
        ("aboard CGO1 3 steel, INF1, 2 workers", od.Given(what="aboard", unit="CGO1", items=(("steel", "3"), ("INF1", "1"), ("worker", "2")))),
        ("fort D4 S anton", od.Given(what="fort", squares=("D4",), facing="S", who="anton")),
        ("installed naval gun E4 bert", od.Given(what="installed", kind="naval_gun", squares=("E4",), who="bert")),
        ("road C3 - C4 - D4", od.Given(what="road", squares=("C3", "C4", "D4"))),
        ("debt anton oil 19/20", od.Given(what="debt", who="anton", kind="oil", amounts={"": "19/20"})),
        ("country corinth bert", od.Given(what="country", who="corinth", other="bert")),
        ("capture anton 5.2", od.Given(what="capture", who="anton", amounts={"": "5.2"})),
        ("booked anton cost 5 edu 72 investment 14", od.Given(what="booked", who="anton", amounts={"cost": "5", "edu": "72", "investment": "14"})),
        ("births C3 off", od.Given(what="births", squares=("C3",), state="off")),
        ("unit anton CGO1 E4 docked", od.Given(what="unit", who="anton", unit="CGO1", squares=("E4",), state="docked")),
    ],
)  # fmt: skip
def test_given_lines_mean_what_they_say(text: str, meant: od.Given) -> None:
    assert given(text) == meant


@pytest.mark.parametrize(
    ("text", "id_"),
    [("AH", "AH"), ("10S", "10S"), ("cow", "cow"), ("truck", "truck"), ("C3", "C3"), ("power line", "power_line")],
)
def test_what_was_drawn_by_lot_has_a_name(text: str, id_: str) -> None:
    assert reader().name(text, 1) == id_


# -- mistakes ---


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("farm", "order.incomplete", 1),
        ("develop iron", "order.incomplete", 9),
        ("attack D5 with", "order.incomplete", 11),
        ("farm C4, x", "order.unreadable", 10),
        ("develop gold B2", "name.unknown", 9),
        ("load CGO1: 3 stele", "name.unknown", 14),
        ("CGO1 - E4 sideways", "order.unreadable", 11),
        ("build SM at C", "order.unreadable", 13),
        ("arm 3 infantry at C3", "name.ambiguous", 7),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, code: str, column: int) -> None:
    problem = refusal(text)
    assert isinstance(problem, Unreadable)
    assert (problem.code, problem.line, problem.column) == (code, 1, column)


@pytest.mark.parametrize("line", ["PS: see you soon", "Thanks: Anton", "I think that is a good idea", "hello: all"])
def test_prose_around_orders_is_passed_over(line: str) -> None:
    reading = reader().read(["farm C4", line])
    assert (reading.stopped, reading.passed) == (False, (line,))


@pytest.mark.parametrize(
    "line",
    ["corinth: frm D4", "corinth: give bert money", "corinth: CGO1", "CGO1 sails", "atack D5 with INF1", "2 D5 - D6"],
)
def test_what_may_be_an_order_stops_the_letter(line: str) -> None:
    assert reader().read(["farm C4", line]).stopped


_WORDS = st.sampled_from(
    ["move", "attack", "battle", "with", "C3", "D8a", "CGO1", "-", ",", ":", ";", "at", "3", "workers", "steel", "T-4",
     "19/20", "5.2", "naval gun", "all", "to", "bert", "corinth", "corinth:", "standing", "advance", "farm", "draft",
     "governor", "fort", "S", "&", "T&S", "give", "order", "raid", "END", "#", "ß", "\x00", "$END", "99999999999"]
)  # fmt: skip
_texts = (
    st.lists(_WORDS, max_size=14).map(" ".join) | st.text(max_size=60) | st.lists(_WORDS, max_size=9).map("\n".join)
)


@said(_texts)
def test_no_text_crashes_the_reader(text: str) -> None:
    for found in reader().read(text.splitlines()).statements:
        assert (found.refusal is None) == (found.command.name != "")


@settings(max_examples=examples_of(20))  # each is mended in all ways
@said(acts.map(write) | standing.map(write), st.floats(0, 1), st.text(max_size=3) | _WORDS, st.integers(0, 3))
def test_no_mistyped_order_crashes_the_reader(text: str, where: float, put: str, instead: int) -> None:
    place = round(where * len(text))
    for found in reader().read((text[:place] + put + text[place + instead :]).splitlines()).statements:
        reader().mended(found) if found.refusal else None


@said(_texts | given_lines.map(write).map(lambda text: text[6:-1]))
def test_no_given_line_crashes_the_reader(text: str) -> None:
    try:
        reader().given(text, 1)
    except Refusal as problem:
        assert problem.code
