"""What holds for every order and every text."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.core.languages import LANGUAGES
from pbem.core.refusal import Refusal
from pbem.core.seat import Setup
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.presentation.words import VOICE
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.places import SPACES, Nation
from pbem.host.commands.table import COMMANDS
from pbem.render.wording import Wording
from tests.language.tables import SEATS, order, reader, statement

BOARD = imperial(Setup(seats=SEATS)).board
nations = st.sampled_from(BOARD.nations)
regions = st.sampled_from([*BOARD.places])
counts = st.integers(1, 12)
amounts = st.integers(0, 99)
armies_or_fleets = st.sampled_from(["army", "fleet"])
statuses = st.sampled_from(["hostile", "friendly"])


def perhaps(some: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | some


def several(some: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(some, min_size=least, max_size=4).map(tuple)


@st.composite
def lines(draw: st.DrawFn) -> od.Line:
    """Only what can be written: who leaves and how matters to those who move."""
    target = draw(perhaps(regions))
    attack = draw(perhaps(nations))
    return od.Line(
        count=draw(counts),
        unit=draw(armies_or_fleets),
        region=draw(regions),
        leaving=draw(perhaps(statuses)) if target else None,
        target=target,
        via=draw(perhaps(several(regions, 1))),
        status=draw(perhaps(statuses)),
        attack=attack,
        attack_unit=draw(perhaps(armies_or_fleets)) if attack else None,
        ask=draw(several(nations)),
    )


def works() -> st.SearchStrategy[tuple[str, od.Work | None]]:
    units = st.builds(od.Units, count=counts, unit=armies_or_fleets, region=regions)
    destroy = st.builds(od.Destroy, region=regions)
    moves = st.builds(od.Move, lines=several(lines() | destroy))
    maneuvers = st.sampled_from(["maneuver", "maneuver_1", "maneuver_2"])
    productions = st.sampled_from(["production", "production_1", "production_2"])
    return st.one_of(
        st.tuples(st.sampled_from(SPACES), st.none()),
        st.tuples(st.just("factory"), st.builds(od.Build, region=perhaps(regions))),
        st.tuples(productions, st.builds(od.Produce, works=several(regions, 1))),
        st.tuples(st.just("import"), st.builds(od.Buy, units=several(units))),
        st.tuples(maneuvers, moves),
    )


purchases = st.builds(od.Purchase, nation=nations, price=amounts, back=perhaps(amounts))
invests = st.builds(od.Invest, choices=several(purchases, 1), else_none=st.booleans()) | st.just(od.Invest(choices=()))
bids = st.builds(od.Bid, nation=nations, price=st.integers(1, 30)) | st.just(od.Bid())
pairs = perhaps(counts)
standing = st.one_of(
    st.builds(
        od.StandingFight,
        pairs=pairs,
        unit=perhaps(armies_or_fleets),
        nation=perhaps(nations),
        region=perhaps(regions),
    ),
    st.builds(od.StandingPeace, nation=perhaps(nations), region=perhaps(regions)),
    st.builds(od.StandingForce, nation=perhaps(nations)),
    invests,
)
turns = st.builds(lambda nation, work: od.Turn(nation=nation, space=work[0], work=work[1]), perhaps(nations), works())
orders = st.one_of(
    turns,
    invests,
    st.builds(od.Fight, pairs=pairs, unit=perhaps(armies_or_fleets), nation=perhaps(nations)),
    st.just(od.Peace()),
    st.just(od.Force()),
    st.just(od.LetPass()),
    st.builds(od.Give, nation=nations, amount=amounts),
    bids,
)


@given(orders)
def test_what_is_written_reads_back(given_order: od.Order) -> None:
    assert order(write(given_order)) == given_order


@given(standing)
def test_standing_orders_read_back(given_order: od.Order) -> None:
    assert statement("standing " + write(given_order)).order == given_order


conditions = st.one_of(
    st.builds(
        od.Did,
        nation=nations,
        space=st.sampled_from([*SPACES, "production", "maneuver"]),
        negated=st.booleans(),
    ),
    st.builds(od.Has, nation=nations, amount=amounts, negated=st.booleans()),
    st.builds(od.Stands, nation=nations, region=regions, negated=st.booleans()),
)


@st.composite
def plans(draw: st.DrawFn) -> od.Plan:
    """A condition, an alternative, or both."""
    nation, condition = draw(perhaps(nations)), draw(perhaps(conditions))
    actions = draw(st.lists(works(), min_size=1 if condition else 2, max_size=3))
    written = tuple(od.Turn(nation=nation, space=space, work=work) for space, work in actions)
    return od.Plan(nation=nation, condition=condition, turns=written)


early = st.one_of(turns, plans(), invests, bids)


@given(early)
def test_advance_orders_read_back(given_order: od.Order) -> None:
    found = statement("advance " + write(given_order))
    assert (found.command.name, found.order) == ("advance", given_order)


@given(orders, orders)
def test_indentation_and_case_never_matter(first: od.Order, second: od.Order) -> None:
    text = f"{write(first)}\n{write(second)}".upper().replace("\n", "\n\t  ")
    plain = [s.order for s in reader().read(f"{write(first)}\n{write(second)}".splitlines()).statements]
    assert [s.order for s in reader().read(text.splitlines()).statements] == plain


@given(plans())
def test_new_lines_between_the_parts_of_an_advance_order_change_nothing(given_order: od.Plan) -> None:
    text = re.sub(r"\b(then|else)\b", r"\n\1\n", "advance " + write(given_order))
    assert statement(text).order == given_order


WORDS = st.sampled_from(
    [
        "maneuver",
        "import",
        "A",
        "F",
        "2",
        "-",
        ">",
        "via",
        "+",
        ",",
        ":",
        ";",
        "hostile",
        "attack",
        "italy",
        "trieste",
    ]
    + [
        "austria",
        "destroy",
        "ask",
        "invest",
        "else",
        "none",
        "draft",
        "standing",
        "advance",
        "if",
        "then",
        "not",
        "has",
        "taxed",
        "fight",
        "all",
        "//",
        "#",
    ]
    + [
        "ß",
        "İ",
        "st.",
        "west-",
        "'",
        "END",
        "to",
        "W",
        "production",
        "at",
        "K_NONE",
        "$END",
        "\u2028",
        "\x00",
        "0",
        "99999999999",
    ]
)


@given(st.lists(WORDS, max_size=14).map(" ".join) | st.text(max_size=60) | st.lists(WORDS, max_size=9).map("\n".join))
def test_no_text_crashes_the_reader(text: str) -> None:
    reading = reader().read(text.splitlines())
    for found in reading.statements:
        assert (found.refusal is None) == (found.command.name != "")


@given(orders.map(write) | early.map(write).map("advance {}".format), st.data())
def test_no_mistyped_order_crashes_the_reader(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    put = data.draw(st.text(max_size=3) | WORDS)
    reader().read((text[:place] + put + text[place + data.draw(st.integers(0, 3)) :]).splitlines())


@given(
    st.lists(WORDS | st.sampled_from(["treasury", "army", "rondel", "no", "bond", "anton", "flag"]), max_size=7).map(
        " ".join
    )
    | st.text(max_size=30)
)
def test_no_given_line_crashes_the_reader(text: str) -> None:
    try:
        reader().given(text, 1)
    except Refusal as refusal:
        assert refusal.code


@cache
def wordings() -> tuple[Wording, ...]:
    return tuple(Wording(VOICE, language, html=False, commands=COMMANDS.sentences) for language in LANGUAGES)


HOLE = re.compile(r"[:(,] *[.)?]|  | [.,;?]|„“|“”|\{|: *$")


texts = orders.map(write) | early.map(write).map("advance {}".format) | st.lists(WORDS, max_size=9).map(" ".join)


@given(texts, WORDS, st.floats(0, 1), st.integers(0, 4))
def test_what_can_not_be_read_is_told_without_a_hole(text: str, put: str, where: float, instead: int) -> None:
    """In every language, whatever it is."""
    place = round(where * len(text))
    for found in reader().read((text[:place] + put + text[place + instead :]).splitlines()).statements:
        if found.refusal:
            for wording in wordings():
                said = wording.refusal(found.refusal.code, {**found.refusal.facts, "read": "x"})
                assert not HOLE.search(said), said


@given(orders)
def test_orders_read_back_as_our_letters_print_them_in_every_language(given_order: od.Order) -> None:
    for wording in wordings():
        assert order(wording.order(write(given_order))) == given_order


def test_amounts_and_spaces_read_back_as_our_letters_print_them() -> None:
    for wording in wordings():
        money = wording.say("money", amount=9)
        assert order(f"invest germany {money}") == od.Invest(choices=(od.Purchase(nation=Nation("germany"), price=9),))
        for space in (*SPACES, "production", "maneuver"):
            assert order(wording.say(f"spaces.{space}")) == od.Turn(space=space), (wording, space)
        for dash in ("-", "–", "—", "→"):
            assert order(f"invest italy 4 {dash} 12") == order("invest italy 4 - 12")
