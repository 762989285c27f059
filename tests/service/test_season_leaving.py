"""Somebody leaves a season that is under way, by their own word, by silence or because they are told to."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.host.session.petitions import petitions
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.league.acts import ChangedHands, Withdrawn
from pbem.league.figures import group_standings
from pbem.league.log import CLOCK
from tests.service.bureau import address
from tests.service.season import DAY, SeasonBureau, playing, settings
from tests.service.test_organisers import OUTSIDE, do, led_by

WORDS = (("withdraw from euro: a new job", "confirm"), ("abmelden von euro: Umzug", "bestätige"), ("mi ritiro da euro: altro", "confermo"))  # fmt: skip


@pytest.fixture
def bureau() -> SeasonBureau:
    return playing(led_by(OUTSIDE))


def write(bureau: SeasonBureau, who: str, text: str) -> str:
    """The answer to words about the season."""
    sent = bureau.write(who, text, subject=f"Re: [{bureau.tag}]")
    return " ".join(next(mail.text for mail in sent if mail.answers).split())


def line(bureau: SeasonBureau, who: str) -> int:
    """The points of somebody's line, in hundredths."""
    return next(row.points for row in group_standings(bureau.season, "1a") if row.line == bureau.number(who))


@pytest.mark.parametrize(("leave", "confirm"), WORDS)
def test_who_leaves_is_told_what_it_costs_and_confirms(bureau: SeasonBureau, leave: str, confirm: str) -> None:
    person = bureau.number("playera")
    running = len(bureau.season.running(person))
    assert str(2 * running) in write(bureau, "playera", leave)
    assert bureau.season.people[person].gone == ""
    write(bureau, "playera", f"{confirm}: a new job")
    assert bureau.season.people[person].gone == "withdrawn"
    assert bureau.season.people[person].left == running
    assert line(bureau, "playera") == -200 * running
    assert not any(person in table.seated for table in bureau.season.tables.values())
    assert do(bureau, f"excuse player {person}: it was a job") == [("done", None)]
    assert line(bureau, "playera") == 0


def test_nothing_is_confirmed_that_was_not_asked_or_long_ago(bureau: SeasonBureau) -> None:
    assert "nothing to confirm" in write(bureau, "playera", "confirm")
    write(bureau, "playera", "withdraw from euro: tired")
    bureau.clock.advance(8 * DAY)
    assert "nothing to confirm" in write(bureau, "playera", "confirm")
    assert bureau.told.count("withdrawn") == 0


def test_tables_that_have_not_begun_wait_for_somebody_and_are_void_without(bureau: SeasonBureau) -> None:
    person = bureau.number("playera")
    assert do(bureau, "expel playera: two names") == [("done", None)]
    lacking = [each.number for each in bureau.season.tables.values() if each.vacated is not None]
    assert lacking
    assert not any(bureau.season.tables[number].is_whole for number in lacking)
    bureau.know(address("zara"))
    first, others = lacking[0], lacking[1:]
    rival = next(each for each in bureau.people if bureau.number(each) not in bureau.season.tables[first].seated)
    assert do(bureau, f"replace playera in T-{first} by {rival}: so") == [("refused", "league.rival")]
    assert do(bureau, f"replace playera in T-{first} by zara@players.test: so") == [("done", None)]
    assert bureau.season.tables[first].holders[person] == bureau.number("zara")
    bureau.tick(6 * DAY)
    tables = bureau.season.tables
    assert all(tables[number].noted is not None and tables[number].noted.void for number in others)  # type: ignore[union-attr]
    bureau.to_begin(first)
    assert "zara" in {member.seat for member in bureau.table_game(first).members}


def test_the_seats_of_who_is_expelled_are_free_and_the_group_is_told(bureau: SeasonBureau) -> None:
    running = [each.number for each in bureau.season.running(bureau.number("playera"))]
    do(bureau, "expel playera: two names")
    bureau.tick()
    for number in running:
        seats = {member.seat for member in bureau.table_game(number).members}
        assert "playera" not in seats
    told = [mail.to for mail in bureau.postman.sent if ".ruling." in mail.message_id and "is free" in mail.text]
    assert {address(who) for who in bureau.people[1:]} <= {*told}


def test_the_others_of_the_season_are_asked_first_the_nearest_in_strength() -> None:
    bureau = playing(settings(divisions={"shape": (2,)}, table={"load": 9}), people=12)
    table = bureau.running[0]
    group = {*bureau.season.groups[table.drawn.group]} if table.drawn else set()
    bureau.know(address("zara"))
    bureau.server.people.wait(address("zara"))
    bureau.server.app.moderate(table.game, [f"eject {bureau.table_game(table.number).members[0].seat}: gone"])
    bureau.tick()
    asked = [mail.to for mail in bureau.postman.sent if ".offer." in mail.message_id]
    (offer, *_) = [mail for mail in bureau.postman.sent if ".offer." in mail.message_id]
    assert offer.subject.endswith(f"A seat in Euro League, table T-{table.number}")
    assert "You can lose nothing by it" in " ".join(offer.text.split())
    assert "you play in the same league" in " ".join(offer.text.split())
    others = {address(who) for who in bureau.people if bureau.number(who) not in group}
    assert {*asked} == {*others, address("zara")}
    assert asked[-1] == address("zara")


@pytest.mark.parametrize(
    ("on", "off"),
    [
        ("waiting list euro", "leave the waiting list euro"),
        ("Warteliste euro 3", "Warteliste euro verlassen"),
        ("lista d'attesa euro 1", "lascia la lista d'attesa euro"),
    ],
)
def test_only_those_who_wait_for_this_league_are_asked_where_it_says_so(on: str, off: str) -> None:
    bureau = playing(settings(divisions={"shape": (2,)}, reserves={"source": "list"}), people=12)
    bureau.know(address("zara"), address("zeno"), address("zita"))
    bureau.server.people.wait(address("zita"))
    for who in ("zara", "zeno"):
        write(bureau, who, on)
    write(bureau, "zeno", off)
    table = bureau.running[0]
    bureau.server.app.moderate(table.game, [f"eject {bureau.table_game(table.number).members[0].seat}: gone"])
    bureau.tick()
    asked = [mail.to for mail in bureau.postman.sent if ".offer." in mail.message_id]
    assert asked == [address("zara")]
    write(bureau, "zeno", on)
    bureau.tick()
    asked = [mail.to for mail in bureau.postman.sent if ".offer." in mail.message_id]
    assert asked == [address("zara"), address("zeno")]


def test_nobody_gets_more_offers_at_once_than_they_want() -> None:
    bureau = playing(settings(reserves={"source": "list"}))
    bureau.know(address("zara"))
    write(bureau, "zara", "waiting list euro 1")
    for table in bureau.running[:2]:
        bureau.server.app.moderate(table.game, [f"eject {bureau.table_game(table.number).members[0].seat}: gone"])
    bureau.tick()
    assert len([mail.to for mail in bureau.postman.sent if ".offer." in mail.message_id]) == 1


def test_who_is_silent_at_too_many_tables_is_out_and_told_how_to_be_heard(bureau: SeasonBureau) -> None:
    silent = bureau.number("playera")
    bureau.know(address("zara"))
    first, second, *_ = (each.number for each in bureau.season.tables.values() if silent in each.people)
    lost(bureau, first)
    bureau.tick()
    assert bureau.season.people[silent].gone == ""  # one seat alone is not enough
    lost(bureau, second)
    bureau.tick()
    assert bureau.season.people[silent].gone == "expelled"
    assert not any(silent in table.seated for table in bureau.season.tables.values() if not table.is_over)
    bureau.tick(DAY)
    assert bureau.told.count("expelled") == 1
    (out,) = [mail for mail in bureau.postman.sent if mail.to == address("playera") and ".out." in mail.message_id]
    assert "object T-1" in out.text


def lost(bureau: SeasonBureau, number: int) -> None:
    """The others have replaced playera there, since the host asked for it."""
    person, comes = bureau.number("playera"), bureau.number("zara")
    act = ChangedHands(table=number, seat=person, leaves=person, comes=comes, silent=True)

    def do(work: UnitOfWork) -> None:
        work.season(bureau.tag).enter(bureau.clock.now(), CLOCK, act)

    bureau.server.games.do(do)


def test_who_is_replaced_since_they_were_silent_is_noted_so() -> None:
    bureau = SeasonBureau(settings(options={"slot_hours": 24}))  # the first silence at a table is enough
    bureau.know(address("zara"))
    bureau.begun()
    bureau.server.people.wait(address("zara"))
    game = bureau.table_game(1)
    bureau.tick(2 * DAY)
    bureau.tick(2 * DAY)
    with bureau.server.games.work() as work:
        asked = next(each for each in petitions(work.session(game).position.done) if each.asked.by == "clock")
    for member in bureau.table_game(1).members:
        if member.seat != asked.asked.seat:
            bureau.write(member.seat, f"for {asked.name}", subject=f"[{game.id}]")
    bureau.tick()
    offer = next(mail for mail in bureau.postman.sent if mail.to == address("zara") and ".offer." in mail.message_id)
    bureau.write("zara", "accept", subject=f"Re: {offer.subject}", to=offer.reply_to or "")
    left = bureau.season.tables[1].left[-1]
    assert (left.comes, left.silent, left.leave) == (bureau.number("zara"), True, False)


def test_costs_are_told_before_anything_is_lost(bureau: SeasonBureau) -> None:
    before = [each for each in bureau.acts if isinstance(each.act, Withdrawn | ChangedHands)]
    write(bureau, "playerb", "withdraw from euro: tired")
    assert [each for each in bureau.acts if isinstance(each.act, Withdrawn | ChangedHands)] == before


def offered(bureau: SeasonBureau) -> list[str]:
    return [mail.to for mail in bureau.postman.sent if ".offer." in mail.message_id]


def test_when_nobody_takes_the_seat_the_next_are_asked_and_then_whoever_leads_hears() -> None:
    bureau = playing(replace(settings(reserves={"hours": 24}), organisers=("zoe@players.test",)))
    waiting = [address(f"reserve{number}") for number in range(12)]
    bureau.know(*waiting)
    for each in waiting:
        bureau.server.people.wait(each)
    table = bureau.running[0]
    bureau.server.app.moderate(table.game, [f"eject {bureau.table_game(table.number).members[0].seat}: gone"])
    bureau.tick()
    assert len(offered(bureau)) == 10
    bureau.tick(25 * 3600)
    assert sorted(offered(bureau)) == sorted(waiting)
    bureau.tick(25 * 3600)
    (search,) = bureau.season.tables[table.number].searches.values()
    assert (search.asked, search.over) == (12, True)
    for _ in range(4):
        bureau.tick(DAY)
    told = [mail.text for mail in bureau.postman.sent if mail.to == "zoe@players.test" and "to decide" in mail.subject]
    assert any("12 others were asked" in " ".join(text.split()) for text in told)


def test_who_takes_the_seat_ends_the_search() -> None:
    bureau = playing()
    bureau.know(address("zara"))
    bureau.server.people.wait(address("zara"))
    table = bureau.running[0]
    bureau.server.app.moderate(table.game, [f"eject {bureau.table_game(table.number).members[0].seat}: gone"])
    bureau.answer_offer("zara")
    (search,) = bureau.season.tables[table.number].searches.values()
    assert search.filled
    group = {address(who) for who in bureau.people}
    told = {mail.to for mail in bureau.tick() + bureau.postman.sent if ".ruling." in mail.message_id}
    assert group <= told  # that somebody else sits there now
