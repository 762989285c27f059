"""A game with dice, secrets, many orders a turn and a seat that appears goes through all that Imperial goes through."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.adapters.site import Site
from pbem.adapters.site.reading import published
from pbem.bootstrap import replay
from pbem.core.chance import Lots, draw
from pbem.core.game import Registry
from pbem.core.log import is_veiled, seal, write
from pbem.core.seat import Seat, Setup
from pbem.games import GAMES
from pbem.host.archive.playfile import Failed, PlayFileError
from pbem.host.archive.proof import Proof, prove
from pbem.host.archive.published import GameArchive, Held, volume
from pbem.host.archive.record_play import play_file
from pbem.host.archive.replay import Replay
from pbem.host.archive.verify import verify_play
from pbem.host.reporting.answers import on_file
from tests.conformance.fake_game import CLAIMS_GAME
from tests.conformance.fake_rules import CLAIMS
from tests.service.bureau import HOUR, NAMES, Bureau, address

SECRET = re.compile(r"(wager|wagered|gewettet|puntato|amount'?:) *77\b|77 gewettet")
ALONE: Registry = {CLAIMS_GAME.id: CLAIMS_GAME}
HEAD = "game claims\nseats anton bert claudia\nbegins bert\n"
PLAY = f"""{HEAD}
given ore amber 7
  = ore.amber 7

bert> dig cedar 2
  ? bert turn
  = ore.cedar 2
bert> dig cedar 1
  ! claim.dug
bert> preview
  dig dune 3
  rest
  wager 9
  ! preview.die
  = ore.dune 0
dice> 4 6
bert> wager 5
  rest
  = ore.cedar 6
  * TurnEnded seat=bert
  ? anton turn
dice> 1 1
clock> lapse
anton> for P-1
  ! petition.unknown
  ? bert turn
dice> 3 3 1 1
bert> rest
anton> rest
dice> 2 5
claudia> rest
  = finished true
  = ore.ember 2
  = wagers.bert 5
"""


def played(text: str) -> Replay:
    replay = Replay(text, ALONE, lambda refusal: f"{refusal.code} {refusal.facts}")
    replay.run()
    return replay


def test_a_line_may_give_several_things() -> None:
    played(f"{HEAD}given ore amber 7; ore birch 2   # not three; not four\n  = ore.amber 7\n  = ore.birch 2\n")


def test_what_is_given_wrongly_is_told_with_its_line() -> None:
    with pytest.raises(PlayFileError) as found:
        played(f"{HEAD}given ore amber 7; ore bich 2\n")
    assert found.value.line == 4
    with pytest.raises(PlayFileError):
        played(f"{HEAD}given\n")


def test_a_play_file_rolls_its_own_dice() -> None:
    replay = played(PLAY)
    assert verify_play("claims", replay).honest
    entries = [entry for entry in replay.record.entries if entry.draws]
    assert [draw.purpose for draw in entries[0].draws] == [
        f"{entries[0].called} 1. find cedar",
        f"{entries[0].called} 1. find dune",
    ]
    record = play_file("claim-1", replay.equip(()), [e for e in replay.record.entries if e.cause.kind != "given"])
    again = played(record)
    assert [write(entry) for entry in played(record).record.entries] == [write(entry) for entry in again.record.entries]
    assert again.document()["wagers"] == replay.document()["wagers"]


def test_a_secret_draws_what_a_play_file_does_not_give() -> None:
    head = "game claims\nseats anton bert claudia\nsecret autumn\n"
    replay = played(head)
    (first,) = replay.record.entries
    assert [each.result for each in first.draws] == [draw(b"autumn", "claims|begins", 2)]
    who = first.events[0].first
    for line in (f"{who}> rest", f"{who}> wager 1\n  rest"):
        replay = played(f"{head}{line}")
        (last,) = (entry for entry in replay.record.entries[1:] if entry.draws)
        results = [draw(b"autumn", f"claims|{each.purpose}", 6) for each in last.draws]
        assert [each.result for each in last.draws] == results
        assert verify_play("claims", replay).honest
    with pytest.raises(Failed, match="2 dice are left over"):
        played(f"{head}dice> 1 2\n{who}> rest")


@pytest.mark.parametrize(
    ("more", "line", "told"),
    [
        ("bert> rest", 4, "dice.none .*find cedar"),
        ("dice> 1 2 3\nbert> rest", 5, "1 dice are left over"),
        ("dice> 9 9\nbert> rest", 5, "dice.none"),
    ],
)
def test_dice_that_do_not_fit(more: str, line: int, told: str) -> None:
    with pytest.raises(Failed, match=told) as found:
        played(HEAD + more)
    assert found.value.line == line


@pytest.mark.parametrize(("text", "told"), [(f"{HEAD}dice> six", "no face"), (f"{HEAD}flags anton italy", "no header")])
def test_what_is_no_line_of_this_game(text: str, told: str) -> None:
    with pytest.raises(PlayFileError, match=told):
        played(text)


def test_a_refusal_is_told_in_the_words_of_the_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, CLAIMS_GAME)  # type: ignore[attr-defined]
    file = tmp_path / "one.play"
    file.write_text(f"{HEAD}bert> dig amber 1\n")
    with pytest.raises(Failed, match="Amber is not yours"):
        replay(file)


# -- by mail ---


@pytest.fixture
def bureau(monkeypatch: pytest.MonkeyPatch) -> Bureau:
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, CLAIMS_GAME)  # type: ignore[attr-defined]
    desk = Bureau()
    desk.open(3, setup=Setup(game="claims"), bots="yes")
    for seat, language in (("bert", "de"), ("claudia", "it")):
        desk.write(seat, f"language {language}")
    return desk


def awaited(bureau: Bureau) -> str:
    (decision,) = bureau.document["awaiting"]
    return str(decision["seat"])


def finish(bureau: Bureau) -> None:
    """The turns that are left, one of them by the clock, one of them by a bot."""
    bureau.tick(25 * HOUR)
    bureau.server.app.moderate("imp-1", [f"bot {awaited(bureau)}: ill"])
    while bureau.game.status == "running":
        bureau.tick(HOUR) if awaited(bureau) in bots(bureau) else bureau.write(awaited(bureau), "rest")
    assert {entry["cause"]["kind"] for entry in bureau.entries} >= {"letter", "lapse", "bot"}
    assert bureau.alarms == []


def bots(bureau: Bureau) -> set[str]:
    return {entry["act"]["seat"] for entry in bureau.entries if (entry["act"] or {}).get("type") == "bot_seated"}


def volume_of(bureau: Bureau, logged: int = 0) -> GameArchive:
    game = bureau.game
    with bureau.server.games.work() as work:
        found = volume(work, game, Held(logged=logged))
    assert found is not None
    return found


def proof_of(site: Site, new: GameArchive) -> Proof:
    """Of the files that are published."""
    with site.writing() as shelves:
        shelves.keep(new)
    return prove(published(site.folder.root, new.game, GAMES), GAMES)


def test_a_turn_has_many_orders_and_one_time(bureau: Bureau) -> None:
    who = awaited(bureau)
    own = CLAIMS[2 * bureau.document["seats"].index(who)]
    (slot,) = bureau.slots
    bureau.clock.advance(HOUR)
    bureau.write(who, f"dig {own} 3\nwager 5")
    assert bureau.outcomes(who) == [("played", None), ("played", None)]
    assert bureau.slots == [slot]  # its time runs on
    bureau.write(who, f"dig {own} 1\nrest")
    assert bureau.outcomes(who) == [("refused", "claim.dug"), ("played", None)]
    rows = [entry["act"] for entry in bureau.entries if (entry["act"] or {}).get("type") == "time_kept"]
    assert [closing["seat"] for row in rows for closing in row["closings"]] == [who]


def test_each_line_of_an_answer_has_what_it_did(bureau: Bureau) -> None:
    who = awaited(bureau)
    one, two = (claim for claim, owner in bureau.document["owners"].items() if owner == who)
    bureau.write(who, "language en")
    (mail,) = bureau.write(who, f"dig {one} 3\nwager 5\ndig {one} 1\ndig {two} 2")
    did = [[event["type"] for event in line.events] for line in bureau.replies(who)[-1].lines]
    assert did == [["OreFound"], ["Wagered"], [], ["OreFound"]]
    assert f"  played\n  - {one.title()}: 3 ore.\n\n✓ wager 5\n  played\n  - {who} has wagered 5." in mail.text


def test_what_lines_did_for_which_there_is_no_room_is_told_behind_them(bureau: Bureau) -> None:
    who = awaited(bureau)
    other = next(claim for claim, owner in bureau.document["owners"].items() if owner != who)
    bureau.write(who, "\n".join(f"praise {other}  # {n}" for n in range(190)))
    reply = bureau.replies(who)[-1]
    assert reply.more
    assert len(reply.lines) + len(reply.events) == 190


def test_the_drafts_of_a_turn_are_numbered_and_judged_behind_one_another(bureau: Bureau) -> None:
    who = awaited(bureau)
    place = 2 * bureau.document["seats"].index(who)
    one, other = CLAIMS[place : place + 2]
    bureau.write(who, f"draft\ndig {one} 3\nwager 5\ndig {one} 2\ndig {other} 1\nrest\nwager 9")
    assert [code for _, code in bureau.outcomes(who)] == [None, None, "claim.dug", None, None, None]
    bureau.write(who, "cancel 9\ncancel 2\nshow")
    assert [code for _, code in bureau.outcomes(who)] == ["draft.number", None, None]
    assert drafts(bureau, who) == [(1, f"dig {one} 3"), (2, f"dig {other} 1"), (3, "rest"), (4, "wager 9")]
    bureau.write(who, f"dig {other} 7\nplay")
    assert bureau.outcomes(who) == [("played", None), ("played", None), ("refused", "claim.dug")]
    assert drafts(bureau, who) == [(1, f"dig {other} 1"), (2, "rest"), (3, "wager 9")]
    bureau.tick(25 * HOUR)
    *_, last = bureau.entries
    assert [row["code"] for row in last["act"]["closings"][0]["lapsed"]] == ["claim.dug"]
    assert bureau.server.app.verify("imp-1").honest


def test_the_clock_plays_what_lies_on_file_order_by_order(bureau: Bureau) -> None:
    who = awaited(bureau)
    own = CLAIMS[2 * bureau.document["seats"].index(who)]
    bureau.write(who, f"draft\ndig {own} 3\nwager 5")
    bureau.tick(25 * HOUR)
    played = [entry["answers"][0] for entry in bureau.entries if entry["cause"]["kind"] == "lapse"]
    assert [(answer["order"]["type"], answer["late"]) for answer in played] == [
        ("Dig", 0),
        ("Wager", 0),
        ("Rollout", 1),
    ]
    replay = Replay(bureau.server.app.record("imp-1"), ALONE, str)
    replay.run()
    assert replay.document() == bureau.document


def test_what_waits_to_bind_is_played_order_by_order_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, CLAIMS_GAME)  # type: ignore[attr-defined]
    desk = Bureau()
    desk.open(3, setup=Setup(game="claims"), hold_minutes=5)
    who = awaited(desk)
    one, two = (claim for claim, owner in desk.document["owners"].items() if owner == who)
    lines = f"dig {one} 1\ndig {two} 2\nrest"
    desk.write(who, lines)
    assert {outcome for outcome, _ in desk.outcomes(who)} == {"binds"}
    desk.write(who, "undo")
    assert desk.outcomes(who) == [("undone", None)]
    assert not desk.papers
    desk.write(who, "rest")
    assert "WOULD DO" not in desk.answers(who)[-1].text, "it hangs on a die"
    desk.write(who, "undo")
    desk.tick(HOUR)
    assert awaited(desk) == who
    desk.write(who, f"draft\n{lines}")
    desk.write(who, "play")
    assert desk.outcomes(who) == [("binds", None)]
    assert awaited(desk) == who
    desk.restart()
    desk.tick(HOUR)
    orders = [each["order"]["type"] for entry in desk.entries for each in entry["answers"]]
    assert orders == ["Dig", "Dig", "Rest"]
    assert awaited(desk) != who
    again = Replay(desk.server.app.record("imp-1"), GAMES, str)
    again.run()
    assert again.document() == desk.document


def drafts(bureau: Bureau, seat: str) -> list[tuple[int, str]]:
    with bureau.server.games.work() as work:
        return [(each.number, each.text) for each in on_file(work.session(work.game("imp-1")), seat)]


def test_a_secret_is_its_writers_till_the_end(bureau: Bureau, tmp_path: Path) -> None:
    site = Site(tmp_path, GAMES)
    who = awaited(bureau)
    sent = [*bureau.write(who, "wager 77"), *bureau.write(who, "rest")]
    others = [mail for mail in sent if mail.to != address(who)]
    assert {mail.to for mail in others} == {address(seat) for seat in NAMES[:3]} - {address(who)}
    for seat in {*NAMES[:3]} - {who}:
        others += bureau.write(seat, "history\nrecords orders\nrecords found\nboard")
    running = volume_of(bureau)
    assert str(proof_of(site, running)).endswith(
        "the log is one chain; what is secret from entry 1 on is sealed till the end"
    )
    told = [word for mail in others for word in (mail.text, mail.html)]
    told += [file.read_text() for file in tmp_path.rglob("*.*") if file.suffix in {".html", ".json", ".jsonl", ".play"}]
    assert not [text for text in told if SECRET.search(text)]
    assert SECRET.search(bureau.write(who, "history")[0].text)
    early = running.log or ()
    assert [is_veiled(raw) for raw in early] == [False, True, True]
    assert {*facts(early[1])} == {"prev", "hash"}
    assert [event["type"] for event in facts(early[2])["events"]] == ["OreFound", "OreFound", "TurnEnded"]
    forged = msgspec.structs.replace(running, log=(*early[:-2], *early[-1:]))
    assert proof_of(Site(tmp_path / "forged", GAMES), forged).fault.startswith("entry")
    finish(bureau)
    over = volume_of(bureau, len(early))
    assert not any(map(is_veiled, over.log or ()))
    assert [facts(raw)["hash"] for raw in early] == [facts(raw)["hash"] for raw in (over.log or ())[: len(early)]]
    assert "wager 77" in str(over.record)
    assert str(proof_of(site, over)).endswith("the log gives every position, and its lots follow from its secret")


def test_sealed_entries_count_apart(bureau: Bureau, tmp_path: Path) -> None:
    """Whoever reads the others' numbers can't tell how many there are, and none of the others can be called sealed."""
    for text in ("wager 77\nrest", "wager 5\nrest", "rest"):
        bureau.write(awaited(bureau), text)
    bureau.server.app.moderate("imp-1", ["rewind to turn 2: try it again"])
    bureau.tick()
    bureau.write(awaited(bureau), "wager 6\nrest")
    with bureau.store.transaction() as repository:
        numbers = [facts(raw)["number"] for raw in repository.entries("imp-1")]
    assert numbers == ["0", "P1", "1", "P2", "2", "3", "4", "P3", "5"]
    log = volume_of(bureau).log or ()
    told = [facts(raw) for raw in log]
    assert [each.get("number") for each in told] == ["0", None, "1", None, "2", "3", "4", None, "5"]
    assert {lot["purpose"].split(" ")[0] for each in told[2:] for lot in each.get("draws", ())} == {"1", "2", "3", "5"}
    assert not [each for each in told[1:] if "seq" in each or "rewind_to" in each]
    site = Site(tmp_path, GAMES)
    assert proof_of(site, volume_of(bureau)).fault == ""
    link = {key: told[6][key] for key in ("prev", "hash")}
    forged = msgspec.structs.replace(
        volume_of(bureau), log=(*log[:6], json.dumps(link, separators=(",", ":"), sort_keys=True).encode(), *log[7:])
    )
    assert (
        proof_of(Site(tmp_path / "forged", GAMES), forged).fault
        == "an entry that is not sealed is missing from the log"
    )


def facts(raw: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(raw)
    return found


def wagered(raw: bytes, amount: int) -> bytes:
    """Another amount in the entry of a wager."""
    return raw.replace(b'"amount":77', b'"amount":%d' % amount)


FORGED: Mapping[str, tuple[Callable[[bytes], bytes], str]] = {
    "another wager": (lambda raw: wagered(raw, 78), "entry 1: it is not what was written"),
    "another wager with its own digest": (lambda raw: resealed(wagered(raw, 78)), "entry 2: it does not follow"),
    "another salt": (lambda raw: raw.replace(b'"salt":"', b'"salt":"0'), "entry 1: it is not what was written"),
    "less hidden": (lambda raw: raw.replace(b'"whole":true', b'"whole":false'), "entry 1: it is not what was written"),
}


def resealed(raw: bytes) -> bytes:
    entry = CLAIMS_GAME.load(Setup(seats=(Seat("a"), Seat("b"), Seat("c")))).decoder().decode(raw)
    return write(seal(entry))


@pytest.mark.parametrize("how", FORGED)
def test_a_secret_that_was_forged_is_found_when_it_is_opened(bureau: Bureau, tmp_path: Path, how: str) -> None:
    forge, fault = FORGED[how]
    bureau.write(awaited(bureau), "wager 77")
    bureau.write(awaited(bureau), "rest")
    finish(bureau)
    over = volume_of(bureau)
    first, secret, *rest = over.log or ()
    assert forge(secret) != secret
    forged = msgspec.structs.replace(over, log=(first, forge(secret), *rest))
    assert proof_of(Site(tmp_path, GAMES), forged).fault.startswith(fault)


def test_a_log_forged_to_its_end_is_not_the_one_that_was_published(bureau: Bureau, tmp_path: Path) -> None:
    """Whoever has kept the digests need not ask today's rules."""
    bureau.write(awaited(bureau), "wager 77")
    bureau.write(awaited(bureau), "rest")
    early = volume_of(bureau).log or ()
    finish(bureau)
    over = volume_of(bureau)
    first, secret, *rest = over.log or ()
    forged = [first, resealed(wagered(secret, 78))]
    for raw in rest:
        link = raw.replace(facts(raw)["prev"].encode(), facts(forged[-1])["hash"].encode())
        forged.append(resealed(link))
    assert [facts(raw)["hash"] for raw in early][1:] != [facts(raw)["hash"] for raw in forged[1 : len(early)]]
    proof = proof_of(Site(tmp_path, GAMES), msgspec.structs.replace(over, log=tuple(forged)))
    assert proof.fault == "turn 1 ends with another entry than the log has there"


def test_a_secret_can_not_be_found_by_trying(bureau: Bureau) -> None:
    """Nobody can guess the salt of an entry; in the end it follows from the game's secret."""
    bureau.write(awaited(bureau), "wager 77")
    bureau.write(awaited(bureau), "rest")
    _, published, *_ = volume_of(bureau).log or ()
    with bureau.store.transaction() as repository:
        stored = repository.entries("imp-1")[1]
    known = Lots(bureau.game.secret, "imp-1", "P1").salt
    assert facts(stored)["veil"]["salt"] == known
    assert known not in published.decode()
    without = resealed(stored.replace(known.encode(), b""))
    assert facts(without)["hash"] != facts(resealed(stored))["hash"] == facts(published)["hash"]


def test_each_die_stands_in_the_ledger_and_can_be_drawn_again(bureau: Bureau, tmp_path: Path) -> None:
    bureau.write(awaited(bureau), "wager 3")
    bureau.write(awaited(bureau), "rest")
    site = Site(tmp_path, GAMES)
    assert proof_of(site, volume_of(bureau)).fault == ""
    early = ledger(tmp_path)
    assert "SECRET" in early
    assert bureau.game.secret not in early
    finish(bureau)
    assert proof_of(site, volume_of(bureau, len(bureau.entries))).fault == ""
    told = ledger(tmp_path)
    rolled = [lot for entry in bureau.entries for lot in entry["draws"]]
    assert rolled
    for lot in rolled:
        again = draw(bureau.game.secret.encode(), f"imp-1|{lot['purpose']}", lot["among"])
        assert f'data-purpose="{lot["purpose"]}" data-among="{lot["among"]}" data-result="{again}"' in told
    finds = [lot for lot in rolled if "find" in lot["purpose"]]
    counts = [sum(lot["result"] == face for lot in finds) for face in range(6)]
    assert "".join(f"<td>{count}</td>" for count in counts) in told
    first = finds[0]
    claim = first["purpose"].split()[-1].title()
    assert f"<p>{claim}: {first['result'] + 1} ore, die {first['result'] + 1}.</p>" in told
    assert bureau.game.secret in told
    assert f"what is found at {claim} (“{first['purpose']}”): {first['result'] + 1} on a die with 6 faces" in told


@pytest.mark.parametrize(("language", "word"), [("en", "Dice and lots"), ("de", "Würfel"), ("it", "Dadi")])
def test_the_ledger_speaks_the_language_of_its_archive(
    bureau: Bureau, tmp_path: Path, language: str, word: str
) -> None:
    bureau.write(awaited(bureau), "rest")
    proof_of(Site(tmp_path, GAMES, language=language), volume_of(bureau))
    assert word in ledger(tmp_path)


def ledger(root: Path) -> str:
    return (root / "imp-1/lots/index.html").read_text("utf-8")


def test_a_record_replays_and_the_log_verifies(bureau: Bureau) -> None:
    bureau.write(awaited(bureau), "wager 3")
    finish(bureau)
    assert bureau.server.app.verify("imp-1").honest
    replay = Replay(bureau.server.app.record("imp-1"), ALONE, str)
    replay.run()
    assert replay.document() == bureau.document


def test_a_rewinding_brings_other_dice(bureau: Bureau) -> None:
    for _ in range(2):
        bureau.write(awaited(bureau), "rest")
        bureau.server.app.moderate("imp-1", ["rewind to turn 1: a slip"])
    purposes = [draw["purpose"] for entry in bureau.entries for draw in entry["draws"]]
    assert len(purposes) == len({*purposes})
    assert bureau.server.app.verify("imp-1").honest


def test_no_trial_tells_a_die(bureau: Bureau) -> None:
    who = awaited(bureau)
    bureau.write(who, "preview\nrest\nwager 2")
    assert bureau.outcomes(who) == [("refused", "preview.die"), ("refused", "preview.die")]
    tried = bureau.server.app.moderate("imp-1", [f"act for {who}: rest"], preview=True).results
    assert [result.refusal.code for result in tried if result.refusal] == []
    assert len(bureau.entries) == 1


def test_players_agree_and_a_seat_that_is_not_there_yet_has_no_vote(bureau: Bureau) -> None:
    late = ({*NAMES[:3]} - {*bureau.document["players"]}).pop()
    first, second = bureau.document["players"]
    bureau.write(first, "petition finish")
    bureau.write(late, "for P-1")
    assert bureau.game.status == "running"
    bureau.write(second, "for P-1")
    assert bureau.game.status == "finished"
    assert bureau.alarms == []


def test_a_game_is_called_by_its_tag(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, CLAIMS_GAME.id, msgspec.structs.replace(CLAIMS_GAME, tag="claim"))  # type: ignore[attr-defined]
    setup = Setup(game="claims")
    assert bureau.invite(3, setup=setup).id == "claim-1"
