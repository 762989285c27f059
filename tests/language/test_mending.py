"""What a line that can't be read may have been meant for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.language.words import FILLERS, TABLES
from tests.language.tables import reader

SAID = sorted({*FILLERS, *(way for ways in TABLES["numbers"].values() for way in ways), ",", ":", "-", "&", "x", "A"})


@given(st.lists(st.sampled_from([*SAID, "import", "lemberg", "austia", "manuever"]), min_size=1, max_size=5))
def test_whatever_is_said_can_be_looked_at(words: list[str]) -> None:
    parser = reader()
    for statement in parser.read([" ".join(words)]).statements:
        for said in parser.mended(statement):
            assert not said.refusal


def test_an_article_is_none_where_it_is_the_beginning_of_a_name() -> None:
    for text, full in (
        ("maneuver A berlin - den hostile", "maneuver A berlin - denmark hostile"),
        ("maneuver A tunis - al friendly", "maneuver A tunis - algeria friendly"),
        ("import A le, F t", None),
        ("fight all army", "fight all A"),
        ("give a italy 3", "give italy 3"),
        ("kaufe die 9 Italien", "invest italy 9"),
    ):
        (said,) = reader().read([text]).statements
        meant = full and reader().order(full)
        assert said.order == meant if meant else said.refusal, text
