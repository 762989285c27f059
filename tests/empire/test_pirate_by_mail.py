"""Games by mail that differ only in what is secret: who may not know it gets the same letters, pictures and pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from pbem.bootstrap import prove_archive
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.world import World
from tests.empire.twins import Twin

PEOPLE = ("anton", "bert", "claudia")
Said = Sequence[tuple[int, str]]  # by whose place in the order, and what

HERE: Said = (  # the Pirate is met at sea, passes a ship and comes before a worker on the shore
    (0, "draft\n1 worker C3 - C4"),
    (0, "CGO1 - G9 - H9"),
    (0, "standing raid scuttle"),
    (0, "cancel 1\nrollout"),
    (
        1,
        "calendar yes\nboard\nrecords\nrecords {0} economic\nrecords {0} military\nrecords orders\nhistory\nmove order",
    ),
    (1, "preview\nCGO2 - G9"),
    (1, "raid CGO1 with SCS1"),
    (1, "CGO2 - I10"),
    (1, "rollout"),
    (2, "Pirat: SCS1 - G8 - H7"),
    (2, "rollout"),
    (0, "rollout"),
    (1, "history 5\nrecords turn 5\nboard G9\nshow"),
)
THERE: Said = tuple(
    {(0, "draft"): (who, "draft\n1 worker C3 - B3"), (0, "stand"): (who, "standing raid yield"), (2, "Pirat"): (who, "pirata: SCS1 - B1")}.get(
        (who, text[:5]), (who, text)
    )
    for who, text in HERE
)  # fmt: skip


@cache
def begun() -> Twin:
    return Twin(*PEOPLE, pirate="claudia", end_turns="6")


def sailed(at: str, hold: str, said: Said, *, pictures: bool = False) -> Twin:
    twin = begun().copied(pictures=pictures)
    twin.lay_out(
        f"pirate {{2}} {at}",
        f"aboard SCS1 {hold}",
        "unit {0} CGO1 F9",
        "unit {1} CGO2 J9",
        "unit {0} CGO3 G8",
        "workers {0} H7b 1",
    )
    tell(twin, said)
    return twin


def tell(twin: Twin, said: Said) -> None:
    for who, text in said:
        twin.write(twin.order[who], text.format(*twin.order))
        refused = {"unit.absent"} if "raid CGO1" in text else {None}
        assert {code for _, code in twin.outcomes(twin.order[who])} == refused, text
    assert twin.alarms == []


@pytest.fixture(scope="module")
def twins() -> tuple[Twin, Twin]:
    return sailed("G9", "5 steel", HERE, pictures=True), sailed("A1", "9 coal, 2 workers", THERE, pictures=True)


def told(twin: Twin, who: int) -> str:
    return "\n".join(mail.text + (mail.html or "") for mail in twin.told(twin.order[who]))


def test_he_is_met_in_one_of_them(twins: tuple[Twin, Twin]) -> None:
    here, there = twins
    assert here.state.sightings == {here.order[0]: ("5.1 G9", "5.3 G8", "5.3 H7", "6.1 H7", "6.2 H7")}
    assert not there.state.sightings
    assert {unit.at for twin in twins for unit in twin.state.units.values() if unit.kind == pirate.SHIP} == {
        "H7r",
        "B1",
    }
    assert "You see the Pirate at G9 in slot 5.1" in told(here, 0)
    assert "The Pirate passed G8 in slot 5.3, from G9 to H7" in told(here, 0)
    assert "You see" not in told(here, 1) + told(there, 0) + told(there, 1)
    assert any("pirate: " in mail.text for mail in here.told(here.order[2]))


@pytest.mark.slow
def test_a_sighting_in_anothers_slot_is_a_letter_of_its_own(twins: tuple[Twin, Twin]) -> None:
    """At once, to who has seen him alone; his next report tells it, too (E18.3)."""
    here, there = twins

    def tidings(twin: Twin, who: int) -> list[str]:
        return [mail.text for mail in twin.told(twin.order[who]) if "Something that concerns you" in mail.subject]

    (told_at_once,) = tidings(here, 0)
    assert "The Pirate passed G8 in slot 5.3, from G9 to H7" in told_at_once
    assert told_at_once.count("You see the Pirate") == 2
    assert told(here, 0).count("The Pirate passed G8 in slot 5.3") == 4  # text and HTML of both letters
    assert not tidings(here, 1) + tidings(here, 2) + tidings(there, 0)


def test_whoever_did_not_see_him_gets_the_same_letters(twins: tuple[Twin, Twin]) -> None:
    """As many, at the same times, to the same byte; answers to what they look up and try among them."""
    here, there = twins
    for one, other in zip(here.told(here.order[1]), there.told(there.order[1]), strict=True):
        assert one == other
    assert not re.search(r"SUP1|super.?cargo|pirate: (\d|rolled)", told(here, 1))
    assert "CGO1 - G9 - H9" in told(here, 1)
    kinds = {part.name.rpartition(".")[2] for mail in here.told(here.order[1]) for part in mail.attachments}
    assert kinds >= {"png", "ics"}


@pytest.mark.slow
def test_the_same_is_published(twins: tuple[Twin, Twin], tmp_path: Path) -> None:
    """Every page, feed and file; and of whom he was seen not even that there was something to hide."""
    here, there = (twin.published(tmp_path / str(number)) for number, twin in enumerate(twins))
    assert here.keys() == there.keys()
    assert [name for name in here if here[name] != there[name]] == []
    for name, content in here.items():
        assert not re.search(rb"SCS1|SUP1|pirate_sighted|confidence pirate", content), name
    log = [json.loads(line) for line in here["emp-1/log.jsonl"].splitlines()]
    met = next(entry for entry in log if "G9" in str(entry.get("answers")))
    assert {*met} == {*next(entry for entry in log if "I10" in str(entry.get("answers")))}
    assert [proof.fault for proof in prove_archive(tmp_path / "0")] == [""]


@pytest.mark.slow
def test_in_the_end_all_is_opened(twins: tuple[Twin, Twin], tmp_path: Path) -> None:
    twin = twins[0].copied()
    early = [json.loads(line) for line in published_log(twin, tmp_path)]
    assert "confidence pirate" not in (tmp_path / "emp-1/lots/index.html").read_text()
    tell(twin, ((1, "rollout"), (2, "rollout")))
    assert twin.state.phase == "over"
    entries = [json.loads(line) for line in published_log(twin, tmp_path)]
    assert [entry["hash"] for entry in early] == [entry["hash"] for entry in entries[: len(early)]]
    assert "SCS1" in str(entries[: len(early)])
    (proof,) = prove_archive(tmp_path)
    assert str(proof).endswith("the log gives every position, and its lots follow from its secret")
    ledger = (tmp_path / "emp-1/lots/index.html").read_text()
    for entry in entries:
        for lot in entry["draws"]:
            assert f'data-purpose="{lot["purpose"]}"' in ledger
    assert any("5.3 confidence pirate" in lot["purpose"] for entry in entries for lot in entry["draws"])
    assert twin.published(tmp_path) == twin.published(tmp_path.parent / "anew")
    log = tmp_path / "emp-1/log.jsonl"
    sealed = next(line for line in log.read_bytes().splitlines() if b'"way":["G8","H7"]' in line)
    log.write_bytes(log.read_bytes().replace(sealed, sealed.replace(b'"H7"', b'"F7"')))
    (proof,) = prove_archive(tmp_path)
    assert proof.fault == f"entry {json.loads(sealed)['seq']}: it is not what was written: it does not fit its digest"


def published_log(twin: Twin, root: Path) -> list[bytes]:
    twin.server.archivist(root).build()
    return (root / "emp-1/log.jsonl").read_bytes().splitlines()


def test_of_a_correction_of_what_is_his_nobody_learns_more_than_that_there_was_one(tmp_path: Path) -> None:
    twin = sailed("G9", "5 steel", HERE[:4])
    twin.server.app.moderate("emp-1", ["correct aboard SCS1 9 coal: a slip of ours"])
    twin.tick()
    assert twin.state.units["SCS1"].holds["pirate"].amount("coal") == 9
    tell(twin, ((1, "history\nrollout"),))
    pages = b"".join(twin.published(tmp_path).values())
    for text in (told(twin, 0), told(twin, 1), pages.decode("utf-8", "replace")):
        assert "a slip of ours" in text
        assert not re.search("SCS1|9 coal", text)
    assert [proof.fault for proof in prove_archive(tmp_path)] == [""]


# -- where nobody plays him ---


def roamed(monkeypatch: pytest.MonkeyPatch, at: str) -> Twin:
    """Three game turns with a Pirate who came to sea there."""
    drawn = pirate._place
    monkeypatch.setattr(pirate, "_place", lambda w: (drawn(w), at)[1])
    twin = Twin("anton", "bert", pirate="bot", end_turns="6")
    twin.lay_out("unit {0} CGO1 D1", "aboard CGO1 2 steel", turn=3)
    tell(
        twin,
        (
            (0, "rollout"),
            (1, "rollout\nhistory"),
            (0, "records\nboard\nrollout"),
            (1, "preview\nfarm J3"),
            (1, "rollout"),
        ),
    )
    return twin


@pytest.mark.slow
def test_of_his_bot_nobody_learns_anything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also not who has rolled out before him, and gets an answer that tells what that did."""

    def stays(w: World) -> None:
        w.pick(f"{w.now} pirate 1", 9)

    with monkeypatch.context() as patch:
        patch.setattr("pbem.games.empire.rules.course.pirate_bot.play", stays)
        twins = [roamed(patch, at) for at in ("G9", "L1")]
    here, there = twins
    assert [here.state.units["SCS1"].at, there.state.units["SCS1"].at] == ["G9", "L1"]
    for who in here.order:
        assert here.told(who) == there.told(who)
    assert "The Pirate has moved" in told(here, 1)
    one, other = (twin.published(tmp_path / str(number)) for number, twin in enumerate(twins))
    assert [name for name in one if one[name] != other[name]] == []
    assert re.search(rb'data-purpose="\d+ 4.2 confidence bert 1"', one["emp-1/lots/index.html"])
    assert b"confidence pirate" not in b"".join(one.values())


# -- what else is sealed ---


def placed(picks: str) -> Iterator[Twin]:
    """The zero turn up to the first picks, and with the last ones."""
    twin = Twin("anton", "bert", setup="training")
    for who in twin.state.placing:
        twin.write(who, "capital C3 else J3")
    twin.write("anton", picks)
    twin.write("bert", "show\nrecords\nhistory\nboard")
    yield twin
    twin.write("bert", "picks truck, road")
    yield twin


def test_picks_are_sealed_until_all_have_picked(tmp_path: Path) -> None:
    games = [placed("picks truck, road"), placed("picks truck, truck")]
    first, second = (next(game) for game in games)
    assert first.state.picked != second.state.picked
    assert first.told("bert") == second.told("bert")
    one, other = (twin.published(tmp_path / str(number)) for number, twin in enumerate((first, second)))
    assert one == other
    first, second = (next(game) for game in games)
    assert first.told("bert") != second.told("bert")


# -- how much of it there is ---

SAILS: Said = (  # once
    (0, "rollout"),
    (1, "rollout"),
    (2, "pirate: SCS1 - H9"),
    (2, "rollout"),
    (0, "farm C3"),
    (0, "rollout"),
    (1, "board\nhistory\nrecords\nrollout"),
    (0, "history\nboard"),
)
A_LOT = "pirate: SCS1 - G10\nundo\nstanding fire none at E4\npirate: SCS1 - H9\npirate: SCS1 - H10"
SAILS_A_LOT: Said = tuple((who, A_LOT if "SCS1" in text else text) for who, text in SAILS)


@pytest.mark.slow
def test_nobody_can_count_what_is_sealed(tmp_path: Path) -> None:
    """Neither by the numbers of dice and entries, nor by the ids of letters, nor in the published log."""
    once, often = (sailed("G9", "5 steel", said) for said in (SAILS, SAILS_A_LOT))
    assert sealed(once) == ["P1"]
    assert sealed(often) == ["P1", "P2", "P3", "P4", "P5"]
    for who in once.order[:2]:
        assert once.told(who) == often.told(who)
    one, other = (twin.published(tmp_path / str(number)) for number, twin in enumerate((once, often)))
    assert [name for name in one if one[name] != other[name]] == []
    assert [proof.fault for proof in prove_archive(tmp_path / "1")] == [""]
    early = published_log(often, tmp_path / "1")
    tell(often, ((2, "pirate: SCS1 - H9\nrollout"),))
    assert often.state.phase == "over"
    over = [json.loads(raw)["hash"] for raw in published_log(often, tmp_path / "1")]
    assert {json.loads(raw)["hash"] for raw in early} < {*over}, "the digest of the last vouches for all of them"
    (proof,) = prove_archive(tmp_path / "1")
    assert str(proof).endswith("the log gives every position, and its lots follow from its secret")


def sealed(twin: Twin) -> list[str]:
    """The numbers of the entries that count apart."""
    with twin.store.transaction() as repository:
        numbers = [json.loads(raw)["number"] for raw in repository.entries("emp-1")]
    return [number for number in numbers if not number.isdecimal()]
