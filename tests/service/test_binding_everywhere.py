"""What waits to bind, whatever else happens: battles, leaps of the clock, a yes, others at the same seat, the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.bootstrap import prove_archive
from pbem.games import GAMES
from pbem.host.archive.replay import Replay
from tests.service.bureau import DAY, HOUR, MINUTE, NAMES, Bureau, address
from tests.service.test_binding import MODERATOR, MOMENT, outcome, rows, told
from tests.service.test_binding import bureau as bureau  # noqa: PLC0414 - the fixture
from tests.service.test_moderation import appoint
from tests.service.test_proposals import answered, proposed

ARMIES = (
    "army austria_hungary trieste 2",
    "army italy venice 1",
    "army germany venice 1 friendly",
    "rondel austria_hungary production_1",
)
NIGHT = 1_800_000_000 + 14 * HOUR + HOUR // 2  # 23:30 in Berlin
MANEUVER = "austria: maneuver\n  2 A trieste - venice hostile"


def played(bureau: Bureau) -> list[tuple[str, str]]:
    """Who answered what, of which kind, entry by entry."""
    return [(each["seat"], each["order"]["type"]) for entry in bureau.entries for each in entry["answers"]]


def as_recorded(bureau: Bureau) -> None:
    """Its play file plays to the same position."""
    again = Replay(bureau.server.app.record("imp-1"), GAMES, str)
    again.run()
    assert again.document() == bureau.document


def test_a_battle_in_the_middle_of_a_turn(desk: Bureau) -> None:
    """Each answer binds by itself; the maneuver goes on when the last has, and both nations of one seat are answered."""
    bureau = desk
    bureau.open(players=4, hold_minutes=5)
    appoint(bureau, MODERATOR)
    bureau.write(MODERATOR, f"correct {'; '.join(ARMIES)}: so", subject="[imp-1]")
    (who, _, _) = bureau.awaited[0]
    bureau.write(who, MANEUVER)
    assert bureau.outcomes(who) == [("binds", None)]
    bureau.tick(MOMENT + 1)
    asked = bureau.awaited
    assert {kind for _, kind, _ in asked} == {"battle"}
    for seat, _, nation in asked:
        assert outcome(bureau, seat, f"fight with {nation}") == ("binds", None)
    seat = asked[0][0]
    assert outcome(bureau, seat, "undo") == ("undone", None)
    bureau.tick(MOMENT)
    assert [one[0] for one in bureau.awaited] == [seat]
    for word in ("peace", "fight all"):
        assert outcome(bureau, seat, word) == ("binds", None)
    before = len(played(bureau))
    bureau.restart()
    bureau.tick(MOMENT)
    assert played(bureau)[before:] == [(seat, "fight")]
    assert not [one for one in bureau.awaited if one[1] == "battle"]
    assert not [paper for paper in bureau.papers if paper[1] == "draft"]
    as_recorded(bureau)


@pytest.mark.parametrize("leap", [2 * DAY, -2 * DAY], ids=["ahead", "back"])
def test_a_leap_of_the_clock(bureau: Bureau, leap: int) -> None:
    """However the computer's clock leaps: it is played once, and not before its writer could take it back."""
    bureau.write("anton", "austria: taxation")
    bureau.clock.leap(leap)
    for _ in range(8):
        bureau.tick(MINUTE)
    bureau.clock.leap(-leap)
    for _ in range(30):
        bureau.tick(MINUTE)
    assert played(bureau).count(("anton", "turn")) == 1
    assert rows(bureau)[-1].by == "anton"
    as_recorded(bureau)


def test_what_was_filed_by_a_clock_that_was_ahead_binds_when_it_is_put_right(bureau: Bureau) -> None:
    good = bureau.clock.now()
    bureau.asleep = True
    bureau.clock.advance(20 * DAY)
    bureau.server.clock.believe()
    bureau.write("anton", "austria: taxation")
    assert bureau.outcomes("anton")[-1][0] == "binds"
    bureau.clock.set(good)
    bureau.asleep = False
    bureau.restart()
    bureau.tick()
    bureau._server(None).app.believe_clock()
    bureau.tick(10)
    assert outcome(bureau, "anton", "show")[0] == "shown"
    bureau.tick(MOMENT)
    bureau.tick(10)
    assert played(bureau) == [("anton", "turn")]


def test_a_yes_binds_later_too_and_only_once(bureau: Bureau) -> None:
    bureau.write("anton", "preview\naustria: import A lemberg")
    assert proposed(bureau)
    mail = bureau.answers("anton")[-1]
    answered(bureau, "yes", mail)
    assert bureau.outcomes("anton") == [("binds", None)]
    assert outcome(bureau, "anton", "undo") == ("undone", None)
    answered(bureau, "yes", mail)
    bureau.tick(2 * MOMENT)
    assert played(bureau).count(("anton", "turn")) <= 1
    as_recorded(bureau)


def test_quiet_hours_and_holidays(desk: Bureau) -> None:
    """They move deadlines, not the moment; the time that counted ends with the filing."""
    bureau = desk
    bureau.open(hold_minutes=5, quiet_hours="23:00-7:00", clock_zone="Europe/Berlin", holidays="DE-BY")
    filed = bureau.clock.now()
    bureau.write("anton", "austria: taxation")
    bureau.tick(MOMENT + 1)
    (row,) = rows(bureau)
    assert (row.seat, row.by, row.end) == ("anton", "anton", filed)
    bureau.at(NIGHT)
    bureau.write("bert", "italy: taxation")
    bureau.tick(MOMENT + 1)
    assert (rows(bureau)[-1].seat, rows(bureau)[-1].end) == ("bert", NIGHT), "the moment is real minutes"
    as_recorded(bureau)


@pytest.mark.parametrize("petition", ["pause 2 days: a move", "petition change: so\nset hold_minutes = 0"])
def test_what_the_players_decide_meanwhile(bureau: Bureau, petition: str) -> None:
    text = petition if petition.startswith("petition") else f"petition {petition}"
    bureau.write("bert", text)
    bureau.write("anton", "for P-1\naustria: taxation")
    for name in NAMES[2:]:
        bureau.write(name, "for P-1")
    bureau.tick(MOMENT)
    assert played(bureau) == [("anton", "turn")]
    as_recorded(bureau)


def test_a_daemon_that_dies_where_it_would_play_it(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it has happened then; the next one plays it, once."""
    bureau.write("anton", "austria: taxation")
    with monkeypatch.context() as patch:
        patch.setattr("pbem.host.housekeeping.closing.conclude", _die)
        with pytest.raises(KeyboardInterrupt):
            bureau.tick(MOMENT)
    assert played(bureau) == []
    bureau.restart()
    for _ in range(3):
        bureau.tick(MINUTE)
    assert played(bureau) == [("anton", "turn")]


def _die(*_: object) -> None:
    raise KeyboardInterrupt


def test_what_bound_later_is_published_and_proved(tmp_path: Path) -> None:
    """With the lots as they fell; nobody hears there of what still waits."""
    bureau = Bureau()
    bureau.open(hold_minutes=5)
    for text in ("taxation", "import none", "investor"):
        bureau.write(bureau.awaited[0][0], text)
        if text != "investor":
            bureau.tick(2 * MOMENT)
    bureau.server.archivist(tmp_path).update()
    assert [proof.fault for proof in prove_archive(tmp_path)] == [""]
    public = "".join(file.read_text("utf-8") for file in tmp_path.rglob("*.play"))
    assert ("import none" in public, "investor\n" in public) == (True, False)
    bureau.tick(MOMENT)
    bureau.server.app.moderate("imp-1", ["end: we agree"])
    assert bureau.game.status == "finished"
    bureau.server.archivist(tmp_path).update()
    assert [proof.fault for proof in prove_archive(tmp_path)] == [""]
    as_recorded(bureau)


def test_a_turn_that_is_struck_meanwhile(bureau: Bureau) -> None:
    """What counts no more is the turn before: the order that waits is another."""
    bureau.write("anton", "austria: taxation")
    bureau.tick(MOMENT)
    bureau.write("bert", "italy: taxation")
    bureau.write(MODERATOR, "strike anton 1: so", subject="[imp-1]")
    bureau.tick(MOMENT)
    assert played(bureau) == [("anton", "turn"), ("bert", "turn")]


def test_who_sits_down_meanwhile_may_take_it_back(bureau: Bureau) -> None:
    nina = "nina@players.test"
    bureau.write("anton", "austria: taxation")
    bureau.write(MODERATOR, f"eject anton: gone\noffer anton to {nina}: she waits", subject="[imp-1]")
    offer = bureau.postman.to(nina)[-1]
    bureau.write(nina, "accept", to=offer.reply_to or "", subject=f"Re: {offer.subject}")
    assert outcome(bureau, nina, "undo") == ("undone", None), told(bureau, nina)
    bureau.tick(2 * MOMENT)
    assert played(bureau) == []


def test_a_letter_to_who_ordered_tells_that_the_game_went_back(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation")
    bureau.tick(MOMENT)
    bureau.write("bert", "italy: taxation")
    sent = bureau.write(MODERATOR, "rewind to turn 1: so", subject="[imp-1]")
    mine = " ".join(" ".join(mail.text.split()) for mail in sent if mail.to == address("bert"))
    assert "italy: taxation" in mine.lower()
    assert outcome(bureau, "bert", "undo") == ("refused", "undo.nothing")


def test_undo_says_that_others_ended_its_time(bureau: Bureau) -> None:
    bureau.tick(DAY + HOUR)
    assert rows(bureau)[-1].by == "clock"
    assert outcome(bureau, "anton", "undo") == ("refused", "undo.lapsed")
    assert "in your place" in told(bureau, "anton")


def test_undo_says_that_a_draft_is_only_on_file(bureau: Bureau) -> None:
    bureau.write("anton", "draft austria: taxation")
    assert outcome(bureau, "anton", "undo") == ("refused", "undo.on_file")
    bureau.write("anton", "austria: taxation")
    bureau.tick(MOMENT)
    bureau.write("anton", "advance austria: import none")
    assert outcome(bureau, "anton", "undo") == ("refused", "undo.played")


def test_the_end_of_the_game(desk: Bureau) -> None:
    """It comes when the order binds; then nothing can be taken back."""
    bureau = desk
    bureau.open(hold_minutes=5)
    bureau.finish()
    assert bureau.outcomes("anton") == [("binds", None)]
    assert bureau.game.status == "running"
    bureau.tick(MOMENT)
    assert bureau.game.status == "finished"
    bureau.write("anton", "undo")
    assert "game is over" in told(bureau, "anton")


@pytest.mark.parametrize("end", ["end", "end without scores"])
def test_a_game_that_ends_meanwhile(bureau: Bureau, end: str) -> None:
    """It is never played, and who wrote it hears so once."""
    bureau.write("anton", "austria: taxation")
    bureau.write(MODERATOR, f"{end}: we agree", subject="[imp-1]")
    assert bureau.game.status == "finished"
    bureau.tick(HOUR)
    assert played(bureau) == []
    assert not bureau.papers
    mine = [mail for mail in bureau.postman.to(address("anton")) if "unused" in mail.message_id]
    assert len(mine) == 1
    assert "game is over" in mine[0].text


@pytest.mark.parametrize("anonymous", ["until_end", "always"])
def test_an_anonymous_game(desk: Bureau, anonymous: str) -> None:
    """Nobody hears of what waits; who takes it back is nobody's business."""
    bureau = desk
    bureau.open(hold_minutes=5, anonymous=anonymous)
    (who, _, _) = bureau.awaited[0]
    sender = next(name for name in NAMES if bureau.way_back(name) and _sits(bureau, name, who))
    sent = bureau.write(sender, "taxation")
    assert [mail.to for mail in sent] == [address(sender)]
    assert [mail.to for mail in bureau.write(sender, "undo")] == [address(sender)]
    bureau.write(sender, "taxation")
    sent = bureau.tick(MOMENT)
    others = [mail for mail in sent if mail.to != address(sender)]
    assert others
    assert not [mail for mail in others if sender in f"{mail.subject} {mail.text} {mail.html}"]


def _sits(bureau: Bureau, name: str, seat: str) -> bool:
    person = next(member.person for member in bureau.game.members if member.seat == seat)
    return address(name) == person.address
