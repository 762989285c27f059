"""An anonymous league: nobody is told who sits where before a table is over, and the sealed draw is proved then."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from pbem.host.ports import Mail
from pbem.league import acts
from tests.service.bureau import address
from tests.service.season import DAY, SeasonBureau, playing, settings
from tests.service.test_season_leaving import write
from tests.service.test_season_rounds import to_draw, verdict

ANONYMOUS = settings(table={"anonymous": "until_end"})
NAMES = ("Quagga", "Wombat", "Xerus", "Vicuna", "Narwhal", "Lemming", "Jerboa")


def rename(bureau: SeasonBureau, who: str, name: str) -> None:
    with bureau.store.transaction() as repository:
        person = repository.person_at(address(who))
        assert person is not None
        repository.save_person(replace(person, alias=name))


def begun(given: object = ANONYMOUS, people: int = 6) -> tuple[SeasonBureau, list[Mail]]:
    """With all letters since the draw; each is called by a name that stands in no word of ours."""
    bureau = SeasonBureau(given, people=people)  # type: ignore[arg-type]
    for who, name in zip(bureau.people, NAMES, strict=False):
        rename(bureau, who, name)
    bureau.begun()
    return bureau, [mail for mail in bureau.postman.sent if mail.subject]


def others(bureau: SeasonBureau, mail: Mail) -> list[str]:
    """Of whom a letter tells beside its reader, by name or address."""
    told = [*zip(bureau.people, NAMES, strict=False)]
    text = mail.text + (mail.html or "") + mail.subject
    return [name for who, name in told if address(who) != mail.to and (name in text or address(who) in text)]


def test_no_letter_about_a_table_tells_who_the_others_are() -> None:
    bureau, _ = begun()
    mails = bureau.tick(DAY)
    for who in bureau.people:
        own = write(bureau, who, "schedule")
        assert not any(name in own for other, name in zip(bureau.people, NAMES, strict=False) if other != who)
    drawn = [mail for mail in bureau.postman.sent if mail.subject.endswith("Your tables in Euro League")]
    assert len(drawn) == 6
    for mail in (*drawn, *mails):
        assert others(bureau, mail) == [], mail.text
    season = bureau.season
    hidden = season.draws[1].link
    assert all(hidden not in mail.text for mail in bureau.postman.sent)


def test_nobody_is_told_of_the_tables_of_others_till_they_are_over() -> None:
    bureau, _ = begun()
    told = write(bureau, "playera", "schedule Wombat") + write(bureau, "playera", "table T-1")
    assert not any(name in told for name in NAMES[1:])
    bureau.finish_table(1)
    people = bureau.season.tables[1].people
    text = write(bureau, "playera", "table T-1")
    named = {name for who, name in zip(bureau.people, NAMES, strict=False) if bureau.number(who) in people}
    assert all(name in text for name in named)


def test_the_log_that_is_published_keeps_the_drawing_till_its_last_table_is_over() -> None:
    bureau, _ = begun()
    season = bureau.season
    log = b"".join(bureau.server.leagues.published(bureau.tag).log)
    assert season.draws[1].link.encode() not in log
    assert season.draws[1].digest.encode() in log
    assert "sealed: D-1" in verdict(bureau)
    bureau.finish_table(1)
    assert "sealed: D-1" in verdict(bureau)
    bureau.to("deciding")
    assert "unsealed" in bureau.told
    assert season.draws[1].link.encode() in b"".join(bureau.server.leagues.published(bureau.tag).log)
    bureau.to("ended")
    assert verdict(bureau).endswith("all follow from what is published")


def test_pages_of_tables_name_nobody_who_sits_there(tmp_path: Path) -> None:
    bureau, _ = begun()
    bureau.finish_table(1)
    bureau.server.archivist(tmp_path, language="en").build()
    for table in bureau.season.tables.values():
        page = (tmp_path / f"leagues/euro/1/tables/{table.number}/index.html").read_text("utf-8")
        assert any(name in page for name in NAMES) == table.is_over
    whole = (tmp_path / "leagues/euro/1/season.json").read_text("utf-8")
    assert bureau.season.draws[1].link not in whole


def test_a_seat_that_changes_hands_tells_nobody_who_sat_there() -> None:
    bureau, _ = begun()
    bureau.know("zoe@players.test")
    game = bureau.table_game(1)
    leaver = game.members[0]
    bureau.server.app.moderate(game.id, [f"replace {leaver.seat} by zoe@players.test: a new job"])
    bureau.answer_offer("zoe@players.test")
    mails = bureau.tick(DAY)
    assert bureau.told.count("changed_hands") == 1
    assert all(others(bureau, mail) == [] for mail in mails)
    published = bureau.server.leagues.published(bureau.tag)
    assert b'"changed_hands"' not in b"".join(published.log)
    assert bureau.number("zoe@players.test") not in published.names
    bureau.finish_table(1)
    published = bureau.server.leagues.published(bureau.tag)
    assert b'"changed_hands"' in b"".join(published.log)
    assert bureau.number("zoe@players.test") in published.names


def test_a_draw_that_is_made_again_is_sealed_too_and_both_are_told_in_the_end() -> None:
    bureau, _ = begun()
    bureau.server.leagues.organise(bureau.tag, ["redraw D-1: a mistake"])
    bureau.tick()
    assert bureau.told.count("sealed") == 2
    bureau.to("ended")
    assert len([each for each in bureau.acts if isinstance(each.act, acts.Unsealed)]) == 1
    assert verdict(bureau).endswith("all follow from what is published")


def test_rounds_are_unsealed_in_their_order() -> None:
    given = settings(format="rounds", entry={"least": 16}, rounds={"count": 2, "days": 28}, table={"load": 2, "anonymous": "until_end"})  # fmt: skip
    bureau = playing(given, people=16)
    to_draw(bureau, 2)
    bureau.tick()
    for number in bureau.season.draws[2].tables:
        if bureau.season.tables[number].begun is not None:
            bureau.finish_table(number)
    bureau.tick()
    assert "unsealed" not in bureau.told  # its link would lead back to that of the first draw
    bureau.to("ended")
    assert [each.act.number for each in bureau.acts if isinstance(each.act, acts.Unsealed)] == [1, 2]
    assert "follow from what is published" in verdict(bureau)
