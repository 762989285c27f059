"""Deputies by mail: who is asked, what he gets, what of it counts, and what the absent player hears."""

from __future__ import annotations

from pbem.core.seat import Setup
from pbem.host.ports import Mail
from tests.service.bureau import HOST, HOUR, NAMES, Bureau, address
from tests.service.test_moderation import MODERATOR, acts, appoint, check_record
from tests.service.test_petition_letters import answer, letter_of

DORA = "dora@elsewhere.test"


def words(mail: Mail) -> str:
    return " ".join(mail.text.split())


def test_a_fellow_player_answers_for_who_is_away(bureau: Bureau) -> None:
    sent = bureau.write("anton", "away until tomorrow deputy bert")
    assert "bert may write for you meanwhile" in words(bureau.answers("anton")[-1])
    assert "Meanwhile bert may write for anton." in words(letter_of(bureau, "emil", "anton is away"))
    (asked,) = [mail for mail in sent if mail.to == address("bert") and "For anton:" in mail.subject]
    assert "austria" in asked.text.lower()
    assert "what you reply to this letter counts for anton" in words(asked)
    assert "below a line “as anton:”" in words(asked)
    sent = answer(bureau, "bert", asked, "austria: taxation")
    assert bureau.outcomes("bert") == [("played", None)]
    assert bureau.replies("bert")[-1].seat == "anton"
    copy = letter_of(bureau, "anton", "bert wrote for you")
    assert "austria: taxation" in copy.text
    assert "bert wrote for anton:" in words(bureau.postman.to(address("emil"))[-1])
    assert acts(bureau)[-1]["deputy"] == "bert"
    assert "# written by bert" in bureau.server.app.record("imp-1")
    check_record(bureau)


def test_his_reply_is_for_the_seat_of_the_letter_and_his_own_letters_are_for_his_own(bureau: Bureau) -> None:
    bureau.write("anton", "away until tomorrow deputy bert")
    bureau.write("bert", "austria: taxation")
    assert bureau.outcomes("bert")[0][0] == "refused"
    bureau.write("bert", "as anton: austria: taxation\nas claudia: france: taxation")
    assert bureau.outcomes("bert")[0] == ("played", None)
    assert bureau.replies("bert")[-1].problem is None
    asked = [mail for mail in bureau.postman.to(address("bert")) if "For anton" in mail.subject][-1]
    answer(bureau, "bert", asked, "italy: taxation")
    assert bureau.outcomes("bert")[0][0] == "refused"
    bureau.write("bert", "italy: taxation")
    assert bureau.outcomes("bert") == [("played", None)]


def test_in_a_reply_for_the_seat_its_name_may_stand_before_the_orders(bureau: Bureau) -> None:
    bureau.write("anton", "away until tomorrow deputy bert")
    answer(bureau, "bert", letter_of(bureau, "bert", "For anton:"), "as anton: austria: taxation")
    assert bureau.outcomes("bert") == [("played", None)]


def test_the_first_answer_counts(bureau: Bureau) -> None:
    bureau.write("anton", "away until tomorrow deputy bert")
    asked = letter_of(bureau, "bert", "For anton:")
    bureau.write("anton", "austria: taxation")
    answer(bureau, "bert", asked, "austria: investor")
    assert bureau.outcomes("bert")[0][0] == "refused"
    assert bureau.document["nations"]["austria_hungary"]["rondel"] == "taxation"


def test_what_is_the_players_alone_is_refused_with_a_sentence(bureau: Bureau) -> None:
    bureau.write("bert", "petition clarify Fleets")
    bureau.write("anton", "standing peace\naway until tomorrow deputy bert")
    asked = letter_of(bureau, "bert", "For anton:")
    for letter in ("press to all: Hi!", "against P-1", "standing fight\nstanding none", "away none\nzone UTC",
                   "language de\nreports digest\npress", "cancel\nadvance italy: taxation"):  # fmt: skip
        answer(bureau, "bert", asked, letter)
        assert bureau.outcomes("bert") == [("refused", "deputy.not_his")] * len(letter.splitlines()), letter
    answer(bureau, "bert", asked, "give austria 1")
    assert bureau.outcomes("bert") == [("refused", "deputy.not_asked")]
    assert [paper for paper in bureau.papers if paper[0] == "anton"] == [("anton", "standing", "peace")]
    answer(bureau, "bert", asked, "status\nboard\nhelp\nrules\nclock\nhistory")
    assert {outcome for outcome, _ in bureau.outcomes("bert")} == {"shown"}


def test_somebody_else_agrees_first_and_is_told_when_it_is_over(bureau: Bureau) -> None:
    bureau.write("anton", f"away until tomorrow deputy {DORA}")
    assert "has been asked, and writes for you as soon as they agree" in words(bureau.answers("anton")[-1])
    asked = letter_of(bureau, DORA, "Would you write for anton?")
    answer(bureau, DORA, asked, "austria: taxation")
    assert bureau.replies(DORA)[-1].problem == "deputy.not_agreed"
    sent = answer(bureau, DORA, asked, "Gladly!\naccept")
    assert bureau.replies(DORA)[-1].problem == "deputy.accepted"
    assert "agreed to write for anton" in words(letter_of(bureau, "emil", "Somebody writes for anton"))
    assert all(DORA not in mail.text for mail in sent if mail.to != DORA)
    assert all(DORA not in str(entry) for entry in bureau.entries)
    answer(bureau, DORA, bureau.postman.to(DORA)[-1], "austria: taxation")
    assert bureau.outcomes(DORA) == [("played", None)]
    assert "A deputy wrote for anton:" in words(bureau.postman.to(address("emil"))[-1])
    bureau.write("anton", "away none")
    assert "You don’t write for anton any more" in bureau.postman.to(DORA)[-1].subject
    answer(bureau, DORA, asked, "austria: investor")
    assert bureau.replies(DORA)[-1].problem == "deputy.not"
    assert "# written by a deputy" in bureau.server.app.record("imp-1")
    check_record(bureau)


def test_who_chooses_another_language_is_asked_again_though_it_came_with_a_question(bureau: Bureau) -> None:
    bureau.write("anton", "away until tomorrow deputy bert")
    asked = letter_of(bureau, "bert", "For anton:")
    assert "YOU MAY WRITE FOR ANTON" in asked.text
    answer(bureau, "bert", asked, "decline")
    sent = answer(bureau, "bert", asked, "language de")
    (again,) = [mail for mail in sent if not mail.answers]
    assert "Du kannst für anton schreiben" in again.subject


def test_who_is_asked_needs_his_ticket(bureau: Bureau) -> None:
    bureau.write("anton", f"away until tomorrow deputy {DORA}")
    bureau.write(DORA, "accept", to=HOST)
    assert bureau.replies(DORA)[-1].problem == "identity.no_token"
    bureau.write("mallory@evil.test", "accept", to=str(letter_of(bureau, DORA, "write for").reply_to))
    assert [act["type"] for act in acts(bureau)] == ["away"]


def test_the_ticket_for_a_seat_is_not_one_for_ones_own(bureau: Bureau) -> None:
    bureau.write("anton", "away until tomorrow deputy bert")
    asked = letter_of(bureau, "bert", "For anton:")
    own, stead = bureau.ticket("bert"), str(asked.reply_to).partition("+")[2].partition("@")[0]
    assert ".for" in stead
    assert stead.rpartition(".")[2] != own.rpartition(".")[2]
    forged = f"pbem+imp-1.for2.{own.rpartition('.')[2]}@pbem.test"
    bureau.write("bert", "france: taxation", to=forged)
    assert bureau.replies("bert")[-1].problem == "identity.wrong_token"


def test_a_fellow_player_may_decline(bureau: Bureau) -> None:
    bureau.write("anton", "away until tomorrow deputy bert")
    answer(bureau, "bert", letter_of(bureau, "bert", "You may write for anton"), "decline")
    assert bureau.replies("bert")[-1].problem == "deputy.declined"
    assert "bert would rather not" in words(letter_of(bureau, "anton", "Nobody writes for anton"))
    bureau.write("bert", "as anton: austria: taxation")
    assert bureau.replies("bert")[-1].problem == "deputy.not_agreed"


def test_he_is_reminded_while_it_lasts(bureau: Bureau) -> None:
    start = bureau.slot.started or 0
    bureau.write("anton", "away until tomorrow deputy bert")
    reminded = bureau.at(start + 12 * HOUR + 60)
    assert sorted(mail.to for mail in reminded if ".reminder." in mail.message_id) == [
        address("anton"),
        address("bert"),
    ]
    bureau.write("anton", "away none")
    assert [mail.to for mail in bureau.at(start + 18 * HOUR + 60) if ".reminder." in mail.message_id] == [
        address("anton")
    ]


def test_a_newer_absence_names_another(bureau: Bureau) -> None:
    bureau.write("anton", "away until tomorrow deputy bert")
    bureau.write("anton", "away until tomorrow Vertreter claudia")
    bureau.write("bert", "as anton: austria: taxation")
    assert bureau.replies("bert")[-1].problem == "deputy.not"
    bureau.write("claudia", "as anton: austria: taxation")
    assert bureau.outcomes("claudia") == [("played", None)]


def test_a_seat_that_changes_hands_ends_it_on_both_sides(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    bureau.write("anton", "away until tomorrow deputy bert")
    bureau.know(DORA)
    bureau.write(MODERATOR, f"replace bert by {DORA}: he moves house")
    bureau.write(DORA, "as anton: austria: taxation")
    assert bureau.replies(DORA)[-1].problem == "deputy.not"


def test_in_other_games_it_counts_where_he_plays_and_the_answer_says_where_not(bureau: Bureau) -> None:
    others = []
    for names in (NAMES[:3], (NAMES[0], NAMES[2], NAMES[3])):
        made = bureau.server.new_game(bureau.terms(), [f"{name}={address(name)}" for name in names])
        others.append(made.id)
        for name in names:
            bureau.write(name, "join", subject=f"[{made.id}] you are invited")
    bureau.write("anton", "away until tomorrow deputy bert")
    told = words(bureau.answers("anton")[-1])
    assert f"In {others[1]} nobody writes for you" in told
    assert others[0] not in told
    bureau.write("bert", "as anton: status", subject=f"[{others[0]}] x")
    assert bureau.outcomes("bert") == [("shown", None)]


def test_a_moderator_and_an_address_of_a_player(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    bureau.write("anton", f"away until tomorrow deputy {MODERATOR}")
    assert bureau.outcomes("anton") == [("refused", "deputy.presides")]
    bureau.write("anton", f"away until tomorrow deputy {address('bert')}")
    assert acts(bureau)[-1]["deputy"] == "bert"
    bureau.write(MODERATOR, "status")
    assert "bert writes meanwhile" in words(bureau.postman.to(MODERATOR)[-1])


def test_a_preview_of_a_deputy_plays_nothing(bureau: Bureau) -> None:
    bureau.write("anton", "away until tomorrow deputy bert")
    bureau.write("bert", "as anton:\npreview\naustria: taxation")
    assert bureau.outcomes("bert") == [("tried", None)]
    assert [act["type"] for act in acts(bureau)] == ["away"]


def test_an_absence_to_come_asks_when_it_begins_and_every_later_question_at_once(bureau: Bureau) -> None:
    bureau.write("anton", "away from tomorrow to tomorrow deputy bert")
    (away,) = acts(bureau)
    asked = [mail for mail in bureau.postman.to(address("bert")) if "For anton" in mail.subject]
    assert asked == []
    bureau.write("bert", "as anton: austria: taxation")
    assert bureau.replies("bert")[-1].problem == "deputy.early"
    sent = bureau.at(away["start"] + 60)
    assert [mail.to for mail in sent if "For anton:" in mail.subject] == [address("bert")]
    bureau.write("bert", "away until tomorrow deputy claudia")
    sent = bureau.write("bert", "as anton: austria: taxation")
    assert [mail.to for mail in sent if "For bert:" in mail.subject] == [address("claudia")]
    answer(bureau, "claudia", letter_of(bureau, "claudia", "For bert:"), "italy: taxation")
    assert bureau.outcomes("claudia") == [("played", None)]
    bureau.at(away["end"])
    bureau.write("bert", "as anton: status")
    assert bureau.replies("bert")[-1].problem == "deputy.not"


def cash_of(who: str, mail: Mail) -> bool:
    """Does the letter tell how much somebody has?"""
    return "cash secret" not in next(line for line in mail.text.splitlines() if line.startswith(f"- {who}:"))


def test_he_sees_what_the_seat_sees_and_no_more(lots: None) -> None:
    bureau = Bureau()
    bureau.open(setup=Setup(options={"cash": "secret"}))
    bureau.write("anton", "away until tomorrow deputy bert")
    asked = letter_of(bureau, "bert", "For anton:")
    bureau.write("bert", "board")
    own = bureau.answers("bert")[-1]
    bureau.write("bert", "as anton: board")
    stead = bureau.answers("bert")[-1]
    assert [cash_of(who, mail) for mail in (own, stead, asked) for who in ("anton", "bert")] == [
        False, True, True, False, True, False,
    ]  # fmt: skip


def test_in_an_anonymous_game_an_address_is_refused_whoever_has_it(lots: None) -> None:
    bureau = Bureau()
    bureau.open(anonymous="always")
    seats = {member.person.address: member.seat for member in bureau.game.members}
    for each in (address("bert"), DORA):
        bureau.write("anton", f"away until tomorrow deputy {each}")
        assert bureau.outcomes("anton") == [("refused", "deputy.hidden")]
    sent = bureau.write("anton", f"away until tomorrow deputy {seats[address('bert')]}")
    assert bureau.outcomes("anton") == [("set", None)]
    assert not any("anton" in mail.text + mail.subject for mail in sent if mail.to != address("anton"))
    assert not any("bert" in mail.text + mail.subject for mail in sent if mail.to != address("bert"))
