"""Lines around the orders that can't be read: which are prose, and which smell of an order and stop the letter."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from pbem.games.imperial.notation.write import write
from tests.language.tables import reader
from tests.language.test_language_properties import orders

SMELLS = (
    "and also F Brest",
    "Bitte gib auch Russland 1",
    "regala alla Germania 1",
    "e anche F Brest",
    "und auch eine Flotte in Brest",
    "und noch 2 A Paris",
    "plus A Paris please",
    "and 2 fleets Brest",
    "then also an army in Paris",
    "please give Russia 2",
    "please also give 2 to Russia",
    "could you give Russia 2m",
    "I'd like to invest Italy 9",
    "we want to buy Italy 9",
    "buy Italy 9",
    "kaufe Italien 9",
    "kaufe bitte die 9 von Italien",
    "ich möchte Italien 9 kaufen",
    "compra Italia 9",
    "vorrei comprare Italia 9",
    "importiere A Paris",
    "baue Fabrik in Paris",
    "move A Paris - Dijon",
    "importa A Parigi",
    "muovi A Parigi - Digione",
    "ziehe A Paris nach Dijon",
    "and then italy: taxation",
    "please taxation",
    "und dann Steuer",
    "e poi Tassazione",
    "ustria: taxation",
    "austia: taxation",
    "austra taxation",
    "ivnest germany 9",
    "gve austria 3",
    "gbi Russland 1",
    "taxtion",
    "investr",
    "productoin",
    "darft",
    "also invest none",
    "bitte auch investiere Italien 9",
    "und Frieden",
    "- italy: investor",
    "* italy: investor",
    '"italy: investor"',
    "- F Brest",
    "bidd italy 9",
    "offro Italia 9",
    "dono alla Germania 1",
    "zahle Deutschland 2",
    "ich zahle 2 an Deutschland",
    "pago 2 alla Germania",
    "paga Germania 2",
    "transfer 2m to Germany",
    "My move: Import A Paris",
    "Unser Zug: Steuer",
    "la mossa: Fabbrica Roma",
    "and A London - North Sea",
    "anche A Roma - Napoli",
    "e la flotta Napoli verso Ionio",
    "plus destroy Venice",
    "und zerstöre Venedig",
    "gibt Russland 1",
    "giving Russia 1",
    "Anleihe Italien 9 bitte",
    "prestito Italia 9",
    "then the bond of Italy for 9",
    "and fight 2",
    "and advance italy: taxation",
    "please standing peace",
    "Austria is strong this year",
    "Österreich ist stark",
    "ital taxatin",
    "germ investr",
    "rus taxatin",
    "frankr Fabrk",
)

PROSE = (
    "Sorry for the delay, I was in Vienna",
    "Viele Grüße aus Triest",
    "see you in Italy in 3 weeks",
    "I have 2 kids",
    "Dear all,",
    "hello!",
    "See you tomorrow, Anton",
    "Liebe Grüße",
    "Cordiali saluti",
    "Ciao a tutti,",
    "Scusate il ritardo, ero a Vienna",
    "saluti da Trieste",
    "ci vediamo a Roma tra 3 giorni",
    "Wir sehen uns in 3 Wochen in Italien",
    "bin ab Montag in Russland, 2 Wochen",
    "Best regards from London",
    "I think Italy is strong this year",
    "Ich glaube Italien wird 25 erreichen",
    "Well played!",
    "Good luck to all of you",
    "Thanks, Bert",
    "Danke und bis morgen",
    "Grazie mille",
    "Happy New Year 2027",
    "Sent from my phone",
    "what a move by Russia",
    "nobody expected that from Germany",
    "the weather in Berlin is nice",
    "I will be away from 3 May",
    "Von unterwegs gesendet",
    "Lars",
    "Gioia",
    "Paul",
    "Don",
    "Peter",
    "Yours, Clara",
    "I hope for peace in Europe",
    "nobody wants to fight",
    "It is important for Italy",
    "You owe me 5 Euro",
    "in bocca al lupo",
    "Frohe Ostern",
    "Guten Morgen zusammen",
    "Hi Anton, hi Bert,",
    "Hope you are well.",
    "My train was 3 hours late",
    "We live in Italy for 3 years",
    "this turn took me 2 hours",
    "Right",
    "Nice game so far",
    "that was a surprise!",
    "sorry, was asleep",
    "Buona serata da Roma",
    "un saluto dalla Francia",
    "Ich war in Paris und London",
    "Meine Frau kommt aus Polen",
    "the 2nd time this week",
    "cheers from Odessa",
    "Okay then.",
    "Thanks and bye",
    "Mit freundlichen Grüßen",
    "warm greetings from a rainy Hamburg",
    "mein Zug hatte 20 Minuten Verspätung",
    "non importa",
    "great game everybody",
    "Great move!",
    "United we stand",
    "ci sentiamo fra 3 giorni",
)


def test_what_smells_of_an_order_stops_the_letter() -> None:
    for line in SMELLS:
        for text in (f"italy: investor\n{line}", f"{line}\nitaly: investor"):
            reading = reader().read(text.splitlines())
            assert line not in reading.passed, line
            assert reading.stopped or len(reading.statements) > 1 or "\n" in reading.statements[0].text, line


def test_mere_prose_is_passed_over() -> None:
    for line in PROSE:
        for text in (f"italy: investor\n{line}", f"{line}\nitaly: investor"):
            reading = reader().read(text.splitlines())
            assert (reading.passed, reading.stopped) == ((line,), False), line


def test_a_line_that_smells_of_an_order_says_what_would_do() -> None:
    for text, gist in (
        ("and also F Brest", "F Brest"),
        ("und gib auch Russland 1", "gib Russland 1"),
        ("e poi regala alla Germania 1", "regala Germania 1"),
        ("then, taxation", "taxation"),
        ("would you give 2 to Russia", "give 2 Russia"),
        ("would you give them 2, Russia", ""),
    ):
        *_, last = reader().read(["italy: investor", text]).statements
        assert last.refusal is not None, text
        assert last.refusal.facts["gist"] == gist, text


POLITE = st.sampled_from(["please", "and also", "bitte", "und dann", "e poi", "per favore", "ok,", "thanks, then"])
single_lines = orders.map(write).filter(lambda text: "\n" not in text)


@st.composite
def slips(draw: st.DrawFn) -> str:
    """A legal line with one thing wrong: a letter too many, too few, out of order or wrong, words around it, a quote mark."""
    text = draw(single_lines)
    words = list(re.finditer(r"[a-z_]{4,}", text))
    match draw(st.sampled_from(["before", "after", "quotes", "bullet", *(["typo"] * 4 if words else [])])):
        case "before":
            return f"{draw(POLITE)} {text}"
        case "after":
            return f"{text} {draw(POLITE)}"
        case "quotes":
            return f"“{text}”"
        case "bullet":
            return f"{draw(st.sampled_from('-*•–'))} {text}"
    word = draw(st.sampled_from(words))
    place = draw(st.integers(word.start(), word.end() - 2))
    other = draw(st.sampled_from("aeinrst"))
    head, one, two, rest = text[:place], text[place], text[place + 1], text[place + 2 :]
    if " " not in text:  # one wrong letter makes another word of a short one
        return draw(st.sampled_from([head + two + one + rest, head + one + one + two + rest]))
    return draw(
        st.sampled_from(
            [head + two + one + rest, head + two + rest, head + one + one + two + rest, head + other + two + rest]
        )
    )


@given(slips(), st.booleans())
@example("please give austria_hungary 3", True)
def test_no_order_with_a_slip_is_passed_over(line: str, below: bool) -> None:
    other = "standing peace"
    reading = reader().read([other, line] if below else [line, other])
    assert line not in reading.passed
