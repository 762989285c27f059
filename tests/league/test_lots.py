"""Lots: the vector of the contract, chains, keys, and that everything a draw depends on changes it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.league.designs import cyclic_tables
from pbem.league.lots import canonical, chain, follows, key_of, lot_order, sealed, shuffled
from pbem.league.positions import fixed_positions
from tests.league.vectors import INPUTS, NAMES, NATIONS, NUMBER, WORKED

ROOT = Path(__file__).parents[2]
LINKS = chain("00" * 32, 64)
KEY = b"1d4e0156a5de305d701dd67d6ed994bf987a67f410a05cccf9b8c2200ee70f46"
TEXT = st.text(st.characters(exclude_categories=("Cs",)))
VALUES = st.recursive(
    st.integers(-(2**53), 2**53) | TEXT | st.booleans() | st.none(),
    lambda deeper: st.lists(deeper) | st.dictionaries(TEXT, deeper),
)


def test_the_vector_to_the_letter() -> None:
    assert LINKS[0] == "6d2474f438159ee0eebb61595af459ad2e4c8bc2ad56a5b79c7c229830439574"
    assert LINKS[1] == "0d204b017798eab2582bcc1925edf47b7059335844f3abe93c941ad269cb9b56"
    assert canonical(INPUTS).decode() == (
        '{"draw":1,"entries":[["anton","banana"],["bert",""],["claudia","7"],["daniel",""],["emil","x"],["frieda",""],'
        '["greta","moon"]],"group":"1a","league":"euro-1"}'
    )
    assert key_of(LINKS[1], INPUTS) == KEY
    order = shuffled(NAMES, KEY, "order 1a")
    assert order == ["anton", "bert", "emil", "claudia", "daniel", "frieda", "greta"]


def test_the_tables_and_positions_of_the_vector() -> None:
    order = [NUMBER[name] for name in shuffled(NAMES, KEY, "order 1a")]
    tables = cyclic_tables(order, 4)
    nations = shuffled(NATIONS, KEY, "positions 1a")
    dealt = [[nations[position] for position in each] for each in fixed_positions(tables, 6)]
    assert [[NAMES[number - 1] for number in table] for table in tables] == [[seat[0] for seat in t] for t in WORKED]
    assert dealt == [[seat[1] for seat in table] for table in WORKED]


def test_every_link_follows_and_none_can_be_left_out() -> None:
    assert len(LINKS) == 65
    assert all(follows(link, before) for before, link in pairwise(LINKS))
    for gone in range(1, 64):
        left = [*LINKS[:gone], *LINKS[gone + 1 :]]
        assert not all(follows(link, before) for before, link in pairwise(left))


@given(VALUES)
def test_canonical_is_plain_json(value: Any) -> None:
    assert canonical(value) == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@given(st.integers(0, 6), TEXT)
def test_a_luck_word_changes_the_key(who: int, word: str) -> None:
    entries = [[name, word if number == who else luck] for number, (name, luck) in enumerate(INPUTS["entries"])]  # type: ignore[misc,arg-type]
    assert (key_of(LINKS[1], {**INPUTS, "entries": entries}) == KEY) == (entries == INPUTS["entries"])


def test_an_entrant_or_the_link_changes_the_key() -> None:
    fewer = {**INPUTS, "entries": INPUTS["entries"][1:]}  # type: ignore[index]
    assert len({KEY, key_of(LINKS[1], fewer), key_of(LINKS[2], INPUTS)}) == 3


@given(st.lists(st.integers(), unique=True), st.binary(min_size=1))
def test_shuffling_loses_nobody(people: list[int], key: bytes) -> None:
    order = shuffled(people, key, "x")
    assert sorted(order) == sorted(people)
    assert [*lot_order(people, key, "x")] == order


def test_a_sealed_drawing_has_the_link_behind_it() -> None:
    drawing = {"tables": [[1, 2]], "draw": 1}
    assert sealed(drawing, "ab") == hashlib.sha256(b'{"draw":1,"tables":[[1,2]]}ab').hexdigest()


SCRIPT = """
from pbem.league.lots import chain, key_of
from pbem.league.positions import drawn_positions, fixed_positions
from pbem.league.rounds import Field, round_tables
key = key_of(chain("11" * 32, 4)[1], {"b": [1], "a": {"d": 2, "c": "ü"}})
met = {(a, b): 1 for a in range(40) for b in range(a + 1, 40) if (a * b) % 7 == 0}
field = Field(players=tuple(range(40)), sizes=(4,) * 10, wanted=4, score={p: p * 37 % 900 for p in range(40)}, met=met)
drawn = round_tables(field, key)
print(key, drawn, fixed_positions(drawn.tables, 6), drawn_positions(drawn.tables[0], 6, {}, key, "x"))
"""


DRAWN = "6ad3d3b7592332fe84407a1a6148d8ac3c43e07510422eebc7365d2c348a2800"  # by Python 3.11, 3.12 and 3.13


def test_the_same_bytes_whatever_the_hash_seed_and_on_every_python() -> None:
    def run(seed: str) -> str:
        command = [sys.executable, "-c", SCRIPT]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout

    assert {hashlib.sha256(run(seed).encode()).hexdigest() for seed in ("1", "2")} == {DRAWN}
