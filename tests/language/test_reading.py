"""Sections 1 and 2 of docs/reference/order-language.md, row by row: the text, and the order it gives."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.core.refusal import Refusal, Unreadable
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import orders as od
from pbem.language.parser import MOST
from pbem.language.statements import Reading
from tests.language.tables import army, buy, fleet, invest, move, order, plan, reader, statement, turn, units

AH = "austria_hungary"
TRIESTE_TO_VIENNA = move(army("trieste", "vienna"))
VIENNA_TO_TRIESTE = move(army("vienna", "trieste"))

ORDERS: list[tuple[str, od.Order]] = [
    # a nation's turn
    ("austria: factory trieste", turn("factory", od.Build(region="trieste"), AH)),  # type: ignore[arg-type]
    ("austria: factory none", turn("factory", od.Build(region=None), AH)),
    ("austria: factory", turn("factory", None, AH)),
    ("austria: factory at trieste", turn("factory", od.Build(region="trieste"), AH)),  # type: ignore[arg-type]
    ("austria: production", turn("production", None, AH)),
    ("austria: production_2", turn("production_2", None, AH)),
    ("austria: prod_2", turn("production_2", None, AH)),
    (
        "austria: production at trieste, vienna",
        turn("production", od.Produce(works=("trieste", "vienna")), AH),
    ),  # type: ignore[arg-type]
    ("production_1 at prague", turn("production_1", od.Produce(works=("prague",)))),  # type: ignore[arg-type]
    (
        "austria: import F trieste, A lemberg",
        buy(units("fleet", "trieste"), units("army", "lemberg"), nation=AH),
    ),
    ("import 2 A lemberg", buy(units("army", "lemberg", 2))),
    ("import fleet trieste, 2 armies lemberg", buy(units("fleet", "trieste"), units("army", "lemberg", 2))),
    ("import none", buy()),
    ("austria: investor", turn("investor", None, AH)),
    ("austria: taxation", turn("taxation", None, AH)),
    ("taxation", turn("taxation")),
    ("maneuver none", move()),
    ("maneuver", turn("maneuver")),
    ("maneuver_2 A vienna - trieste", move(army("vienna", "trieste"), space="maneuver_2")),
    ("austria maneuver A vienna - trieste", move(army("vienna", "trieste"), nation=AH)),
    ("maneuver 2 A vienna - trieste", move(army("vienna", "trieste", count=2))),
    (
        "maneuver F trieste - ionian, 2 A vienna - trieste",
        move(fleet("trieste", "ionian_sea"), army("vienna", "trieste", count=2)),
    ),
    (
        "maneuver F trieste - ionian; 2 A vienna - trieste",
        move(fleet("trieste", "ionian_sea"), army("vienna", "trieste", count=2)),
    ),
    (
        "maneuver\nF trieste - ionian\n2 A vienna - trieste",
        move(fleet("trieste", "ionian_sea"), army("vienna", "trieste", count=2)),
    ),
    (
        "maneuver:\nF trieste - ionian,\n\n2 A vienna - trieste,",
        move(fleet("trieste", "ionian_sea"), army("vienna", "trieste", count=2)),
    ),
    ("maneuver A trieste - tunis via ionian", move(army("trieste", "tunis", via=("ionian_sea",)))),
    (
        "maneuver A trieste - tunis via ionian + w med",
        move(army("trieste", "tunis", via=("ionian_sea", "western_mediterranean_sea"))),
    ),
    (
        "maneuver A budapest - venice hostile attack italy fleet",
        move(army("budapest", "venice", status="hostile", attack="italy", attack_unit="fleet")),
    ),
    (
        "maneuver A budapest - venice attack italy fleet hostile ask france + italy",
        move(
            army(
                "budapest",
                "venice",
                status="hostile",
                attack="italy",
                attack_unit="fleet",
                ask=("france", "italy"),
            )
        ),
    ),
    ("maneuver A vienna - munich friendly", move(army("vienna", "munich", status="friendly"))),
    ("maneuver A warsaw hostile", move(army("warsaw", status="hostile"))),
    ("maneuver A warsaw hostile attack russia", move(army("warsaw", status="hostile", attack="russia"))),
    ("maneuver A warsaw hostile - lemberg", move(army("warsaw", "lemberg", leaving="hostile"))),
    (
        "maneuver A warsaw hostile - prague friendly",
        move(army("warsaw", "prague", leaving="hostile", status="friendly")),
    ),
    ("maneuver F ionian attack italy", move(fleet("ionian_sea", attack="italy"))),
    ("maneuver destroy venice", move(od.Destroy(region="venice"))),  # type: ignore[arg-type]
    (
        "maneuver A vienna - venice hostile\ndestroy venice",
        move(army("vienna", "venice", status="hostile"), od.Destroy(region="venice")),
    ),  # type: ignore[arg-type]
    # arrows
    *(
        (f"maneuver A trieste {arrow} vienna", TRIESTE_TO_VIENNA)
        for arrow in ("->", "-", ">", "to", "nach", "verso", "–", "—", "→", "TO")
    ),
    ("maneuver A trieste-vienna", TRIESTE_TO_VIENNA),
    # spelling
    ("MANEUVER a TRIESTE - Vienna", TRIESTE_TO_VIENNA),
    ("  maneuver   A  trieste   -  vienna  ", TRIESTE_TO_VIENNA),
    ("maneuver A “trieste” - 'vienna'", TRIESTE_TO_VIENNA),
    ("maneuver A trieste - vienna // home", TRIESTE_TO_VIENNA),
    ("maneuver A trieste - vienna # home", TRIESTE_TO_VIENNA),
    ("maneuver A tri - vie", TRIESTE_TO_VIENNA),
    ("man A trieste - wien", TRIESTE_TO_VIENNA),
    ("maneuver A st pet - warsaw", move(army("st_petersburg", "warsaw"))),
    ("maneuver A St. Petersburg - warsaw", move(army("st_petersburg", "warsaw"))),
    ("maneuver A Saint Petersburg - warsaw", move(army("st_petersburg", "warsaw"))),
    ("maneuver A St-Petersburg - warsaw", move(army("st_petersburg", "warsaw"))),
    ("maneuver F w_med - ionian_sea", move(fleet("western_mediterranean_sea", "ionian_sea"))),
    ("maneuver F W Med - ionian", move(fleet("western_mediterranean_sea", "ionian_sea"))),
    ("maneuver A munchen - koln", move(army("munich", "cologne"))),
    ("maneuver A muenchen - koeln", move(army("munich", "cologne"))),
    ("maneuver A München - Köln", move(army("munich", "cologne"))),
    ("maneuver A Mu\u0308nchen - Ko\u0308ln", move(army("munich", "cologne"))),
    ("maneuver A West-Balkan - greece", move(army("west_balkan", "greece"))),
    ("Austria-Hungary: investor", turn("investor", None, AH)),
    ("austria_hungary: investor", turn("investor", None, AH)),
    ("AH: investor", turn("investor", None, AH)),
    ("uk: prod", turn("production", None, "great_britain")),
    (
        "maneuver A rom - naples",
        move(army("rome", "naples")),
    ),  # the German name is exact, Romania a beginning
    # other decisions
    ("invest germany 9", invest(("germany", 9))),
    ("invest italy 4 - 12", invest(("italy", 12, 4))),
    ("invest italy 4 to 12", invest(("italy", 12, 4))),
    ("invest none", invest()),
    ("invest italy 12 else france 9 else none", invest(("italy", 12), ("france", 9), else_none=True)),
    ("invest italy 12 else france 9", invest(("italy", 12), ("france", 9))),
    ("fight", od.Fight()),
    ("fight 2", od.Fight(pairs=2)),
    ("fight all", od.Fight(pairs=None)),
    ("fight fleet", od.Fight(unit="fleet")),
    ("fight all fleet with italy", od.Fight(pairs=None, unit="fleet", nation="italy")),  # type: ignore[arg-type]
    ("fight with italy", od.Fight(nation="italy")),  # type: ignore[arg-type]
    ("peace", od.Peace()),
    ("force", od.Force()),
    ("let pass", od.LetPass()),
    ("give austria 3", od.Give(nation=AH, amount=3)),  # type: ignore[arg-type]
    ("bid austria 9", od.Bid(nation=AH, price=9)),  # type: ignore[arg-type]
    ("bid none", od.Bid()),
    # German
    ("Österreich: Fabrik Triest", turn("factory", od.Build(region="trieste"), AH)),  # type: ignore[arg-type]
    ("Oesterreich-Ungarn: Produktion", turn("production", None, AH)),
    (
        "Deutschland: Import Flotte Danzig, 2 Armeen Köln",
        buy(units("fleet", "danzig"), units("army", "cologne", 2), nation="germany"),
    ),
    (
        "Manöver Armee Wien nach Venedig feindlich Angriff Italien Flotte",
        move(army("vienna", "venice", status="hostile", attack="italy", attack_unit="fleet")),
    ),
    ("Manoever F Triest - Ionisches Meer", move(fleet("trieste", "ionian_sea"))),
    ("Investor", turn("investor")),
    ("Steuer", turn("taxation")),
    ("Großbritannien: Steuern", turn("taxation", None, "great_britain")),
    (
        "investiere Italien 12 sonst Frankreich 9 sonst nichts",
        invest(("italy", 12), ("france", 9), else_none=True),
    ),
    ("kämpfe alle mit Italien", od.Fight(pairs=None, nation="italy")),  # type: ignore[arg-type]
    ("Frieden", od.Peace()),
    ("gib Russland 2", od.Give(nation="russia", amount=2)),  # type: ignore[arg-type]
    ("Manöver zerstöre Venedig", move(od.Destroy(region="venice"))),  # type: ignore[arg-type]
    # Italian
    ("Austria-Ungheria: Fabbrica Trieste", turn("factory", od.Build(region="trieste"), AH)),  # type: ignore[arg-type]
    ("Italia: Produzione", turn("production", None, "italy")),
    ("Importazione flotta Trieste, armata Leopoli", buy(units("fleet", "trieste"), units("army", "lemberg"))),
    ("Manovra A Vienna verso Monaco amichevole", move(army("vienna", "munich", status="friendly"))),
    ("Manovra A Trieste verso Tunisi via Mar Ionio", move(army("trieste", "tunis", via=("ionian_sea",)))),
    ("Francia: Investitore", turn("investor", None, "france")),
    ("Tassazione", turn("taxation")),
    ("investi Italia 12 altrimenti niente", invest(("italy", 12), else_none=True)),
    ("combatti", od.Fight()),
    ("pace", od.Peace()),
    ("dai Germania 2", od.Give(nation="germany", amount=2)),  # type: ignore[arg-type]
]

COMMANDS = [
    ("draft", "draft"),
    ("play", "play"),
    ("show", "show"),
    ("cancel", "cancel"),
    ("standing", "standing"),
    ("standing none", "standing_none"),
    ("Entwurf", "draft"),
    ("bozza", "draft"),
]

STANDING = [
    ("standing fight", od.StandingFight()),
    ("standing fight italy at ionian", od.StandingFight(nation="italy", region="ionian_sea")),  # type: ignore[arg-type]
    ("standing fight all at ionian", od.StandingFight(pairs=None, region="ionian_sea")),  # type: ignore[arg-type]
    ("standing peace", od.StandingPeace()),
    ("standing peace italy", od.StandingPeace(nation="italy")),  # type: ignore[arg-type]
    ("standing force germany", od.StandingForce(nation="germany")),  # type: ignore[arg-type]
    ("standing force", od.StandingForce()),
    ("standing invest italy 12 else france 9", invest(("italy", 12), ("france", 9))),
]

SPOKEN = [
    *(
        (f"{bullet}austria: taxation{end}", "austria_hungary: taxation")
        for bullet in ("", "- ", "* ", "• ", "+ ", "1. ", "2) ", "3.) ", "(4) ", "[5] ", "6: ", "a) ")
        for end in ("!", "!!", " please")
    ),
    ("taxation please", "taxation"),
    ("please, taxation", "taxation"),
    ("Steuer, bitte!", "taxation"),
    ("tassazione per favore", "taxation"),
    ("Fight!", "fight"),
    ("fight two!", "fight 2"),
    ("Frieden!", "peace"),
    ("France – Factory", "france: factory"),
    ("France - build paris", "france: factory paris"),
    ("baue Triest", "factory trieste"),
    ("costruisci Trieste", "factory trieste"),
    ("austria imports two armies in vienna and a fleet in trieste", "austria_hungary: import 2 A vienna, F trieste"),
    ("austria imports two armies in vienna and one fleet in trieste", "austria_hungary: import 2 A vienna, F trieste"),
    ("importiere eine Armee in Wien und F Triest", "import A vienna, F trieste"),
    ("importa due armate Vienna e F Trieste", "import 2 A vienna, F trieste"),
    ("import A vienna & F trieste", "import A vienna, F trieste"),
    ("import 2A lemberg, and 1F trieste", "import 2 A lemberg, F trieste"),
    ("move A from vienna to trieste and A budapest - vienna", "maneuver\n  A vienna - trieste\n  A budapest - vienna"),
    ("ziehe zwei A von Wien nach Triest", "maneuver\n  2 A vienna - trieste"),
    ("muovi A da Vienna verso Trieste", "maneuver\n  A vienna - trieste"),
    (
        "move A trieste - tunis via ionian and w med",
        "maneuver\n  A trieste - tunis via ionian_sea + western_mediterranean_sea",
    ),
    (
        "maneuver\nF trieste - ionian\ntwo armies vienna - trieste",
        "maneuver\n  F trieste - ionian_sea\n  2 A vienna - trieste",
    ),
    ("production at trieste and vienna", "production at trieste, vienna"),
    ("kaufe Deutschland 9m", "invest germany 9"),
    ("buy 9 germany", "invest germany 9"),
    ("compro Germania nove", "invest germany 9"),
    ("give 3 to austria", "give austria_hungary 3"),
    ("regala alla Germania 1", "give germany 1"),
    ("gib Österreich drei", "give austria_hungary 3"),
]


@pytest.mark.parametrize(("text", "meant"), SPOKEN)
def test_words_that_people_type(text: str, meant: str | None) -> None:
    (found,) = reader().read(text.splitlines()).statements
    assert (found.order and write(found.order)) == meant


# Everyday words of three languages: none of them may be taken for a slip in a name.
EVERYDAY = """
    yes yeah okay sure maybe please thanks abstain undo right wrong great good nice well done move turn play later soon
    today tomorrow I'd I'll we'd they about after again all also and any because before being both build could do does
    each even every from game here have hello into just kind know like little look make many more most much must never
    next now only other over own people point really same say see she should some still such take than that their them
    there these thing think this time under until very wait want way what when where which while who why will with would
    write year your ja nein doch vielleicht bitte danke gern heute morgen gestern jetzt gleich dann noch auch aber oder
    weil wenn denn ich du er wir ihr mein dein sein unser euer eine einen keine nichts etwas alles immer nie hier dort
    kaufe mache gehe komme bleibt warte sage denke glaube weiß kann muss soll will darf möchte wieder schon sehr viel
    wenig gut schlecht schön groß klein neu alt Spiel Partie Grüße Tage Woche Jahr Leute forse adesso subito domani oggi
    ieri grazie prego ciao bene male molto poco tutto niente sempre mai qui dove quando come perché anche ancora però
    oppure mentre dopo prima fare dire vedere sapere potere volere dovere vengo vado penso credo scusa gioco mossa turno
    saluti giorno settimana anno gente cosa quello questo altro nuovo vecchio grande piccolo bello
"""


def test_no_everyday_word_is_taken_for_a_slip() -> None:
    for word in EVERYDAY.split():
        for line in (word, f"austria: {word}", f"import {word} lemberg", f"invest {word}"):
            told = [found.refusal for found in reader().read([line]).statements if found.refusal]
            slips = [
                each.facts["candidates"]
                for each in told
                if each.code != "name.ambiguous" and "candidates" in each.facts
            ]
            assert not any(slips), (line, slips)


TAXED = od.Did(nation="germany", space="taxation")  # type: ignore[arg-type]
ITALY = od.Stands(nation="italy", region="ionian_sea")  # type: ignore[arg-type]
RICH = od.Has(nation=AH, amount=5)  # type: ignore[arg-type]
TWO_ARMIES = buy(units("army", "vienna", 2))
PRODUCTION, TAXATION = turn("production"), turn("taxation")
EITHER = plan(TAXED, TWO_ARMIES, PRODUCTION)

ADVANCE: list[tuple[str, od.Order]] = [
    ("austria: if germany taxed import 2 A vienna else production", EITHER),
    ("austria: if germany taxed then import 2 A vienna else production", EITHER),
    ("austria if germany taxation: import: 2 A vienna else: production", EITHER),
    ("austria: if germany taxed, import 2 A vienna, else production", EITHER),
    ("austria: if germany taxed; then import 2 A vienna; else production", EITHER),
    ("austria: if germany taxed\nimport 2 A vienna\nelse production", EITHER),
    ("austria:\nif germany taxed\nthen\nimport\n2 A vienna,\n\nelse\nproduction", EITHER),
    ("austria: if germany has taxed import 2 A vienna else production", EITHER),
    ("austria: if germany tax then import 2 A vienna else prod", EITHER),
    ("österreich: wenn Deutschland Steuer Import 2 A Wien sonst Produktion", EITHER),
    ("österreich: falls Deutschland besteuert dann Import 2 A Wien sonst Produktion", EITHER),
    ("austria: se Germania tassazione importazione 2 A Vienna altrimenti produzione", EITHER),
    ("austria: se Germania ha tassato allora importazione 2 A Vienna altrimenti produzione", EITHER),
    ("austria: if germany not taxed taxation", plan(replace(TAXED, negated=True), TAXATION)),
    ("austria: if germany has not taxed taxation", plan(replace(TAXED, negated=True), TAXATION)),
    ("austria: wenn Deutschland nicht Steuer dann Steuer", plan(replace(TAXED, negated=True), TAXATION)),
    ("austria: if germany produced taxation", plan(replace(TAXED, space="production"), TAXATION)),
    ("austria: if germany production_2 taxation", plan(replace(TAXED, space="production_2"), TAXATION)),
    ("austria: if germany production 2 taxation", plan(replace(TAXED, space="production_2"), TAXATION)),
    ("austria: if germany manoeuvred taxation", plan(replace(TAXED, space="maneuver"), TAXATION)),
    ("austria: if germany built taxation", plan(replace(TAXED, space="factory"), TAXATION)),
    ("austria: if germany imported taxation", plan(replace(TAXED, space="import"), TAXATION)),
    ("austria: if germany invested taxation", plan(replace(TAXED, space="investor"), TAXATION)),
    ("austria: if austria has 5 taxation", plan(RICH, TAXATION)),
    ("austria: wenn Österreich hat 5 Steuer", plan(RICH, TAXATION)),
    ("austria: se Austria-Ungheria non ha 5 tasse", plan(replace(RICH, negated=True), TAXATION)),
    ("austria: if austria has not 5 taxation", plan(replace(RICH, negated=True), TAXATION)),
    ("austria: if italy at ionian taxation", plan(ITALY, TAXATION)),
    ("austria: if italy not in ionian taxation", plan(replace(ITALY, negated=True), TAXATION)),
    ("austria: wenn Italien in Ionisches Meer Steuer", plan(ITALY, TAXATION)),
    ("austria: se Italia in Ionio tasse", plan(ITALY, TAXATION)),
    ("austria: taxation else production else import 2 A vienna", plan(None, TAXATION, PRODUCTION, TWO_ARMIES)),
    (
        "austria: production at vienna, trieste, else taxation",
        plan(None, turn("production", od.Produce(works=("vienna", "trieste"))), TAXATION),  # type: ignore[arg-type]
    ),
    (
        "austria: if italy at ionian maneuver\nF trieste - ionian attack italy\nA vienna - trieste\nelse production",
        plan(ITALY, move(fleet("trieste", "ionian_sea", attack="italy"), army("vienna", "trieste")), PRODUCTION),
    ),
    (
        "austria: import A vienna else maneuver\nA vienna - trieste\nA prague - vienna",
        plan(None, buy(units("army", "vienna")), move(army("vienna", "trieste"), army("prague", "vienna"))),
    ),
    (
        "austria: maneuver A vienna - trieste else import\nA vienna, A prague",
        plan(None, VIENNA_TO_TRIESTE, buy(units("army", "vienna"), units("army", "prague"))),
    ),
    ("austria: fa tri", turn("factory", od.Build(region="trieste"), AH)),  # type: ignore[arg-type]
    ("invest italy 12 else none", invest(("italy", 12), else_none=True)),
    ("bid italy 12", od.Bid(nation="italy", price=12)),  # type: ignore[arg-type]
]

REFUSED = [
    ("factory Treiste", "name.unknown", "Trieste"),
    ("austia: factory trieste", "name.unknown", "Austria-Hungary"),
    ("maneuver F north - channel", "name.ambiguous", "North Sea"),
    ("maneuver A st pet - north", "name.ambiguous", "North Atlantic"),
    ("inv", "name.ambiguous", "Investor"),
    ("austria: inport A lemberg", "name.unknown", "Import"),
    ("maneuver A vienna -", "order.incomplete", None),
    ("give austria", "order.incomplete", None),
    ("invest italy", "order.incomplete", None),
    ("bid", "order.incomplete", None),
    ("give austria thrice", "order.unreadable", None),
    ("A vienna - trieste", "order.unreadable", None),
    ("destroy venice", "order.unreadable", None),
    ("austria: factory trieste tomorrow", "order.unreadable", None),
    ("maneuver A vienna - trieste attack", "order.incomplete", None),
    ("invest italy 4 - 12 - 16", "order.unreadable", None),
    ("austria: taxation else production", "order.unreadable", None),
    ("austria: import A vienna else production", "order.unreadable", None),
    ("austria: if germany taxed taxation", "order.unreadable", None),
    ("peace else fight", "order.unreadable", None),
    ("advance austria: if germany taxed", "order.incomplete", None),
    ("advance austria: if germany", "order.incomplete", None),
    ("advance austria: taxation else", "order.incomplete", None),
    ("advance austria: if germany then taxation", "name.unknown", None),
    ("advance austria: if germny taxed taxation", "name.unknown", "Germany"),
    ("advance austria: if germany taxde taxation", "name.unknown", "taxed"),
    ("advance austria: if germany at 5 taxation", "order.unreadable", None),
    ("advance austria: if germany taxed taxation else none", "name.unknown", None),
]


@pytest.mark.parametrize(("text", "wanted"), ORDERS)
def test_order(text: str, wanted: od.Order) -> None:
    assert order(text) == wanted


@pytest.mark.parametrize(("text", "command"), COMMANDS)
def test_command(text: str, command: str) -> None:
    found = statement(text)
    assert (found.refusal, found.command.name, found.order) == (None, command, None)


@pytest.mark.parametrize(("text", "wanted"), STANDING)
def test_standing(text: str, wanted: od.Order) -> None:
    found = statement(text)
    assert (found.refusal, found.command.name, found.order) == (None, "standing", wanted)


@pytest.mark.parametrize(("text", "wanted"), ADVANCE)
def test_advance_orders(text: str, wanted: od.Order) -> None:
    found = statement(f"advance {text}")
    assert (found.refusal, found.command.name, found.order) == (None, "advance", wanted)


def test_lines_go_on_with_the_order_above() -> None:
    assert order("austria:\ntaxation") == turn("taxation", None, AH)
    assert order("invest italy 12\nelse france 9\nelse none") == invest(("italy", 12), ("france", 9), else_none=True)
    first, second = letter("advance austria: taxation\nelse production\nitaly: taxation").statements
    assert (first.command.name, first.line, second.command.name, second.line) == ("advance", 1, "order", 3)


def test_a_line_that_can_not_go_on_with_the_order_above_is_prose() -> None:
    reading = letter("austria: taxation\nSonst nichts Neues\nse ti va\nif you like")
    assert [s.order for s in reading.statements] == [turn("taxation", None, AH)]
    assert reading.passed == ("Sonst nichts Neues", "se ti va", "if you like")


def test_advance() -> None:
    found = statement("advance italy: maneuver\nA rome - naples")
    assert (found.command.name, found.order) == ("advance", move(army("rome", "naples"), nation="italy"))


@pytest.mark.parametrize(("text", "code", "near"), REFUSED)
def test_refused(text: str, code: str, near: str | None) -> None:
    refusal = statement(text).refusal
    assert isinstance(refusal, Unreadable)
    assert refusal.code == code
    assert near is None or near in refusal.facts["candidates"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("factory Treiste", 1, 9),
        ("give italy 1\nfactory Treiste", 2, 9),
        ("give italy 1; factory Treiste", 1, 23),
    ],
)
def test_a_refusal_tells_the_place(text: str, line: int, column: int) -> None:
    refusal = reader().read(text.splitlines()).statements[-1].refusal
    assert isinstance(refusal, Unreadable)
    assert (refusal.line, refusal.column) == (line, column)


# -- whole letters ---


def letter(text: str) -> Reading[od.Order]:
    return reader().read(text.splitlines())


def test_prose_around_is_passed_over() -> None:
    reading = letter("Dear all,\nhello!\n\ninvestor\n\nSee you, Best\nAnton")
    assert [s.order for s in reading.statements] == [turn("investor")]
    assert reading.passed == ("Dear all,", "hello!", "See you, Best", "Anton")
    assert not reading.stopped


@pytest.mark.parametrize(
    "line",
    [
        "Italy is weak",
        "give me a break",
        "A lovely plan",
        "2 days are left",
        "aus: factory Treiste",
        "aus factory Treiste",
    ],
)
def test_what_begins_like_an_order_is_no_prose(line: str) -> None:
    reading = letter(f"give italy 1\n{line}")
    assert reading.stopped


def test_prose_between_stops() -> None:
    assert letter("give italy 1\nwell now\ngive italy 1").stopped


@pytest.mark.parametrize("cut", ["END", "end", "End.", "END // no more", "-- ", "--"])
def test_cut(cut: str) -> None:
    assert len(letter(f"give italy 1\n{cut}\ngive italy 1").statements) == 1


def test_quotes_are_left_out() -> None:
    reading = letter("> give italy 5\ngive italy 1\n >> investor\npeace")
    assert [s.order for s in reading.statements] == [od.Give(nation="italy", amount=1), od.Peace()]  # type: ignore[arg-type]


def test_lines_belong_to_the_last_maneuver() -> None:
    reading = letter("maneuver A vienna - trieste\ngive italy 1\nA prague - vienna")
    assert [s.order for s in reading.statements] == [
        move(army("vienna", "trieste"), army("prague", "vienna")),
        od.Give(nation="italy", amount=1),  # type: ignore[arg-type]
    ]


def test_draft_stands_before_the_first_order() -> None:
    for text in ("draft\ninvestor", "draft investor", "draft: investor"):
        assert [s.command.name for s in letter(text).statements] == ["draft", "order"]
    assert [s.command.name for s in letter("preview: investor").statements] == ["preview", "order"]


def test_what_is_readable_of_an_order_is_kept() -> None:
    assert statement("maneuver A vienna - trieste, A prague - Nowhere").partial == move(army("vienna", "trieste"))
    assert statement("factory Treiste").partial == turn("factory")
    assert statement("invest italy 4 - 12 - 16").partial is None


def test_no_letter_at_all() -> None:
    assert letter("").statements == ()
    assert letter("> quoted only").statements == ()


def test_given_is_strict_about_names() -> None:
    with pytest.raises(Refusal):
        reader().given("treasury atlantis 3", 1)


# -- words to the house ---


@pytest.mark.parametrize(
    ("text", "command", "rest"),
    [
        ("preview", "preview", ""),
        ("help", "help", ""),
        ("Hilfe Manöver", "help", "maneuver"),
        ("aiuto combatti", "help", "fight"),
        ("help standing", "help", "standing"),
        ("hist", "history", ""),
        ("Verlauf 3", "history", "3"),
        ("boa", "board", ""),
        ("Regeln", "rules", ""),
        ("stato", "status", ""),
        ("Uhr", "clock", ""),
        ("orders", "orders", ""),
        ("zone: Europe/Berlin", "zone", "Europe/Berlin"),
        ("zone = Etc/GMT-2", "zone", "Etc/GMT-2"),
        ("Sprache deutsch", "language", "deutsch"),
        ("reports", "reports", ""),
        ("reports: digest 18:00", "reports", "digest 18:00"),
        ("Berichte täglich um 18 Uhr", "reports", "täglich um 18 Uhr"),
        ("resoconti giro", "reports", "giro"),
    ],
)
def test_words_to_the_house(text: str, command: str, rest: str) -> None:
    (said,) = letter(text).statements
    assert (said.command.name, said.rest) == (command, rest)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("ru: taxation", turn("taxation", None, "russia")),
        ("pr at trieste", turn("production", od.Produce(works=("trieste",)))),  # type: ignore[arg-type]
        ("bri: taxation", turn("taxation", None, "great_britain")),
    ],
)
def test_their_beginnings_yield_to_the_words_of_the_game(text: str, wanted: od.Order) -> None:
    assert order(text) == wanted


@pytest.mark.parametrize("line", ["Orders for Italy:", "Rules question: may I?", "History repeats itself.", "Help me!"])
def test_prose_that_begins_like_a_word_to_the_house_stops_no_letter(line: str) -> None:
    reading = letter(f"{line}\ngive italy 1\n{line}")
    assert not reading.stopped
    assert reading.passed == (line, line)


# -- our own notation ---


@pytest.mark.parametrize("amount", ["9", "9m", "9 m", "9M", "9 Mio.", "9\u00a0Mio.", "9 mio", "9mln", "9\u00a0mln"])
def test_amounts_are_read_as_our_letters_print_them(amount: str) -> None:
    assert order(f"invest germany {amount}") == invest(("germany", 9))
    assert order(f"invest germany 2 - {amount} else none") == invest(("germany", 9, 2), else_none=True)
    assert order(f"give austria {amount}") == od.Give(nation=AH, amount=9)  # type: ignore[arg-type]
    assert order(f"bid austria {amount}") == od.Bid(nation=AH, price=9)  # type: ignore[arg-type]
    rich = od.Has(nation=AH, amount=9)  # type: ignore[arg-type]
    assert statement(f"advance austria: if austria has {amount} taxation").order == plan(rich, TAXATION)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *(
            (text, turn("production_1"))
            for text in ("Produktion 1", "Produzione 1", "production1", "prod 1", "Produktion1")
        ),
        *((text, move(space="maneuver_2")) for text in ("maneuver 2 none", "Manöver 2 nichts", "manovra 2: niente")),
        ("manoeuvre 2", turn("maneuver_2")),
        ("maneuver 1: F trieste - ionian", move(fleet("trieste", "ionian_sea"), space="maneuver_1")),
        ("Manöver 1\n2 A wien - triest", move(army("vienna", "trieste", count=2), space="maneuver_1")),
        ("maneuver 2 A vienna - trieste", move(army("vienna", "trieste", count=2))),
        ("maneuver 2 2 A vienna - trieste", move(army("vienna", "trieste", count=2), space="maneuver_2")),
    ],
)
def test_a_number_behind_a_space_is_the_space_s_or_counts_units(text: str, wanted: od.Order) -> None:
    assert order(text) == wanted


def test_refusals_show_what_was_written() -> None:
    for text, read in (
        ("A Vienna-Trieste", "A Vienna-Trieste"),
        ("F Triest.→Ion.", "F Triest.→Ion"),
        ("maneuver 2 A Vienna-", "maneuver 2 A Vienna-"),
    ):
        refusal = statement(text).refusal
        assert refusal is not None, text
        assert refusal.facts["read"] == read, text


@pytest.mark.parametrize(
    "line", ["austria: taxation", "press to bert: hello\nend press", "petition abort\nend petition", "x"]
)
def test_reading_ends_where_a_letter_says_too_much(line: str) -> None:
    usual = reader().read("\n".join(["show", *[line] * 60, "show"]).splitlines())
    assert not any(each.refusal for each in usual.statements if each.command.name)
    found = reader().read("\n".join(["show", *[line] * 300, "show"]).splitlines())
    assert found.stopped
    assert found.statements[-1].refusal is not None
    assert (found.statements[-1].refusal.code, len(found.statements) <= MOST + 1) == ("letter.long", True)
    assert len(reader().read(["; ".join(["show"] * 9_000)]).statements) == MOST + 1


BLANKS = " " * 10_000
HOSTILE = [
    *(
        f"{word}{BLANKS}{end}"
        for word in ("petition", "petition abort", "petition P", "P-1", "for P")
        for end in ("", "x")
    ),
    *(f"{word}{BLANKS}{end}" for word in ("interpret a", "object R", "petition x\nSET a = b") for end in ("", "x\n")),
    f"announce: {BLANKS}x",
    "austria: taxation " + ":) " * 5_000 + "x",
    "interpret " + "a " * 2_000,
    "petition abort\n" + "\n".join(f"if italy moves, A venice - trieste then I fight {n}" for n in range(120)),
    "press to all:\n" + "\n".join(f"else {n} A vienna or whatever" for n in range(60)),
    "austria: import" + " A vienna," * 500,
    "austria: import " + "," * 5_000,
    "invest italy 4" + " else france 9 - 12" * 500,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_nobody_would_write_is_read_to_the_end(text: str) -> None:
    """A pattern that looks at blanks from each of them takes seconds here: see how long this test takes."""
    reader().read(text.splitlines())
    reader().powers(text.splitlines())
