"""People write about leagues: they ask, enter, answer the muster and leave, in three languages."""

from __future__ import annotations

import pytest

from pbem.host.ports import Mail
from pbem.league import acts
from tests.service.bureau import HOST, address
from tests.service.season import PEOPLE, SeasonBureau, playing, settings

ANNA, BRUNO, CARLA = PEOPLE[:3]
STRANGER = "zoe@elsewhere.test"


def words(mail: Mail) -> str:
    return " ".join(mail.text.split())


def answer_to(bureau: SeasonBureau, mail: Mail, text: str, **more: str) -> list[Mail]:
    return bureau.write(mail.to, text, to=mail.reply_to or HOST, subject=f"Re: {mail.subject}", **more)


def ask(bureau: SeasonBureau, who: str, text: str) -> Mail:
    """Out of the blue."""
    (told,) = bureau.write(who, text, to=HOST, subject="hello")
    return told


def ask_twice(bureau: SeasonBureau, who: str, text: str) -> Mail:
    """Out of the blue, and confirmed."""
    (told,) = answer_to(bureau, ask(bureau, who, text), text)
    return told


@pytest.fixture
def bureau() -> SeasonBureau:
    """Entries of euro-1 are open."""
    made = SeasonBureau()
    made.to("entries")
    return made


# -- what anybody may ask ---


def test_anybody_is_told_which_leagues_there_are(bureau: SeasonBureau) -> None:
    told = words(ask(bureau, STRANGER, "leagues"))
    assert "euro: Euro League; entries are open till" in told
    assert "Ligen" in words(ask(bureau, STRANGER, "Ligen")) or "LEAGUES" in told


@pytest.mark.parametrize("said", ["league euro", "Liga euro", "lega euro", "League EURO.", "league euro-1"])
def test_anybody_is_told_what_a_league_asks_of_them(bureau: SeasonBureau, said: str) -> None:
    told = words(ask(bureau, STRANGER, said))
    assert "Everybody plays 4 games of 4 players in 17 weeks, at most 2 of them at once." in told
    assert bureau.season.founded.commitment in told
    assert "enter euro" in told


def test_an_unknown_league_is_refused_with_those_there_are(bureau: SeasonBureau) -> None:
    assert "I know no league “asia”. There is euro." in words(ask(bureau, STRANGER, "league asia"))


def test_before_the_draw_there_is_no_ranking(bureau: SeasonBureau) -> None:
    assert "No tables are drawn yet" in words(ask(bureau, STRANGER, "ranking euro"))


# -- entry ---


def test_somebody_we_know_enters_with_two_words_and_one_confirmation(bureau: SeasonBureau) -> None:
    check = ask(bureau, ANNA, "enter euro")
    assert bureau.season.people == {}
    (told,) = answer_to(bureau, check, "enter euro")
    assert "You are in euro-1." in words(told)
    assert [*bureau.season.people] == [bureau.number(ANNA)]
    assert bureau.acts[-1].by == f"player {bureau.number(ANNA)}"
    assert "[euro-1]" in told.subject


def test_a_stranger_may_enter_where_the_league_is_open_to_anyone() -> None:
    bureau = SeasonBureau(settings(entry={"open_to": "anyone"}))
    bureau.to("entries")
    assert "Partecipi a euro-1." in words(ask_twice(bureau, STRANGER, "iscrivimi a euro"))
    assert bureau.number(STRANGER) in bureau.season.people


def test_a_stranger_may_not_where_it_is_not(bureau: SeasonBureau) -> None:
    assert "for people who have played here before" in words(ask(bureau, STRANGER, "enter euro"))
    assert bureau.season.people == {}


def test_a_league_for_invited_people_is_entered_by_hand() -> None:
    bureau = SeasonBureau(settings(entry={"open_to": "invited"}))
    bureau.to("entries")
    assert "Whoever leads this league enters its players" in words(ask(bureau, ANNA, "enter euro"))
    bureau.enter([ANNA])
    assert len(bureau.season.people) == 1


def test_a_forged_entry_changes_nothing(bureau: SeasonBureau) -> None:
    ask(bureau, ANNA, "enter euro")
    bureau.write(ANNA, "enter euro", to=HOST, subject="Re: [euro-1] hello")
    assert bureau.season.people == {}


def test_a_letter_twice_is_one_entry(bureau: SeasonBureau) -> None:
    check = ask(bureau, ANNA, "enter euro")
    answer_to(bureau, check, "enter euro", id_="<one@players.test>")
    assert answer_to(bureau, check, "enter euro", id_="<one@players.test>") == []
    assert bureau.told.count("entered") == 1


def test_entry_twice_by_two_addresses_is_one_line(bureau: SeasonBureau) -> None:
    told = ask_twice(bureau, ANNA, "enter euro")
    (again,) = answer_to(bureau, told, "enter euro")
    assert "one entry is enough" in words(again)
    assert bureau.told.count("entered") == 1


def test_an_entry_is_taken_back_and_given_again_by_letters(bureau: SeasonBureau) -> None:
    told = ask_twice(bureau, ANNA, "enter euro luck Banana")
    assert "with the luck word “banana”" in words(told)
    (out,) = answer_to(bureau, told, "withdraw: a new job")
    assert "You are not in euro-1 any more" in words(out)
    (again,) = answer_to(bureau, out, "enter")
    assert "You are in euro-1." in words(again)
    assert bureau.told[-3:] == ["entered", "withdrawn", "entered"]
    assert next(each.act.why for each in bureau.acts if isinstance(each.act, acts.Withdrawn)) == "a new job"


def test_whom_somebody_won_t_sit_with_is_named_as_the_league_calls_them(bureau: SeasonBureau) -> None:
    bureau.enter([BRUNO])
    number = bureau.number(BRUNO)
    told = ask_twice(bureau, ANNA, f"enter euro apart player {number}")
    assert "You are in euro-1." in words(told)
    person = bureau.number(ANNA)
    with bureau.store.transaction() as repository:
        own = repository.entrant("euro-1", person)
    assert own is not None
    assert own.apart == str(number)
    refused = ask_twice(bureau, CARLA, "enter euro apart nobody")
    assert "is called “nobody”" in words(refused)
    assert bureau.number(CARLA) not in bureau.season.people


def test_after_closing_nobody_enters() -> None:
    bureau = playing()
    assert "Entries are closed" in words(ask_twice(bureau, ANNA, "enter euro"))


# -- which league is meant ---


def test_without_a_name_the_only_league_of_the_writer_is_meant(bureau: SeasonBureau) -> None:
    bureau.server.leagues.found(settings(name="asia"))
    assert "Which league do you mean?" in words(ask(bureau, STRANGER, "league"))
    told = ask_twice(bureau, ANNA, "enter euro")
    (rank,) = answer_to(bureau, told, "league")
    assert "You are entered." in words(rank)


def test_a_word_about_leagues_is_none_in_a_letter_about_a_game() -> None:
    bureau = playing()
    game = bureau.table_game(1)
    who = game.members[0].person.address
    (told,) = bureau.write(who, "ranking", subject=f"Re: [{game.id}] your turn")
    assert "group" not in told.text


# -- the muster ---


@pytest.mark.parametrize(
    ("said", "answer", "tag"),
    [
        ("yes", "you play in euro-1", "mustered"),
        ("Ja, gerne!", "you play in euro-1", "mustered"),
        ("no thanks", "You don’t play in euro-1", "mustered"),
        ("nein", "You don’t play", "mustered"),
        ("riposo", "You rest in euro-1", "rested"),
        ("aussetzen", "You rest in euro-1", "rested"),
    ],
)
def test_the_muster_is_answered_in_a_word(bureau: SeasonBureau, said: str, answer: str, tag: str) -> None:
    told = ask_twice(bureau, ANNA, "enter euro")
    bureau.to("muster")
    (mustered,) = [mail for mail in answer_to(bureau, told, said) if mail.answers]
    assert answer in words(mustered)
    assert bureau.told[-1] == tag


def test_before_the_muster_nobody_is_asked(bureau: SeasonBureau) -> None:
    told = ask_twice(bureau, ANNA, "enter euro")
    (early,) = answer_to(bureau, told, "yes")
    assert "a letter will ask you before entries close" in words(early)


def test_what_can_t_be_read_is_answered_with_what_can(bureau: SeasonBureau) -> None:
    told = ask_twice(bureau, ANNA, "enter euro")
    (unclear,) = answer_to(bureau, told, "How are you?")
    assert "you may write “league”, “ranking”" in words(unclear)


# -- a season under way ---


def test_ranking_schedule_and_tables_are_told() -> None:
    bureau = playing()
    bureau.finish_table(1)
    bureau.tick()
    ranking = words(ask(bureau, STRANGER, "ranking euro"))
    assert "EURO-1, GROUP 1A" in ranking
    assert "10.00 points, 1 table; 1 won" in ranking
    table = words(ask(bureau, STRANGER, "table T-1 euro"))
    assert "T-1 (IMP-1): ENDED BY AGREEMENT" in table
    assert "There is no group 9z" in words(ask(bureau, STRANGER, "ranking 9z euro"))
    assert "There is no table T-77" in words(ask(bureau, STRANGER, "Tisch 77 euro"))
    assert words(ask(bureau, STRANGER, "schedule euro")).count("T-") >= 6
    assert address(ANNA) not in ranking


def test_the_schedule_of_somebody_else_is_told() -> None:
    bureau = playing()
    whom = f"player {bureau.number(ANNA)}"
    for line in (f"schedule {whom} euro", f"Terminplan euro {whom}"):
        assert words(ask(bureau, STRANGER, line)).count("T-") == 4
    nobody = words(ask(bureau, STRANGER, "programma zoe"))
    assert "zoe" in nobody
    assert "T-" not in nobody
