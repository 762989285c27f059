"""What people are told of a season: each letter at its instant, once, and no more of them than they wish."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.host.ports import Conflict, Mail
from pbem.host.season.telling import next_weekly
from pbem.league.calendar import HOUR
from tests.service.bureau import address
from tests.service.season import DAY, PEOPLE, START, SeasonBureau, playing, settings

ANNA, BRUNO, CARLA = PEOPLE[:3]


def about(bureau: SeasonBureau, *words: str) -> list[Mail]:
    """The letters about the season whose subjects hold these words."""
    mails = [mail for mail in bureau.postman.sent if (mail.game or "").startswith("euro") and not mail.answers]
    return [mail for mail in mails if all(word in mail.subject for word in words)]


def answer_to(bureau: SeasonBureau, mail: Mail, text: str) -> list[Mail]:
    return bureau.write(mail.to, text, to=mail.reply_to or "", subject=f"Re: {mail.subject}")


def to_muster() -> SeasonBureau:
    bureau = SeasonBureau()
    bureau.to("entries")
    bureau.enter()
    bureau.to("muster")
    return bureau


def test_everybody_who_entered_is_asked_once_more_and_answers_the_letter() -> None:
    bureau = to_muster()
    asked = about(bureau, "Will you play?")
    assert sorted(mail.to for mail in asked) == sorted(map(address, bureau.people))
    assert all(mail.subject.startswith("[euro-1] ") and mail.reply_to for mail in asked)
    (told,) = answer_to(bureau, asked[0], "Ja, gerne!")
    assert "you play in euro-1" in " ".join(told.text.split())
    assert bureau.told[-1] == "mustered"


def test_who_has_not_answered_hears_so_a_day_before_and_who_has_does_not() -> None:
    bureau = to_muster()
    answer_to(bureau, about(bureau, "Will you play?")[0], "yes")
    said = about(bureau, "Will you play?")[0].to
    bureau.at(START - DAY + 60)
    again = about(bureau, "Once more")
    assert sorted(mail.to for mail in again) == sorted({*map(address, bureau.people)} - {said})


def test_who_is_left_out_and_that_a_season_is_called_off_is_told() -> None:
    bureau = SeasonBureau(people=7)
    bureau.to("entries")
    bureau.enter()
    bureau.to("muster")
    bureau.muster(bureau.people[:6])
    bureau.to("playing")
    (left,) = about(bureau, "You don’t play")
    assert left.to == address(bureau.people[6])
    assert "You have not answered whether you play" in " ".join(left.text.split())
    bureau = to_muster()
    bureau.to("called_off")
    assert len(about(bureau, "called off")) == 6


def test_each_player_is_told_their_own_tables_with_their_positions_and_the_link() -> None:
    bureau = playing()
    drawn = about(bureau, "Your tables")
    assert sorted(mail.to for mail in drawn) == sorted(map(address, bureau.people))
    own = next(mail for mail in drawn if mail.to == address(ANNA))
    assert own.text.count("(you)") == 4
    assert bureau.season.links[-1] in own.text
    assert any("(IMP-" in mail.text for mail in drawn)  # who sits at a table that has begun


def test_a_table_that_ended_is_told_to_who_sat_there_and_to_who_wants_all() -> None:
    bureau = playing()
    aside = next(who for who in bureau.people if bureau.number(who) not in bureau.season.tables[1].people)
    answer_to(bureau, next(mail for mail in about(bureau, "Your tables") if mail.to == address(aside)), "reports all")
    bureau.finish_table(1)
    bureau.tick()
    told = {mail.to for mail in about(bureau, "T-1:")}
    text = " ".join(next(mail.text for mail in about(bureau, "T-1:")).split())
    assert "Your line: place" in text
    assert "with 0.00 points before, now place" in text
    assert text.count(":00 hours") == 4  # that each seat has taken
    assert len(told) == 5
    assert address(aside) in told


@pytest.mark.parametrize(("said", "count"), [("reports mine", 0), ("Berichte alle", 1), ("reports digest 18:00", 1)])
def test_a_week_is_told_once_to_who_wants_it(said: str, count: int) -> None:
    bureau = playing()
    own = next(mail for mail in about(bureau, "Your tables") if mail.to == address(ANNA))
    answer_to(bureau, own, said)
    bureau.finish_table(1)
    bureau.finish_table(2)
    for _ in range(8):
        bureau.tick(DAY)
    rounds = [mail for mail in about(bureau, "what has happened") if mail.to == address(ANNA)]
    assert len(rounds) == count
    others = [mail for mail in about(bureau, "what has happened") if mail.to != address(ANNA)]
    assert len(others) == 5


def test_nothing_is_told_of_a_week_in_which_nothing_happened() -> None:
    bureau = playing()
    for _ in range(15):
        bureau.tick(DAY)
    assert about(bureau, "what has happened") == []


def test_a_table_is_told_twice_that_its_time_ends() -> None:
    bureau = playing()
    for _ in range(57):
        bureau.tick(DAY)
    warned = about(bureau, "ends on")
    assert len({mail.message_id for mail in warned}) == len(warned) == 2 * 2 * 4
    assert {"imp-1 ends on", "imp-2 ends on"} == {" ".join(mail.subject.split()[1:4]) for mail in warned}
    assert "HOW LONG EACH HAS TAKEN" in warned[0].text


@pytest.mark.slow
def test_the_end_is_told_with_place_movement_and_what_comes_next() -> None:
    bureau = playing(settings(divisions={"shape": (1, 1), "up": 2}), people=12)
    bureau.to("ended")
    final = about(bureau, "is over")
    assert len(final) == 12
    assert sum("you move up" in mail.subject for mail in final) == 2
    assert sum("you move down" in mail.subject for mail in final) == 2
    assert all("euro-2" in mail.text for mail in final)
    bureau.tag = "euro-2"
    bureau.to("entries")
    opened = about(bureau, "Entries for")
    assert len(opened) == 12
    assert "you are entered already" in " ".join(opened[0].text.split())


def test_every_letter_goes_out_once_whatever_the_daemon_meets(monkeypatch: Any) -> None:
    """The first try of each act fails after its letters were queued."""
    from pbem.host.leagues import carrying

    real, failed = carrying.tell, set()

    def tell(work: Any, desk: Any, now: int) -> None:
        fresh = tuple(entry.seq for entry in desk.untold)
        real(work, desk, now)
        if fresh and fresh not in failed:
            failed.add(fresh)
            raise Conflict("another daemon was first")

    monkeypatch.setattr(carrying, "tell", tell)
    bureau = SeasonBureau()
    bureau.begun()
    bureau.to("ended")
    ids = [mail.message_id for mail in bureau.postman.sent]
    assert len({*ids}) == len(ids)
    assert len(about(bureau, "Your tables")) == len(about(bureau, "is over")) == 6
    assert all("+" not in mail.message_id for mail in about(bureau))


def test_a_week_ends_at_its_hour_by_the_wall_also_when_clocks_are_changed() -> None:
    bureau = SeasonBureau()
    season = bureau.season
    monday = next_weekly(season, START + HOUR)
    assert (monday - START) % DAY == (20 * HOUR) % DAY  # 8:00, and the season begins at 12:00
    spring = next_weekly(season, START + 27 * DAY)  # 28 March: the clocks are put forward in between
    assert (spring - monday) % DAY == 23 * HOUR or (spring - monday) % DAY == 0
    friday = replace(season, settings=settings(mail={"weekly": "fri 18:30"}))
    assert next_weekly(friday, START) == START + 4 * DAY + 6 * HOUR + 1800


class Linked(SeasonBureau):
    archive_url = "https://club.test/"


@pytest.mark.slow
def test_letters_lead_to_the_pages_that_tell_the_same_for_good(tmp_path: Path) -> None:
    bureau = Linked()
    bureau.begun()
    bureau.to("ended")
    bureau.tick()
    bureau.server.archivist(tmp_path, language="en").build()
    about = [mail for mail in bureau.postman.sent if mail.message_id.startswith("<euro-1.")]
    links = {found for mail in about for found in re.findall(r"https://club\.test/(\S+)", mail.text)}
    assert {"leagues/euro/1/draws/1/", "leagues/euro/1/tables/1/", "leagues/euro/1/1a/"} <= links
    assert all((tmp_path / link / "index.html").is_file() for link in links)
