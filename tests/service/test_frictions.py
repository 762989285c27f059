"""Sentences that once left a reader alone, as they are said now: what was read, why it can't be, what would do."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.service.bureau import NAMES, Bureau, address

TURN = "turn austria_hungary"
ROWS: tuple[tuple[tuple[str, ...], str, str, str], ...] = (  # the position, the language, what is written, what is said
    (
        ("rondel austria_hungary maneuver_1", "cash anton 0", TURN),
        "en",
        "austria: maneuver_2",
        "Maneuver II is 4 spaces ahead, which costs 2m of your own cash, and you have 0m. "
        "Open to you: Investor, Import or Production II.",
    ),
    (
        ("rondel austria_hungary maneuver_1", "cash anton 0", TURN),
        "de",
        "Österreich: Manöver 2",
        "Manöver II liegt 4 Felder voraus. Das kostet 2 Mio. aus deinem Bargeld, und du hast 0 Mio. zur Verfügung. "
        "Offen stehen dir: Investor, Import, Produktion II.",
    ),
    (
        ("fleet italy naples 1", "rondel italy investor", "turn italy"),
        "en",
        "italy: maneuver F naples - ionian",
        "a fleet gets from there to the Western Mediterranean Sea.",
    ),
    (
        ("cash anton 9", "investor anton", TURN, "rondel austria_hungary maneuver_1"),
        "de",
        "Österreich: Investor\nkaufe Italien 9",
        "ist vergeben: bert hat ihn. Frei und für dich bezahlbar: 4, 6",
    ),
    ((), "en", "show", "You have no orders on file."),
    ((), "de", "zeige", "Von dir ist nichts gespeichert."),
    ((), "it", "mostra", "Non hai ordini in attesa."),
    ((), "en", "austria: maneuver_1 vienna - trieste", "I can’t read “vienna” here: I expected"),
    ((), "en", "austria: import lemberg", "I can’t read “lemberg” here: I expected"),
)


@pytest.mark.parametrize(("position", "language", "written", "said"), ROWS)
def test_what_was_read_why_it_can_not_be_and_what_would_do(
    bureau: Bureau, position: tuple[str, ...], language: str, written: str, said: str
) -> None:
    bureau.given(*position) if position else None
    with bureau.store.transaction() as repository:
        for name in NAMES:
            person = repository.person_at(address(name))
            assert person is not None
            repository.save_person(replace(person, language=language))
    who = bureau.awaited[0][0]
    bureau.write(who, written)
    told = " ".join(bureau.answers(who)[-1].text.replace("\u00a0", " ").split())
    assert said in told, told


def test_a_letter_that_asks_tells_who_gains_by_passing_investor(bureau: Bureau) -> None:
    bureau.given("rondel austria_hungary maneuver_1", "investor claudia", TURN)
    told = [" ".join(mail.text.split()) for mail in bureau.postman.to(address("anton"))]
    assert any("passes Investor: claudia (investor card) gets 2m and may invest." in text for text in told)
