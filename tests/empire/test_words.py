"""The names and words of Empire, of all languages together."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from lark.parsers.lalr_analysis import Shift

from pbem.games.empire.data.editions import order_language
from pbem.games.empire.data.names import words
from pbem.games.empire.notation.grammar import KEYWORDS
from pbem.host.commands.table import COMMANDS
from pbem.language.grammar import SHARED, STARTS, TOKENS, compiled
from pbem.language.tokens import fold, tokenize
from pbem.language.words import PRESS_WORDS, WORDS


def test_every_word_of_the_grammar_is_there() -> None:
    assert {*KEYWORDS, "to"} <= {*words()["words"]}


def test_no_word_means_two_things_at_one_place() -> None:
    """Where the grammar lets both stand; a beginning may be ambiguous, what is written in full never is."""
    own = order_language()
    keywords = {**own.keywords, **COMMANDS.words, **WORDS, **PRESS_WORDS}
    tables = {**own.names, **{terminal: {terminal: ways} for terminal, ways in keywords.items()}}
    called = {
        terminal: {tuple(t.text for t in tokenize(fold(way), 1)): id_ for id_, ways in table.items() for way in ways}
        for terminal, table in tables.items()
    }
    terminals = tuple(sorted({*called, *own.patterns, *TOKENS, "SEAT", "TOPIC"}))
    parser = compiled(COMMANDS.grammar + SHARED + own.grammar, STARTS, terminals).parse_interactive(start="letter")
    found: dict[str, set[str]] = defaultdict(set)
    for actions in parser.parser_state.parse_conf.states.values():
        shifted = sorted(t for t, (action, _) in actions.items() if action is Shift and t in called)
        for one, other in combinations(shifted, 2):
            for name in called[one].keys() & called[other].keys():
                found[" ".join(name)] |= {one, other}
    assert not found, dict(found)


def test_no_two_things_of_a_kind_have_the_same_name() -> None:
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for kind, table in order_language().names.items():
        for id_, ways in table.items():
            for way in ways:
                found[kind, fold(way)].add(id_)
    assert not {name: ids for name, ids in found.items() if len(ids) > 1}
