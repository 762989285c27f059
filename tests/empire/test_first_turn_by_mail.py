"""The first turn of somebody who has never played: what he reads tells what is, and what would do."""

from __future__ import annotations

import pytest

from pbem.language.words import LANGUAGES
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
