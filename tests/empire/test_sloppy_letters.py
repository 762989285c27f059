"""A first turn as strangers write it: in any language, case and politeness, with the report quoted below."""

from __future__ import annotations

import pytest

from pbem.core.languages import LANGUAGES
from pbem.games.empire.data.editions import tables
from pbem.games.empire.notation.write import write
from pbem.games.empire.presentation.words import VOICE
from pbem.host.commands.table import COMMANDS
from pbem.render.wording import Wording
from tests.empire.reading import order, reader, refusal

FIRST_TURN = """\
1 worker C3 - C4; 1 worker C3 - B3
2 workers C3 - D4
farm C3, C4, D4        # farms feed forty
develop chemicals D4
develop copper A4
build power station at C3
build SM at C3
rollout"""

LETTERS = {
    "as in the manual": FIRST_TURN,
    "lower case": FIRST_TURN.lower(),
    "upper case": FIRST_TURN.upper(),
    "arrows and bullets": FIRST_TURN.replace(" - ", " -> ").replace("\n", "\n- "),
    "numbered": "\n".join(f"{place}. {line}" for place, line in enumerate(FIRST_TURN.splitlines(), 1)),
    "numbered with brackets": "\n".join(f"{place}) {line}" for place, line in enumerate(FIRST_TURN.splitlines(), 1)),
    "at length": """\
Dear referee,

move one worker from C3 to C4; move one worker from C3 to B3
move two workers from C3 to D4
please farm C3, C4 and D4
develop the chemicals at D4
develop the copper in A4
build a power station in C3
build a steel mill in C3
done

Thanks, Anton""",
    "German": """\
Liebe Spielleitung,

ein Arbeiter von C3 nach C4; einen Arbeiter von C3 nach B3
ziehe zwei Arbeiter von C3 nach D4
bitte Äcker C3, C4 und D4
Erschliesse Chemikalien in D4
erschließe das Kupfer in A4
baue ein Kraftwerk in C3
baue Stahlwerk auf C3
fertig

Viele Grüße
Anton""",
    "Italian": """\
Buongiorno,

un operaio da C3 a C4; un operaio da C3 a B3
muovi due operai da C3 a D4
per favore coltiva C3, C4 e D4
sviluppa prodotti chimici in D4
sviluppa il rame su A4
costruisci una centrale elettrica in C3
costruisci acciaieria a C3
fatto

Saluti, Anna""",
    "quoted below": f"""\
{FIRST_TURN}

On Mon, 1 Jan 2024 at 10:00, PBEM <pbem@example.org> wrote:
> Slot 1.1 begins: anton moves.
> 5 workers C3 - A4
> farm A4""",
}


@pytest.mark.parametrize("letter", LETTERS.values(), ids=LETTERS)
def test_a_first_turn_is_read_however_it_is_written(letter: str) -> None:
    reading, plain = reader().read(letter.splitlines()), reader().read(FIRST_TURN.splitlines())
    assert [(each.refusal, each.text) for each in reading.statements if each.refusal] == []
    assert [each.order for each in reading.statements] == [each.order for each in plain.statements]
    assert reading.statements[-1].command.name == "rollout"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("lade CGO1 mit 3 Stahl", "load CGO1: 3 steel"),
        ("load CGO1 with 3 steel", "load CGO1: 3 steel"),
        ("build a road from C3 to C4 to D4", "build road C3 - C4 - D4"),
        ("move INF1 and INF2 to D4", "INF1, INF2 - D4"),
        ("attack D5 with INF1 and BRI2", "attack D5 with INF1, BRI2"),
        ("attack D5 with INF1 supported by BSH1", "attack D5 with INF1 support BSH1"),
        ("bomb SM at J3 with STB1 escorted by FTR1", "bomb SM at J3 with STB1 escort FTR1"),
        ("bomb empty square at F4 with STB1", "bomb empty at F4 with STB1"),
        ("give CGO1 to bert", "transfer CGO1 to bert"),
        ("take 3 steel from D5 with INF1", "take 3 steel at D5 with INF1"),
        ("shoot at CGO2 with PIR1", "shoot CGO2 with PIR1"),
        ("friendly to bert", "friendly bert"),
        ("aid bert with 10", "aid bert 10"),
        ("births off at C3", "births C3 off"),
        ("stop develop iron B2", "stop iron B2"),
        ("produce 5 steel at C3", "make 5 steel at C3"),
        ("build power plant at C3", "build PS at C3"),
        ("dive SUB1", "SUB1 dive"),
        ("CGO1 docks", "CGO1 dock"),
        ("arm 3 INF at C3", "arm 3 infantry regiments at C3"),
        ("attack bert's INF3 at D5 with my INF1", "attack INF3 at D5 with INF1"),
        ("attack everything at D5 with INF1", "attack all D5 with INF1"),
        ("INF 1 - D4", "INF1 - D4"),
        ("tac 12 - e7", "TAC12 - E7"),
        ("march INF1 to D5", "INF1 - D5"),
        ("send 2 workers from C3 to D4", "2 workers C3 - D4"),
        ("workers C3 to C5 via D3", "worker C3 - D3 - C5"),
        ("sail CGO1 to G3", "CGO1 - G3"),
        ("CGO1 - F3 - G3 and dock", "CGO1 - F3 - G3 dock"),
        ("fly FTR1 to E7", "FTR1 - E7"),
        ("fliege FTR1 nach E7", "FTR1 - E7"),
        ("farm C3 C4 D4", "farm C3, C4, D4"),
        ("plant D4", "farm D4"),
        ("mine iron at B2", "develop iron B2"),
        ("fördere Eisen in B2", "develop iron B2"),
        ("estrai ferro presso B2", "develop iron B2"),
        ("develop iron at B2 grade 1", "develop iron B2 at 1"),
        ("make three steel in the steel mill at C3", "make 3 steel at C3 in SM"),
        ("generate power at C3 with coal", "make power at C3 from coal"),
        ("build a cargo ship at E4", "make cargo ship at E4"),
        ("build railway C3 - C4", "build railroad C3 - C4"),
        ("settle D5", "colony D5"),
        ("load 3 steel on CGO1", "load CGO1: 3 steel"),
        ("load INF1 aboard CGO1", "load CGO1: INF1"),
        ("use 2 radios at C3", "consume 2 radio at C3"),
        ("raise 3 infantry regiments at C3", "arm 3 infantry regiment at C3"),
        ("disband INF1", "disarm INF1"),
        ("CAP F4 with FTR1", "patrol F4 with FTR1"),
        ("give bert 3 steel at C3", "give 3 steel at C3 to bert"),
        ("give 3 steel to bert at C3", "give 3 steel at C3 to bert"),
        ("transfer CGO3 bert", "transfer CGO3 to bert"),
        ("accept 4", "accept T-4"),
        ("stop farming C4", "stop farm C4"),
        ("capital at C3", "capital C3"),
        ("choose truck, road", "picks truck, road"),
        ("I pick truck and cargo ship", "picks truck, cargo ship"),
        ("INF1 attacks D5", "attack D5 with INF1"),
        ("INF1, INF2 attack INF3 support BSH1 advance", "attack INF3 with INF1, INF2 support BSH1 advance"),
        ("INF1 greift D5 an", "attack D5 with INF1"),
        ("greife D5 mit INF1 an", "attack D5 with INF1"),
        ("greife D5 an mit INF1", "attack D5 with INF1"),
        ("INF1 attacca D5", "attack D5 with INF1"),
        ("attacca all'INF3 con INF1", "attack INF3 with INF1"),
        ("STB1 bombs SM at J3 home C3", "bomb SM at J3 with STB1 home C3"),
        ("SUB1 torpedoes BSH2", "torpedo BSH2 with SUB1"),
        ("FTR1 patrols over F4", "patrol F4 with FTR1"),
        ("FTR1 patrouilliert über F4", "patrol F4 with FTR1"),
        ("pattuglia sopra F4 con FTR1", "patrol F4 with FTR1"),
        ("fange CPL3 mit FTR1 ab", "intercept CPL3 with FTR1"),
        ("INF1 marschiert von C3 nach D4", "INF1 C3 - D4"),
        ("INF1 va a D4", "INF1 - D4"),
        ("verlege INF1 nach D4", "INF1 - D4"),
        ("sposta INF1 in D4", "INF1 - D4"),
        ("alle Arbeiter von C3 nach D4", "all workers C3 - D4"),
        ("tutti gli operai C3 - D4", "all workers C3 - D4"),
        ("move all trucks from C3 to D4", "all trucks C3 - D4"),
        ("worker C3 C4", "worker C3 - C4"),
        ("CGO1 legt in E4 an", "CGO1 dock at E4"),
        ("dock CGO1 at E4", "CGO1 dock at E4"),
        ("CGO1 attracca in E4", "CGO1 dock at E4"),
        ("SUB1 taucht auf", "SUB1 surface"),
        ("SUB1 si immerge", "SUB1 dive"),
        ("lade 3 Stahl auf CGO1", "load CGO1: 3 steel"),
        ("carica 3 acciaio su CGO1", "load CGO1: 3 steel"),
        ("lade CGO1 aus", "unload CGO1"),
        ("unload 3 steel from CGO1", "unload CGO1: 3 steel"),
        ("load CGO1 with all my steel", "load CGO1: steel"),
        ("scarica tutto l'acciaio da CGO1", "unload CGO1: steel"),
        ("give bert all steel", "give steel to bert"),
        ("burn all the oil at C3", "burn oil at C3"),
        ("kill all workers at D5 with SAC1", "kill workers at D5 with SAC1"),
        ("scarica tutto da CGO1", "unload CGO1"),
        ("put 3 steel aboard CGO1", "load CGO1: 3 steel"),
        ("stelle 3 Stahl in C3 her", "make 3 steel at C3"),
        ("erzeuge Strom in C3 aus Kohle", "make power at C3 from coal"),
        ("baue Eisen in B2 ab", "develop iron B2"),
        ("rüste 2 SAC in C3 aus", "arm 2 SAC at C3"),
        ("rüste INF1 ab", "disarm INF1"),
        ("löse INF1 auf", "disarm INF1"),
        ("start a farm at D4", "farm D4"),
        ("bestelle Felder in C3, C4 und D4", "farm C3, C4, D4"),
        ("gründe eine Kolonie in D5", "colony D5"),
        ("send bert 3 steel", "give 3 steel to bert"),
        ("manda a bert 3 acciaio", "give 3 steel to bert"),
        ("be friendly to bert", "friendly bert"),
        ("war on bert", "hostile bert"),
        ("Krieg gegen bert", "hostile bert"),
        ("no births at C3", "births C3 off"),
        ("keine Geburten in C3", "births C3 off"),
        ("nimm T-4 an", "accept T-4"),
        ("my capital is C3", "capital C3"),
        ("capital C3 pls", "capital C3"),
        ("plz farm C4, thx", "farm C4"),
        ("la mia capitale è C3", "capital C3"),
    ],
)
def test_what_people_say_for_it_is_read(text: str, meant: str) -> None:
    assert order(text) == order(meant)


@pytest.mark.parametrize("text", ["iron B2", "stop B2", "CGO1 to F3 and G3", "2 workers C3 - D3 - C4, 1 worker", "3 steel at C3",
                                  "rüste INF1 aus", "INF1 attacks D5 with INF2"])  # fmt: skip
def test_what_may_mean_two_things_is_not_read(text: str) -> None:
    assert refusal(text).code.split(".")[0] in ("order", "name")


@pytest.mark.parametrize("text", ["give all workers at C3 to bert", "load CGO1: all workers", "arm all SAC at C3", "farm all C3",
                                  "die all workers at C3", "capture all workers at D5 with INF1", "make all steel at C3",
                                  "make all at C3", "consume all at C3", "found corinth at D5 with all workers D5"])  # fmt: skip
def test_all_is_never_one_of_them(text: str) -> None:
    assert refusal(text).code.split(".")[0] in ("order", "name")


def test_several_orders_on_a_line_are_parted_at_commas_only_where_nothing_else_is_meant() -> None:
    parted = reader().read(["2 workers C3 - D3, 1 worker C3 - C4, farm C4"]).statements
    assert [each.order for each in parted] == [order("2 workers C3 - D3"), order("1 worker C3 - C4"), order("farm C4")]
    assert len(reader().read(["farm C3, C4, D4"]).statements) == 1
    listed = reader().read(["farm C3, C4, 1 worker C3 - D4, load CGO1: 3 steel, hostile bert"]).statements
    said = ("farm C3, C4", "1 worker C3 - D4", "load CGO1: 3 steel", "hostile bert")
    assert [each.order for each in listed] == [*map(order, said)]
    assert refusal("farm C3, 2 workers")
    assert refusal("truck C3 - C5 with 4 wood, 1 worker C3 - C4")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("INF1 attacks D5, farm C3", ["attack D5 with INF1", "farm C3"]),
        ("farm C3, INF1 attacks D5", ["farm C3", "attack D5 with INF1"]),
        (
            "INF1, INF2 attack D5, FTR1 patrols F4, farm C3, C4",
            ["attack D5 with INF1, INF2", "patrol F4 with FTR1", "farm C3, C4"],
        ),
        ("lade CGO1 aus, lade CGO2 aus", ["unload CGO1", "unload CGO2"]),
        ("rüste INF1 ab, löse INF2 auf, farm C4", ["disarm INF1", "disarm INF2", "farm C4"]),
    ],
)
def test_lines_of_another_order_of_words_stand_in_lists_too(text: str, meant: list[str]) -> None:
    assert [each.order for each in reader().read([text]).statements] == [*map(order, meant)]


@pytest.mark.parametrize("one", ["farm C3, 1 worker C3 - C4", "INF1 attacks D5"])
def test_a_line_of_very_many_orders_is_told_to_be_too_long(one: str) -> None:
    *_, last = reader().read([", ".join([one] * 600)]).statements
    assert last.refusal is not None
    assert last.refusal.code == "letter.long"


def test_what_lacks_something_is_turned_round_as_well() -> None:
    assert refusal("stelle 3 Stahl her").code == refusal("make 3 steel").code == "order.incomplete"


def test_attacks_that_begin_with_who_attacks_are_one_battle() -> None:
    read = reader().read(["INF1 attacks D5", "INF2, INF3 attack INF7"]).statements
    assert [each.order for each in read] == [order("battle, attack D5 with INF1, attack INF7 with INF2, INF3")]


@pytest.mark.parametrize(
    "line", ["All the best,", "Alles Gute", "Tutto bene?", "Va bene così.", "Amici miei, ecco tutto."]
)
def test_what_people_say_around_orders_stops_none(line: str) -> None:
    read = reader().read([line, "farm C4", line]).statements
    assert [each.order for each in read] == [order("farm C4")]


WOULD_DO = {  # what the answer in English proposes
    "1 wroker C3 - C4": "worker",
    "devlop iron B2": "develop",
    "biuld SM at C3": "build",
    "truk C3 - C4": "truck",
    "build steelmil at C3": "steel mill",
    "farms C4": "farm C4",
    "attak D5 with INF1": "attack D5 with INF1",
    "TRUK1 - C4": "a unit (CGO1)",
    "farm": "a square (C3)",
    "build steel mill": "a square (C3)",
    "INF1 attack": "a square (C3)",
    "picks truck, ship": "cargo ship",
    "move": "a unit (CGO1)",
}


@pytest.mark.parametrize(("text", "would_do"), WOULD_DO.items(), ids=WOULD_DO)
def test_a_refusal_says_what_was_read_and_what_would_do(text: str, would_do: str) -> None:
    problem = refusal(text)
    told = {
        language: Wording(VOICE, language, html=False, commands=COMMANDS.sentences).refusal(problem.code, problem.facts)
        for language in LANGUAGES
    }
    assert would_do in told["en"]
    assert all(str(problem.facts["read"]) in sentence for sentence in told.values())


@pytest.mark.parametrize("line", ["I'm done", "end turn", "End my turn!", "finished.", "Zug beenden", "ho finito"])
def test_a_slot_is_ended_in_peoples_own_words(line: str) -> None:
    (found,) = reader().read([line]).statements
    assert found.command is not None
    assert found.command.name == "rollout"


@pytest.mark.parametrize("line", ["I'm", "Fine!", "Zug", "ich", "ho"])
def test_half_a_phrase_ends_nothing(line: str) -> None:
    assert not any(each.command and each.command.name == "rollout" for each in reader().read([line]).statements)


def test_what_can_not_stand_there_is_not_the_article() -> None:
    assert refusal("destroy the factory at C3").facts["read"] == "factory"


def test_codes_may_have_a_blank_behind_them_but_for_words() -> None:
    codes = {kind.code for kind in tables().kinds.values() if kind.code}
    spaced = {code for code in codes if read_as_unit(f"{code} 7 - C3", f"{code}7")}
    assert spaced == codes - {"ARM", "CON"}
    assert write(order("arm 2 sac at C3")) == "arm 2 sac at C3"
    assert write(order("carica CGO1 con 3 ferro")) == "load CGO1: 3 iron"


def read_as_unit(text: str, unit: str) -> bool:
    (found,) = reader().read([text]).statements
    return getattr(found.order, "units", ()) == (unit,)
