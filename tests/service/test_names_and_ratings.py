"""How leagues call people, and what they are told of ratings, by mail."""

from __future__ import annotations

import pytest

from pbem.host.leagues.tables import absent
from pbem.host.session.absences import away_now
from tests.service.bureau import address
from tests.service.season import DAY, START, SeasonBureau, playing, settings
from tests.service.test_season_leaving import write


@pytest.fixture
def bureau() -> SeasonBureau:
    return playing()


@pytest.mark.parametrize(
    ("alias", "hides", "shows"),
    [
        ("alias Zephyr", "no name", "real name"),
        ("Alias Zephyr", "kein Name", "Klarname"),
        ("alias Zephyr", "nessun nome", "nome vero"),
    ],
)
def test_people_are_called_as_they_wish(bureau: SeasonBureau, alias: str, hides: str, shows: str) -> None:
    number = bureau.number("playera")
    assert "Zephyr" in write(bureau, "playera", alias)
    assert "Zephyr" in write(bureau, "playerb", "ranking")
    assert f"player {number}" in write(bureau, "playera", hides)
    assert "Zephyr" not in write(bureau, "playerb", "ranking")
    write(bureau, "playera", alias)
    write(bureau, "playera", shows)
    with bureau.store.transaction() as repository:
        person = repository.person(number)
    assert person is not None
    assert person.alias is None


@pytest.mark.parametrize("alias", ["17", "player 3", "x@y.test", "z" * 40, "<b>Zoe</b>", "-"])
def test_a_name_can_not_be_anything(bureau: SeasonBureau, alias: str) -> None:
    assert "Nothing was changed" in write(bureau, "playera", f"alias {alias}")


def test_nobody_is_called_as_somebody_else(bureau: SeasonBureau) -> None:
    write(bureau, "playera", "alias Zephyr")
    assert "already" in write(bureau, "playerb", "alias zéphyr")
    assert "Leagues call you Zephyr" in write(bureau, "playera", "alias Zephyr")


def test_a_rating_is_told_with_what_made_it(bureau: SeasonBureau) -> None:
    assert "no rating yet" in write(bureau, "playera", "rating")
    number = bureau.running[0].number
    people = bureau.season.tables[number].people
    bureau.finish_table(number)
    who = next(each for each in bureau.people if bureau.number(each) in people)
    other = next(each for each in bureau.people if bureau.number(each) in people and each != who)
    told = write(bureau, who, "rating")
    assert "after 1 game" in told
    assert bureau.season.tables[number].game in told
    assert f"PLAYER {bureau.number(other)}" in write(bureau, who, f"Wertungszahl player {bureau.number(other)}")
    assert address(who) not in told


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ("language de", "language", "de"),
        ("Zeitzone Rom", "zone", "UTC"),
        ("zone Rome", "zone", "Europe/Rome"),
        ("calendario si", "calendar", True),
        ("Wahlseite nein", "page", False),
    ],
)
def test_what_counts_for_all_letters_is_chosen_here_too(
    bureau: SeasonBureau, words: str, field: str, value: object
) -> None:
    write(bureau, "playera", words)
    number = bureau.number("playera")
    with bureau.store.transaction() as repository:
        assert getattr(repository.person(number), field) == value


@pytest.mark.parametrize(
    "words", ["away 3 Mar 18:00 to 10 Mar", "abwesend 3. März 18:00 bis 10. März", "assente dal 3 al 10 marzo"]
)
def test_who_goes_away_says_so_in_answer_to_any_letter(bureau: SeasonBureau, words: str) -> None:
    who = at_table(bureau)
    told = write(bureau, who, words)
    number = bureau.number(who)
    with bureau.server.games.work() as work:
        away = absent(work, [number], bureau.clock.now() + 4 * DAY)
    assert number in away, told


def test_letters_go_elsewhere_once_the_new_address_has_answered(bureau: SeasonBureau) -> None:
    assert "new@players.test" in write(bureau, "playera", "indirizzo new@players.test")
    assert "new@players.test" in {mail.to for mail in bureau.tick() + bureau.postman.sent}
    assert "nowhere" in write(bureau, "playera", "address nowhere")


@pytest.mark.parametrize(
    ("words", "back"),
    [
        ("away 3 Mar 18:00 to 10 Mar", "away none"),
        ("abwesend 3. März 18:00 bis 10. März", "abwesend keine"),
        ("assente dal 3 al 10 marzo", "assente niente"),
    ],
)
def test_who_plays_nowhere_yet_says_so_too_and_what_begins_knows_of_it(words: str, back: str) -> None:
    bureau = SeasonBureau(settings(table={"load": 4}))
    bureau.to("entries")
    bureau.enter()
    who = bureau.people[0]
    assert "11 Mar 2027" in write(bureau, who, words)
    number = bureau.number(who)
    with bureau.server.games.work() as work:
        assert number in absent(work, [number], START + 4 * DAY)
        assert number not in absent(work, [number], START + 12 * DAY)
    bureau.to("muster")
    bureau.muster()
    bureau.to("playing")
    table = next(each for each in bureau.running if number in each.seated)
    game = bureau.table_game(table.number)
    with bureau.server.games.work() as work:
        seat = next(each.seat for each in game.members if each.person.id == number)
        assert away_now(work.session(game).position.done, seat, START + 4 * DAY) is not None
    write(bureau, who, back)
    with bureau.server.games.work() as work:
        assert absent(work, [number], START + 4 * DAY) == {}


def test_orders_are_no_words_about_a_season(bureau: SeasonBureau) -> None:
    before = len(bureau.table_game(1).members)
    assert "can’t read" in write(bureau, "playera", "italy: taxation")
    assert len(bureau.table_game(1).members) == before


def test_who_is_away_for_long_is_told_once_what_may_be_done(bureau: SeasonBureau) -> None:
    who = at_table(bureau)
    for words in ("away 3 Mar to 10 Mar", "away 12 Mar to 10 Apr", "away 12 Mar to 12 Apr"):
        write(bureau, who, words)
    bureau.tick()
    sent = [mail for mail in bureau.postman.sent if "withdraw from euro" in " ".join(mail.text.split())]
    assert [mail.to for mail in sent] == [address(who)]


def at_table(bureau: SeasonBureau) -> str:
    """Somebody whose first table has begun."""
    return next(who for who in bureau.people if bureau.season.running(bureau.number(who)))
