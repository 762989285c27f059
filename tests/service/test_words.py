"""What tired people with phones write, and what becomes of it: played, proposed, or refused with a reason."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache

import pytest
from rapidfuzz.distance import OSA

from pbem.core.choice import single
from pbem.core.refusal import Unreadable
from pbem.core.seat import Seat
from pbem.host.play.executor import hear
from pbem.host.play.results import Result, Submission
from pbem.host.session.session import Session
from pbem.language.slips import SHORTEST
from pbem.language.tokens import fold
from tests.service.bureau import Bureau

ANTON = Seat("anton")
TURN = ("treasury austria_hungary 12",)
MANEUVER = (
    *TURN,
    "rondel austria_hungary production_1",
    *("army austria_hungary vienna 2", "army austria_hungary trieste 1", "fleet austria_hungary trieste 1"),
)
LEMBERG, TWO = "austria_hungary: import A lemberg", "austria_hungary: import 2 A lemberg"
BOTH = "austria_hungary: import F trieste, A lemberg"
WORKS, TAX, INVESTOR = "austria_hungary: factory trieste", "austria_hungary: taxation", "austria_hungary: investor"
PLAYED = {
    LEMBERG: (
        "Import A Lemberg",
        "IMPORT a LEMBERG",
        "imports A lemberg",
        "Austria: Import A\u00a0Lemberg",
        "Austria:\u202fimport A lemberg",
        "“Import A Lemberg”",
        "‘import’ A lemberg",
        "Austria, import A lemberg",
        "Austria – Import A Lemberg",
        "Austria—import A lemberg",
        "Austria = import A Lemberg",
        "Austria → Import A Lemberg",
        "Austria > import A Lemberg",
        "Austria import A lemberg",
        "import – A Lemberg",
        "import: A lemberg.",
        "- import A lemberg",
        "• import A lemberg",
        "1) import A lemberg",
        "1. import A lemberg",
        "[import A lemberg]",
        "*import A lemberg*",
        "Import A Lemberg!",
        "Import A Lemberg 😊",
        "Import A Lemberg 👍🏽",
        "Import A Lemberg :-)",
        "Import A Lemberg, please",
        "Please import A Lemberg. Thanks!",
        "import an army in Lemberg",
        "Import one army at Lemberg",
        "Importiere eine Armee in Lemberg",
        "Importo un’armata a Leopoli",
        "importa l'armata a Leopoli",
        "AH: Import A Lemberg",
        "Oesterreich Import A Lemberg",
        "impo A Lemb",
    ),
    TWO: (
        "import 2A lemberg",
        "import 2a lemberg",
        "import 2xA lemberg",
        "import 2 x A lemberg",
        "import 2×A lemberg",
        "Import 2 Armies Lemberg",
        "import two armies lemberg",
        "Importiere zwei Armeen in Lemberg",
        "importa due armate a Leopoli",
    ),
    BOTH: (
        "Import F Trieste & A Lemberg",
        "import F trieste + A lemberg",
        "import F trieste and A lemberg",
        "Import F Triest und A Lemberg",
        "importa F Trieste e A Leopoli",
        "import a fleet in Trieste and an army in Lemberg",
        "Importiere eine Flotte in Triest und eine Armee in Lemberg",
        "import F trieste\nA lemberg",
    ),
    WORKS: (
        "Factory Trieste",
        "Austria – Factory Trieste",
        "build factory trieste",
        "Build a factory in Trieste",
        "build trieste",
        "Baue Fabrik in Triest",
        "baue eine Fabrik in Triest",
        "Costruisco una fabbrica a Trieste",
        "fabbrica a Trieste",
    ),
    TAX: ("taxation please", "Taxation, please", "Steuern, bitte!", "tassazione per favore", "Austria tax"),
    INVESTOR: ("Investor", "investor!", "Investor bitte"),
}
PROPOSED = {
    LEMBERG: (
        "import lemberg",
        "import army to Lemberg",
        "A lemberg",
        "Imoprt A Lemberg",
        "import A Lembreg",
        "austia: import A lemberg",
        "Hi, import A Lemberg",
        "My order: import A lemberg",
        "Order: import A Lemberg",
        "Befehl: Import A Lemberg",
        "Mossa: importa A Leopoli",
        "I'd like to import A Lemberg",
        "in Lemberg eine Armee importieren",
        "Wir wollen in Lemberg eine Armee importieren!",
        "a Lemberg un'armata importare",
        "vogliamo a Leopoli un'armata importare",
        "import A lemberg, F vienna",
    ),
    TWO: ("2a lemberg", "2 A lemberg", "two armies lemberg", "wir wollen in Lemberg zwei Armeen importieren"),
    WORKS: ("bitte in Triest eine Fabrik bauen", "wir wollen in Triest bauen", "a Trieste una fabbrica costruire"),
    TAX: (
        "Besteuerung",
        "wir besteuern",
        "ich nehme Steuer",
        "I take taxation",
        "taxaton",
        "prendo la tassazione",
        "I go to Taxation",
    ),
    INVESTOR: ("I take investor", "I'd like investor", "go to Investor", "gehe auf Investor", "vado su Investitore"),
}
REFUSED = {
    "order.unreadable": (
        *("F trieste ", "I'd", "Ich", "eine", "A", "&", "two armies", "eine Flotte", "2a", "+1", "?"),
        *("I don't take investor", "import A lemberg or F trieste", "nicht Import A Lemberg", "taxation or investor"),
        *("greife Frankreich an", "attack France", "Sure, but leave Trieste alone", "skip", "kann ich das?"),
    ),
    "order.incomplete": ("kaufe", "give italy", "Import", "Factory", "invest"),
    "name.unknown": ("import A nowhere", "austria: foo", "import A Wienna oder so"),
    "name.ambiguous": ("austria: F trieste", "austria: f"),
    "yes.unclear": (
        "yes",
        "Ja!",
        "ok 👍",
        "👍",
        "I accept!",
        "I'd love to join!",
        "Ja, bin dabei",
        "Ci sto!",
        "sì, grazie",
    ),
    "petition.which": ("abstain",),
    "space.ambiguous": ("Production", "Maneuver none", "Manöver keine"),
    "nation.not_yours": ("italy: investor",),
}
MOVED = (  # an army from Vienna to Trieste
    "maneuver A vienna - trieste",
    "maneuver: A vienna – trieste",
    "maneuver A vienna — trieste",
    "maneuver A vienna --> trieste",
    "maneuver A vienna ➡️ trieste",
    "maneuver A vienna to trieste",
    "maneuver army from Vienna to Trieste",
    "move A vienna - trieste",
    "maneuver move A vienna - trieste",
    "Ziehe eine Armee von Wien nach Triest",
    "Muovi A Vienna verso Trieste",
    "maneuver A vienna - trieste, A trieste stays",
    "Manöver A Wien - Triest, A Triest bleibt",
    "manovra A Vienna - Trieste\nF Trieste resta",
    "maneuver vienna - trieste",
    "A vienna - trieste",
    "Manovra A Vienna a Trieste",
)
GOES = "austria_hungary: maneuver\n  A vienna - trieste"


@cache
def tables() -> dict[tuple[str, ...], Bureau]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        made = Bureau()
        made.open()
    found = {}
    for given in (TURN, MANEUVER):
        found[given] = made.copy()
        found[given].given(*given)
    return found


def heard(given: tuple[str, ...], text: str) -> tuple[Session, list[Result]]:
    with tables()[given].server.games.work() as work:
        session = work.session(work.game("imp-1")).copy(ANTON)
        results = hear(session, ANTON, text.splitlines(), Submission(at=session.position.at, letter="a"))
    return session, results


@pytest.mark.parametrize("meant", PLAYED)
def test_one_meaning_is_played(meant: str) -> None:
    for text in PLAYED[meant]:
        session, results = heard(TURN, text)
        assert {each.outcome for each in results} == {"played"}, (text, results)
        assert session.document() == heard(TURN, meant)[0].document(), text


@pytest.mark.parametrize("meant", PROPOSED)
def test_what_is_nearly_one_is_proposed(meant: str) -> None:
    for text in PROPOSED[meant]:
        session, results = heard(TURN, text)
        assert {each.outcome for each in results} == {"refused"}, (text, results)
        assert session.proposal is not None, text
        assert session.proposal.text == meant, text


@pytest.mark.parametrize("code", REFUSED)
def test_all_else_is_refused_and_nothing_is_proposed(code: str) -> None:
    for text in REFUSED[code]:
        session, results = heard(TURN, text)
        assert session.proposal is None or "F trieste " in text, (text, session.proposal)
        assert not session.steps, text
        assert code in [each.refusal.code for each in results if each.refusal], (text, results)


def test_maneuvers_are_played_or_proposed() -> None:
    for place, text in enumerate(MOVED):
        session, results = heard(MANEUVER, text)
        if place < len(MOVED) - 3:
            assert session.document() == heard(MANEUVER, GOES)[0].document(), (text, results)
        else:
            assert not session.steps, text
            assert session.proposal is not None, text
            assert session.proposal.text == GOES, text


def test_german_verbs_may_come_apart() -> None:
    for text in ("attack italy", "greife Italien an", "greift Italien an", "bekämpfe Italien", "attacca l’Italia"):
        _, results = heard(MANEUVER, f"maneuver A trieste - venice hostile {text}")
        assert [each.refusal.code for each in results if each.refusal] == ["attack.no_target"], text


SILLY = ("I'd", "yes", "kaufe", "eine", "abstain", "Ich", "A", "ok", "I accept!", "2a", "Hamburg", "und")


def test_nothing_silly_is_suggested() -> None:
    for given in (TURN, MANEUVER):
        for text in SILLY:
            _, results = heard(given, text)
            for each in results:
                assert not each.refusal or not each.refusal.facts.get("candidates"), (text, each.refusal.facts)


def slip(text: str, chance: random.Random) -> tuple[str, str]:
    """The text with one of its words a letter off."""
    words = text.split(" ")
    place = chance.choice([n for n, word in enumerate(words) if len(word.strip(":,")) > SHORTEST])
    word = words[place]
    at = chance.randrange(1, len(word.strip(":,")) - 1)
    wrong = chance.choice((word[:at] + word[at + 1 :], word[:at] + word[at + 1] + word[at] + word[at + 2 :]))
    return " ".join([*words[:place], wrong, *words[place + 1 :]]), wrong.strip(":,")


def offers(given: tuple[str, ...]) -> Sequence[str]:
    with tables()[given].server.games.work() as work:
        session = work.session(work.game("imp-1"))
        (decision,) = session.pending()
        return [text.strip() for _, text in single(session.rules.choices(session.state, decision))]


def test_whatever_is_suggested_is_near_and_fits_what_is_asked() -> None:
    chance, seen = random.Random(7), 0
    for given in (TURN, MANEUVER):
        texts = [text for text in offers(given) if "\n" not in text]
        for text in chance.sample(texts, min(40, len(texts))):
            typed, wrong = slip(text.replace("_", " "), chance)
            session, results = heard(given, typed)
            for each in results:
                refusal = each.refusal
                if not isinstance(refusal, Unreadable) or refusal.code != "name.unknown":
                    continue
                for name in refusal.facts["candidates"]:
                    seen += 1
                    read = fold(str(refusal.facts["read"]))
                    near = min(OSA.distance(read, fold(word)) for word in (name, *re.split(r"[\s_-]", name)))
                    assert near <= 2, (typed, name)
                    (said,) = session.parser.read(typed.splitlines()).statements
                    put = dict(session.parser.instead(said))[name]
                    assert not put.refusal, (typed, name, wrong)
                    assert session.rules.address(session.state, ANTON, put.ordered), (typed, name)
    assert seen > 10
