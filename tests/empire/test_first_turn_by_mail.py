"""The first turn of somebody who has never played: what he reads tells what is, and what would do."""

from __future__ import annotations

import pytest

from pbem.core.languages import LANGUAGES
from tests.empire.twins import Twin

BEING_BUILT = {
    "en": "The steel mill at C3 is still being built, and runs when it is finished.",
    "de": "Das Stahlwerk bei C3 ist noch im Bau und läuft erst, wenn der Bau fertig ist.",
    "it": "L’acciaieria in C3 è ancora in costruzione, e lavora solo a costruzione finita.",
}


@pytest.fixture(scope="module")
def begun() -> Twin:
    twin = Twin("anton", "bert")
    twin.lay_out("goods {0} C3 20 bm, 5 cmx, 5 hmx, 5 td", turn=1)
    twin.write(twin.state.order[0], "build SM at C3")
    return twin


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_waits_for_a_work_is_not_told_to_build_another(begun: Twin, language: str) -> None:
    twin, who = begun.copied(), begun.state.order[0]
    twin.write(who, f"language {language}")
    (answer,) = (mail for mail in twin.write(who, "make 3 steel at C3") if mail.answers)
    assert BEING_BUILT[language] in " ".join(answer.text.split())


REACHED = {
    "en": "worker at C3, 12 BTA left, gets to these for so many BTA, if nobody is in the way: ",
    "de": "Arbeiter in C3, noch 12 BTA, kommt für so viele BTA dorthin, wenn niemand im Weg ist: ",
    "it": "operaio in C3, ancora 12 BTA, arriva qui con tanti BTA, se nessuno è d’intralcio: ",
}
NEAR = {"en": "Beside it lie ", "de": "Daneben liegen ", "it": "Accanto ci sono "}


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_far_somebody_gets_is_what_moves_cost(begun: Twin, language: str) -> None:
    twin, who = begun.copied(), begun.state.order[0]
    twin.write(who, f"language {language}")
    (answer,) = (mail for mail in twin.write(who, "reach C3\nreach H8") if mail.answers)
    told = " ".join(answer.text.split())
    ends = dict(each.split(" ") for each in told.partition(REACHED[language])[2].partition(".")[0].split(", "))
    assert {"C2": "2", "C4": "2"}.items() <= ends.items()
    assert "H8" not in ends
    assert NEAR[language] + "H7" in told
    tries = "\nundo\n".join(f"1 worker C3 - {end}" for end in ends)
    (tried,) = (mail for mail in twin.write(who, f"preview\n{tries}") if mail.answers)
    assert {code for _, code in twin.outcomes(who)} == {None}
    told = " ".join(tried.text.split())
    assert [end for end, bta in ends.items() if f"- {end}, {bta} BTA." not in told] == []
