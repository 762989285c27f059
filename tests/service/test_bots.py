"""Bots that hold seats: when they come and go, what they answer, who is told, and what they may know."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.bootstrap import prove_archive
from pbem.cli.output import show_game
from pbem.core.bot import LEVELS, SUBSTITUTE, Pick
from pbem.core.chance import Lots, seeded_picks
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.games.imperial.bots import BOTS, greedy_bot
from pbem.games.imperial.rules.orders import Invest, Skip
from pbem.host.archive.replay import Replay
from pbem.host.archive.verify import verify_game, verify_play
from pbem.host.ports import Mail
from tests.rules.tables import Match
from tests.rules.test_conformance import every_match
from tests.service.bureau import DAY, HOUR, MINUTE, NAMES, Bureau, address, prefix
from tests.service.test_moderation import MODERATOR, acts, appoint, check_record
from tests.service.test_petition_letters import kinds, letter_of

LATER = 11 * MINUTE


@pytest.fixture
def held(lots: None) -> Bureau:
    """A game in which Anton's time has run out once, so that a bot answers for him."""
    desk = Bureau()
    desk.open(bots="yes", forced_limit=1)
    desk.at(desk.clock.now() + DAY + 60)
    return desk


def words(mail: Mail) -> str:
    return " ".join(mail.text.split())


def bots(bureau: Bureau) -> list[tuple[str, str, str]]:
    """Who has let a bot come or go, and where."""
    return [(act["type"], act["by"], act["seat"]) for act in acts(bureau) if act["type"].startswith("bot_")]


def answered(bureau: Bureau) -> list[str]:
    """For whom bots have answered."""
    return [entry["answers"][0]["seat"] for entry in bureau.entries if entry["cause"]["kind"] == "bot"]


def round_of_taxes(bureau: Bureau) -> None:
    """All but Anton play."""
    for who, nation in zip(NAMES[1:], ("italy", "france", "great britain", "germany", "russia"), strict=True):
        bureau.write(who, f"{nation}: taxation")


# -- somebody silent ---


def test_it_comes_after_the_limit_and_goes_when_the_player_writes(held: Bureau) -> None:
    assert bots(held) == [("bot_seated", "clock", "anton")]
    told = letter_of(held, "bert", "A bot answers for anton")
    assert "Nobody answers for anton, so from now on a bot does" in words(told)
    assert "A bot plays for you" not in words(told)
    assert "write me anything" in words(letter_of(held, "anton", "A bot answers for anton"))
    round_of_taxes(held)
    assert held.awaited[0][0] == "anton"
    assert "anton: Austria-Hungary’s turn; a bot answers" in words(held.postman.to(address("fritz"))[-1])
    own = held.postman.to(address("anton"))[-1]
    assert "A bot plays for you" in words(own)
    assert "it is its turn" not in words(own)
    sent = held.tick(LATER)
    assert answered(held) == ["anton"]
    report = next(mail for mail in sent if mail.to == address("bert") and "A bot played" in mail.text)
    assert "A bot played for anton:" in report.text
    assert "MOVE ORDER SHEET" not in report.text  # nobody was late
    round_of_second(held)
    sent = held.write("anton", "status")
    assert bots(held)[-1] == ("bot_left", "anton", "anton")
    mine = next(mail for mail in sent if mail.to == address("anton") and "You govern" in mail.text)
    assert "You govern Austria-Hungary, and it is its turn" in words(mine)
    assert held.slot.started == held.clock.now()
    assert held.slot.deadline == held.clock.now() + DAY
    held.tick(LATER)
    assert answered(held) == ["anton"]
    held.write("anton", _player("anton")(held))
    assert held.outcomes("anton") == [("played", None)]
    check_record(held)


def round_of_second(bureau: Bureau) -> None:
    for who, nation in zip(NAMES[1:], ("italy", "france", "great britain", "germany", "russia"), strict=True):
        bureau.write(who, f"{nation}: production")


def test_the_order_of_one_who_comes_back_is_played_and_not_the_bots(held: Bureau) -> None:
    round_of_taxes(held)
    held.clock.advance(LATER)
    held.write("anton", "austria: taxation")
    assert answered(held) == []
    assert held.outcomes("anton") == [("played", None)]
    assert bots(held)[-1] == ("bot_left", "anton", "anton")


def test_a_preview_takes_the_seat_back_too(held: Bureau) -> None:
    held.write("anton", "preview austria: taxation")
    assert bots(held)[-1] == ("bot_left", "anton", "anton")


def test_the_archive_tells_what_a_bot_played(held: Bureau, tmp_path: Path) -> None:
    round_of_taxes(held)
    held.tick(LATER)
    held.server.archivist(tmp_path, language="en").build()
    pages = " ".join(page.read_text("utf-8") for page in tmp_path.rglob("*.html"))
    assert "A bot played for anton:" in pages
    assert "a bot answer for anton" in " ".join(pages.split())
    (proof,) = prove_archive(tmp_path)
    assert not proof.fault, proof


def test_without_the_option_nobody_plays_for_him(desk: Bureau) -> None:
    desk.open(forced_limit=1)
    desk.at(desk.clock.now() + DAY + 60)
    assert kinds(desk) == ["petitioned"]


def test_it_is_never_late_and_is_not_silent(held: Bureau) -> None:
    """So the host asks for one substitute, and the next silence counts from the beginning."""
    petitions = kinds(held).count("petitioned")
    round_of_taxes(held)
    held.tick(3 * DAY)
    closings = [entry["act"] for entry in held.entries if (entry.get("act") or {}).get("type") == "time_kept"]
    mine = [(act["by"], act["closings"][0]["late"]) for act in closings if act["closings"][0]["seat"] == "anton"]
    assert mine == [("clock", 1), ("bot", 0)]
    assert kinds(held).count("petitioned") == petitions


def test_what_is_on_file_comes_first(held: Bureau) -> None:
    held.server.app.moderate("imp-1", ["act for anton: advance austria: taxation"])
    round_of_taxes(held)
    held.tick(LATER)
    assert answered(held) == []
    assert held.document["nations"]["austria_hungary"]["rondel"] == "taxation"


def test_a_substitute_plays_himself(held: Bureau) -> None:
    held.know(MODERATOR)
    held.server.app.moderate("imp-1", [f"replace anton by {MODERATOR}: he is gone"])
    held.tick()
    round_of_taxes(held)
    held.tick(LATER)
    assert answered(held) == []
    assert held.slot.started is not None


# -- the rounds of the daemon ---


def test_one_answer_in_a_round_some_minutes_after_its_question(held: Bureau) -> None:
    held.server.app.moderate("imp-1", ["bot bert: he is ill", "bot claudia: she is ill", "bot daniel: he is ill"])
    held.tick()
    assert answered(held) == []
    for count in (1, 2, 3):
        held.tick(LATER)
        assert len(answered(held)) == count
    held.tick(HOUR)
    assert answered(held) == ["bert", "claudia", "daniel"]
    assert held.awaited[0][0] == "emil"


def test_nothing_is_answered_while_time_stands_still(held: Bureau) -> None:
    round_of_taxes(held)
    held.server.app.moderate("imp-1", ["pause 2 days: a holiday"])
    held.tick(DAY)
    assert answered(held) == []
    held.tick(DAY + LATER)
    assert answered(held) == ["anton"]


def test_nothing_is_answered_while_no_mail_goes_out(bureau: Bureau) -> None:
    bureau.server.app.moderate("imp-1", ["bot anton: he is ill"])
    bureau.postman.down = True
    bureau.tick()
    bureau.tick(LATER)
    assert answered(bureau) == []
    bureau.postman.down = False
    bureau.tick(2 * HOUR)
    bureau.tick(LATER)
    assert answered(bureau) == ["anton"]


def test_an_outage_of_the_mailbox_holds_no_game_for_a_bot(bureau: Bureau) -> None:
    bureau.server.app.moderate("imp-1", ["bot anton: he is ill"])
    bureau.mailbox.down = True
    bureau.tick(LATER)
    assert answered(bureau) == []
    bureau.mailbox.down = False
    bureau.tick(HOUR)
    assert answered(bureau) == ["anton"]
    assert kinds(bureau) == ["bot_seated"]


def test_an_answer_that_is_cut_short_is_given_once(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    bureau.server.app.moderate("imp-1", ["bot anton: he is ill", "bot bert: he is ill"])
    with monkeypatch.context() as broken:
        broken.setattr("pbem.host.housekeeping.closing.conclude", lambda *_: 1 / 0)
        bureau.tick(LATER)
    assert answered(bureau) == []
    bureau.restart()
    bureau.tick(MINUTE)
    bureau.server.clock_service().polled(bureau.clock.now())  # another daemon
    assert answered(bureau) == ["anton"]


@pytest.mark.parametrize("what", ["refused", "fault"])
def test_a_bot_that_fails_lets_time_run_out_and_the_operator_know(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def bad(*_: object) -> Any:
        if what == "fault":
            raise KeyError("vienna")
        return Invest(choices=())

    monkeypatch.setitem(BOTS, SUBSTITUTE, bad)
    bureau.server.app.moderate("imp-1", ["bot anton: he is ill"])
    bureau.tick(LATER)
    assert [entry["cause"]["kind"] for entry in bureau.entries if entry["answers"]] == ["lapse"]
    assert bureau.awaited[0][0] == "bert"
    assert "A bot could not answer for anton in imp-1" in words(bureau.alarms[-1])
    check_record(bureau)


@pytest.mark.parametrize("policy", ["auto", "on_request"])
@pytest.mark.parametrize("skips", [False, True])
def test_a_bot_is_never_late(lots: None, monkeypatch: pytest.MonkeyPatch, policy: str, skips: bool) -> None:
    """Not where it fails or skips, nor in the place of a player who was late: not in a replay of the record either."""
    desk = Bureau()
    desk.open(2, setup=Setup(options={"lateness": "fee"}), policy=policy)
    monkeypatch.setitem(BOTS, SUBSTITUTE, lambda *_: Skip() if skips else Invest(choices=()))
    desk.tick(DAY - MINUTE if policy == "auto" else 3 * DAY)
    desk.server.app.moderate("imp-1", ["bot anton: he is ill"])
    desk.tick(LATER)
    assert [entry["act"]["closings"][0]["late"] for entry in desk.entries if entry["answers"]] == [0]
    check_record(desk)


# -- its whims ---


def test_nobody_knows_its_whims_before_the_secret_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """They follow from the game's secret for each of its answers, as lots do; so anybody may reckon them later."""
    fancied: list[list[int]] = []
    fair = BOTS[SUBSTITUTE]

    def whimsical(game: Any, state: Any, decision: Any, pick: Pick) -> Any:
        fancied.append([pick(1_000), pick(1_000)])
        return fair(game, state, decision, pick)

    monkeypatch.setitem(BOTS, SUBSTITUTE, whimsical)
    told: list[list[int]] = []
    for _ in range(2):
        desk = Bureau()
        desk.open(2)
        desk.server.app.moderate("imp-1", [f"bot {seat}: a trial" for seat in NAMES[:2]])
        desk.tick(LATER)
        desk.tick(LATER)
        for entry in [entry for entry in desk.entries if entry["cause"]["kind"] == "bot"]:
            (answer,) = entry["answers"]
            lots = Lots(desk.game.secret, "imp-1", entry["seq"])
            pick = seeded_picks(lots, f"bot {answer['decision']['serial']}")
            told.append([pick(1_000), pick(1_000)])
        with desk.server.games.work() as work:
            raws = work.repository.entries("imp-1")
            game = work.game("imp-1")
            assert verify_game(game, raws, partial(work.games.load, game)).honest
    assert len(told) == 4
    assert fancied == told
    assert len({*map(tuple, told)}) == 4


# -- by a moderator ---


def test_a_moderator_lets_it_come_and_go(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    bureau.write(MODERATOR, "bot anton: he asked for it")
    assert bots(bureau) == [("bot_seated", "moderator Zoe", "anton")]
    letter = letter_of(bureau, "bert", "A bot answers for anton")
    assert "The moderator Zoe has put a bot on the seat of anton" in words(letter)
    assert "he asked for it" in letter.text
    assert not any("left" in mail.subject for mail in bureau.at(bureau.clock.now() + 5 * MINUTE))
    sent = bureau.write(MODERATOR, "no bot anton: he is back")
    mine = next(mail for mail in sent if mail.to == address("anton"))
    assert "You govern Austria-Hungary, and it is its turn" in words(mine)
    assert bureau.slot.deadline == bureau.clock.now() + DAY
    bureau.tick(LATER)
    assert answered(bureau) == []


def test_an_empty_seat_has_one_where_that_was_agreed_on(desk: Bureau, capsys: pytest.CaptureFixture[str]) -> None:
    desk.open(bots="yes")
    appoint(desk, MODERATOR)
    desk.write(MODERATOR, "eject anton: he cheats")
    assert bots(desk) == [("bot_seated", "clock", "anton")]
    show_game("imp-1", *desk.server.app.query("imp-1"), desk.server.words("imp-1"))
    shown = capsys.readouterr().out
    assert "  anton is free; a bot plays" in shown
    assert "awaited: anton, turn austria_hungary, a bot answers" in shown.replace("\n   ", "")
    desk.write(MODERATOR, "status")
    assert "anton: the seat is free; a bot plays." in words(desk.answers(MODERATOR)[-1])
    desk.tick(LATER)
    assert answered(desk) == ["anton"]
    assert "bert" in prefix(desk.postman.sent[-6:])
    check_record(desk)


def test_the_clock_tells_who_has_one(bureau: Bureau) -> None:
    bureau.server.app.moderate("imp-1", ["bot anton: he is ill"])
    bureau.write("bert", "clock")
    assert "anton: Austria-Hungary’s turn; a bot answers" in words(bureau.answers("bert")[-1])


def test_it_does_not_vote(bureau: Bureau) -> None:
    bureau.server.app.moderate("imp-1", ["bot anton: he is ill"])
    bureau.write("bert", "petition change We try it\nSET bots = yes")
    bureau.tick(LATER)
    act = next(act for act in acts(bureau) if act["type"] == "petitioned")
    assert act["electors"] == [*NAMES]
    assert not [act for act in acts(bureau) if act["type"] == "voted"]
    assert [act["seat"] for act in acts(bureau) if act["type"] == "deemed"] == ["anton"]


# -- a whole game ---


def test_every_game_has_a_bot_of_every_level() -> None:
    assert all({*LEVELS} <= {*game.bots} for game in GAMES.values())


@pytest.mark.slow
def test_a_whole_game_in_which_all_but_one_fall_silent(lots: None) -> None:
    bureau = Bureau()
    bureau.open(3, bots="yes", forced_limit=1)
    play = _player("anton")
    for _ in range(1_500):
        if bureau.game.status == "finished":
            break
        orders = play(bureau)
        if orders:
            bureau.write("anton", orders)
        else:
            bureau.tick(LATER if bots(bureau) and _bot_is_next(bureau) else DAY + MINUTE)
    assert bureau.game.status == "finished"
    assert {seat for _, _, seat in bots(bureau)} == {*NAMES[1:3]}
    assert not bureau.alarms
    assert {*answered(bureau)} >= {*NAMES[1:3]}
    check_record(bureau)


@pytest.mark.parametrize("match", [*every_match()], ids=lambda match: f"{match.edition}-{match.start}-{match.players}")
def test_bots_play_every_kind_of_game_to_its_end(match: Match) -> None:
    setup = match.setup
    lines = [f"edition {setup.edition}", f"setup {setup.setup}", f"seats {' '.join(setup.seats)}"]
    lines += [f"option {key} {value}" for key, value in setup.options.items()]
    lines += [f"moderator> bot {seat}: a trial" for seat in setup.seats]
    played = Replay("\n".join([*lines, "clock> +9999h"]), GAMES, str, Lots("a secret", "x-1"))
    played.run()
    assert played.session.has_ended
    assert {entry.cause.kind for entry in played.record.entries} <= {"opening", "act", "bot"}
    assert verify_play("x", played).honest


def _bot_is_next(bureau: Bureau) -> bool:
    held = {seat for _, _, seat in bots(bureau)}
    return bureau.awaited[0][0] in held


def _player(who: str) -> Callable[[Bureau], str]:
    """Somebody who writes when he is asked."""

    def orders(bureau: Bureau) -> str:
        with bureau.server.games.work() as desk:
            session = desk.session(desk.game("imp-1"))
            rules: Any = session.rules
            mine = [d for d in session.pending() if d.seat == who]
            chosen = [greedy_bot(rules, session.state, d, lambda _: 0) for d in mine]
            return "\n".join(rules.notation.write(order) for order in chosen)

    return orders
