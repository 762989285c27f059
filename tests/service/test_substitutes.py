"""Substitutes by mail: who is asked, who accepts, and what he gets when he sits down."""

from __future__ import annotations

from pbem.language.answers import SEAT
from tests.service.bureau import DAY, HOST, HOUR, NAMES, Bureau, address, prefix
from tests.service.test_moderation import MODERATOR, acts, appoint, check_record
from tests.service.test_petition_letters import answer, kinds, letter_of, tells

NEW, OLD = "nina@players.test", "otto@players.test"


def wait(bureau: Bureau, who: str) -> None:
    """Get onto the waiting list, which takes a letter and an answer to ours."""
    bureau.write(who, "waiting list", subject="hello")
    answer(bureau, who, bureau.postman.to(who)[-1], "waiting list")
    assert "You are on the waiting list" in " ".join(bureau.postman.to(who)[-1].text.split())


def waiting(bureau: Bureau) -> list[str]:
    with bureau.store.transaction() as repository:
        return [person.address for person in repository.waiting()]


def vote(bureau: Bureau, *who: str, name: str = "P-1") -> None:
    for each in who:
        bureau.write(each, f"for {name}")


def seat(bureau: Bureau, who: str) -> str:
    return next(member.person.address for member in bureau.game.members if member.seat == who)


def test_those_who_wait_are_asked_and_the_first_to_accept_sits_down_when_it_passes(bureau: Bureau) -> None:
    with bureau.store.transaction() as repository:
        for each in (NEW, OLD):
            person = repository.add_person(each.partition("@")[0], each, 0)
            repository.wait(person.id, 0)
    posted = bureau.clock.now()
    sent = bureau.write("claudia", "petition replace bert: he is silent")
    assert sorted({*prefix(sent)}) == sorted([*NAMES, "nina", "otto"])
    offer = letter_of(bureau, NEW, "take over the seat of bert")
    assert "accept P-1" in offer.text
    assert "first to accept" in " ".join(letter_of(bureau, "emil", "P-1").text.split())
    answer(bureau, NEW, offer, "Gladly.\naccept")
    assert bureau.replies(NEW)[-1].problem == "accept.accepted"
    assert bureau.postman.to(NEW)[-1].subject == f"Re: {offer.subject}"
    answer(bureau, OLD, letter_of(bureau, OLD, "bert"), "accept P-1")
    assert bureau.replies(OLD)[-1].problem == "accept.taken"
    assert seat(bureau, "bert") == address("bert")
    bureau.clock.advance(HOUR)
    bureau.write("anton", "for P-1\naustria: taxation")
    bureau.write("bert", "draft\nitaly: taxation")
    bureau.clock.advance(22 * HOUR)
    vote(bureau, "daniel", "emil")
    assert seat(bureau, "bert") == address("bert")
    sent = bureau.at(posted + DAY + 2)
    assert seat(bureau, "bert") == NEW
    assert kinds(bureau) == [
        *("petitioned", "offered", "accepted", "voted", "deemed", "voted", "voted", "decided", "seated")
    ]
    assert waiting(bureau) == [OLD]
    letters = [mail for mail in sent if mail.to == NEW]
    assert [bool(mail.attachments) for mail in letters] == [True]
    assert bureau.slot.started == bureau.clock.now()
    former = [mail for mail in sent if mail.to == address("bert")]
    assert any("Somebody else plays bert" in mail.subject for mail in former)
    assert bureau.papers == [("bert", "draft", "italy: taxation")]
    bureau.write("bert", "play")
    assert bureau.replies("bert")[-1].problem == "letter.stranger"
    answer(bureau, NEW, letters[0], "play")
    assert bureau.outcomes(NEW) == [("played", None)]
    check_record(bureau)


def test_who_is_named_is_asked_alone_and_his_address_is_nowhere_published(bureau: Bureau) -> None:
    with bureau.store.transaction() as repository:
        repository.wait(repository.add_person("Otto", OLD, 0).id, 0)
    sent = bureau.write("anton", f"petition replace bert by {NEW}: he moves house")
    assert bureau.postman.to(OLD) == []
    assert all(NEW not in mail.text for mail in sent if mail.to not in (NEW, address("anton")))
    assert all(NEW not in str(entry) for entry in bureau.entries)
    answer(bureau, NEW, letter_of(bureau, NEW, "bert"), "accept")
    vote(bureau, "claudia", "daniel", "emil")
    bureau.tick(DAY + 60)
    assert seat(bureau, "bert") == NEW


def test_an_offer_is_answered_with_its_token_only(bureau: Bureau) -> None:
    bureau.write("anton", f"petition replace bert by {NEW}")
    bureau.write(NEW, "accept", to=HOST)
    assert bureau.replies(NEW)[-1].problem == "identity.no_token"
    bureau.write("mallory@evil.test", "accept", to=str(letter_of(bureau, NEW, "bert").reply_to))
    assert kinds(bureau) == ["petitioned", "offered"]


def test_a_seat_that_nobody_took_is_offered_to_the_next_who_waits(bureau: Bureau) -> None:
    bureau.write("anton", "petition replace bert")
    vote(bureau, "claudia", "daniel", "emil")
    bureau.tick(DAY + 60)
    assert "Nobody has accepted so far" in " ".join(letter_of(bureau, "emil", "P-1 has passed").text.split())
    with bureau.store.transaction() as repository:
        repository.add_person("Nina", NEW, 0)
    wait(bureau, NEW)
    answer(bureau, NEW, letter_of(bureau, NEW, "bert"), "accept")
    assert bureau.replies(NEW)[-1].problem == "accept.seated"
    assert seat(bureau, "bert") == NEW


def test_who_accepted_hears_when_the_players_decide_otherwise(bureau: Bureau) -> None:
    bureau.write("anton", f"petition replace bert by {NEW}")
    answer(bureau, NEW, letter_of(bureau, NEW, "bert"), "accept")
    for each in ("bert", "claudia", "daniel"):
        bureau.write(each, "against P-1")
    bureau.tick(DAY + 60)
    assert "bert needs no substitute" in bureau.postman.to(NEW)[-1].subject
    answer(bureau, NEW, letter_of(bureau, NEW, "take over"), "accept")
    assert bureau.replies(NEW)[-1].problem == "petition.over"


def test_the_host_asks_for_a_substitute_of_one_who_is_silent_until_he_writes(bureau: Bureau) -> None:
    with bureau.store.transaction() as repository:
        repository.wait(repository.add_person("Otto", OLD, 0).id, 0)
    for _ in range(2):
        bureau.tick(DAY + HOUR)
        for who, nation in zip(NAMES[1:], ("italy", "france", "great britain", "germany", "russia"), strict=True):
            bureau.write(who, f"{nation}: investor")
            for each in NAMES:
                bureau.write(each, "invest none")
    assert "petitioned" in kinds(bureau)
    text = " ".join(letter_of(bureau, "emil", "P-1: a substitute for anton").text.split())
    assert "several times in a row" in text
    assert letter_of(bureau, OLD, "anton")
    bureau.write("anton", "status")
    assert kinds(bureau)[-1] == "withdrawn"


def test_a_list_of_those_who_wait_is_left_again(bureau: Bureau) -> None:
    with bureau.store.transaction() as repository:
        repository.add_person("Nina", NEW, 0)
    wait(bureau, NEW)
    assert waiting(bureau) == [NEW]
    answer(bureau, NEW, bureau.postman.to(NEW)[-1], "Leave the waiting list.")
    assert bureau.replies(NEW)[-1].problem == "waiting.off"
    assert waiting(bureau) == []


def test_a_substitute_who_changes_his_mind_leaves_the_seat_to_others(bureau: Bureau) -> None:
    with bureau.store.transaction() as repository:
        for each in (NEW, OLD):
            repository.wait(repository.add_person("", each, 0).id, 0)
    bureau.write("anton", "petition replace bert")
    answer(bureau, NEW, letter_of(bureau, NEW, "bert"), "accept")
    answer(bureau, NEW, letter_of(bureau, NEW, "bert"), "decline")
    assert bureau.replies(NEW)[-1].problem == "accept.declined"
    answer(bureau, OLD, letter_of(bureau, OLD, "bert"), "accept")
    assert [act["yes"] for act in acts(bureau) if act["type"] == "accepted"] == [True, False, True]


def test_a_turn_that_decides_a_petition_goes_on_with_the_clock_of_the_next(bureau: Bureau) -> None:
    bureau.write("claudia", f"petition replace bert by {NEW}")
    answer(bureau, NEW, letter_of(bureau, NEW, "bert"), "accept")
    vote(bureau, "daniel", "emil", "anton")
    bureau.write("anton", "austria: taxation")
    assert seat(bureau, "bert") == address("bert")
    bureau.clock.advance(HOUR)
    bureau.write("bert", "against P-1\nitaly: taxation")
    assert seat(bureau, "bert") == NEW
    assert (bureau.slot.seat, bureau.slot.started) == ("claudia", bureau.clock.now())
    assert "France" in bureau.postman.to(address("claudia"))[-1].subject


def test_a_turn_that_brings_the_substitute_to_the_move_tells_him_all_in_one_letter(bureau: Bureau) -> None:
    bureau.write("claudia", f"petition replace bert by {NEW}")
    posted = bureau.clock.now()
    answer(bureau, NEW, letter_of(bureau, NEW, "bert"), "accept")
    vote(bureau, "daniel", "emil", "anton")
    bureau.clock.set(posted + DAY)
    bureau.drop("anton", "austria: taxation", arrived=posted + DAY)
    sent = bureau.tick()
    (letter,) = (mail for mail in sent if mail.to == NEW)
    assert letter.attachments
    assert "Taxation" in letter.text
    assert (bureau.slot.seat, bureau.slot.started) == ("bert", bureau.clock.now())
    answer(bureau, NEW, letter, "italy: taxation")
    assert bureau.outcomes(NEW) == [("played", None)]


def test_who_accepted_hears_when_the_petition_is_not_in_order(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    bureau.write("anton", f"petition replace bert by {NEW}")
    answer(bureau, NEW, letter_of(bureau, NEW, "bert"), "accept")
    bureau.write(MODERATOR, "reject P-1: he is only ill")
    assert "bert needs no substitute" in bureau.postman.to(NEW)[-1].subject


def test_nobody_takes_a_seat_in_a_game_that_is_over(bureau: Bureau) -> None:
    bureau.write("anton", f"petition replace bert by {NEW}")
    bureau.finish()
    assert bureau.game.status == "finished"
    answer(bureau, NEW, letter_of(bureau, NEW, "take over"), "accept")
    assert bureau.replies(NEW)[-1].problem == "game.over"
    assert kinds(bureau)[:2] == ["petitioned", "offered"]
    assert "accepted" not in kinds(bureau)


def gather(bureau: Bureau) -> None:
    """Start a game by mail, imp-2, which takes a letter and an answer to ours."""
    bureau.write("anton", "new game players 3", to=HOST, subject="another one")
    answer(bureau, "anton", bureau.postman.to(address("anton"))[-1], "new game players 3")


def test_those_who_wait_hear_of_a_game_that_gathers_and_join_it(bureau: Bureau) -> None:
    with bureau.store.transaction() as repository:
        repository.wait(repository.add_person("Otto", OLD, 0, language="de").id, 0)
    gather(bureau)
    call = letter_of(bureau, OLD, "sind Plätze frei")
    assert "mitspielen imp-2" in call.text
    answer(bureau, OLD, call, "mitspielen imp-2")
    with bureau.store.transaction() as repository:
        assert [member.person.address for member in repository.game("imp-2").members] == [address("anton"), OLD]
    assert waiting(bureau) == []


def test_who_gets_on_the_list_hears_which_games_gather(bureau: Bureau) -> None:
    with bureau.store.transaction() as repository:
        repository.add_person("Nina", NEW, 0)
    gather(bureau)
    wait(bureau, NEW)
    assert "imp-2: Imperial for 3" in " ".join(bureau.postman.to(NEW)[-1].text.split())


# -- a moderator ---


def test_the_players_remove_a_moderator_who_can_do_nothing_about_it(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    sent = bureau.write("anton", "petition remove moderator zoe: no answers")
    letter = next(mail for mail in sent if mail.to == MODERATOR)
    assert "P-1: to remove the moderator Zoe" in letter.subject
    text = " ".join(letter.text.split())
    assert "more than half of all 6 votes" in text
    assert "stays open until 24 hours that count have passed, however the votes stand" in text
    bureau.write(MODERATOR, "reject P-1: no")
    assert bureau.outcomes(MODERATOR) == [("refused", "petition.about_you")]
    vote(bureau, "bert", "claudia", "daniel")
    assert kinds(bureau)[-1] == "voted"
    sent = bureau.tick(DAY + 60)
    assert bureau.game.moderators == ()
    told = {mail.to for mail in sent if tells(mail, "Zoe does not moderate any more")}
    assert told == {MODERATOR, *map(address, NAMES)}
    assert ["is yours to lead" in " ".join(mail.text.split()) for mail in bureau.alarms] == [True]
    bureau.write(MODERATOR, "pause: a storm")
    assert bureau.replies(MODERATOR)[-1].problem == "letter.stranger"
    check_record(bureau)


def test_who_hands_the_game_over_need_not_be_removed(bureau: Bureau) -> None:
    appoint(bureau, MODERATOR)
    bureau.write("anton", "petition remove moderator")
    bureau.write(MODERATOR, "hand over to bert: I have no time")
    assert kinds(bureau)[-1] == "withdrawn"
    bureau.write("anton", "petition remove moderator zoe")
    assert bureau.outcomes("anton") == [("refused", "petition.no_moderator")]


def test_acceptance_is_read_as_people_write_it() -> None:
    for words in (
        *(
            "I accept!",
            "accept",
            "I accept P-3.",
            "Ich nehme an!",
            "Io accetto",
            "yes",
            "I’d love to!",
            "Yes, I'd love to.",
        ),
        *("Ja, gerne", "Sehr gern!", "accetto volentieri", "Sì, volentieri!", "Yes please, thank you!", "Accept P 3"),
    ):
        said = SEAT.answer([words])
        assert said is not None, words
        assert said.yes
    for words in ("I decline.", "No thanks", "Nein, danke", "No grazie!", "Leider nicht", "Sorry, I can’t."):
        refused = SEAT.answer([words])
        assert refused is not None, words
        assert not refused.yes, words
    for words in (
        "Yes, but not now",
        "yes and no",
        "thanks",
        "I'd love to, if I could",
        "no problem at all",
        "P-3",
        "yes?",
        "> accept P-1",
    ):
        assert SEAT.answer([words]) is None, words


def test_who_is_asked_and_says_neither_is_told_how_to(bureau: Bureau) -> None:
    bureau.write("anton", f"petition replace bert by {NEW}")
    offer = letter_of(bureau, NEW, "bert")
    quoted = "\n".join(f"> {line}" for line in offer.text.splitlines())
    answer(bureau, NEW, offer, f"When would that begin?\n\nOn Monday pbem@pbem.test wrote:\n{quoted}")
    assert bureau.replies(NEW)[-1].problem == "accept.unclear"
    answer(bureau, NEW, offer, f"I'd love to!\n\nOn Monday pbem@pbem.test wrote:\n{quoted}")
    assert bureau.replies(NEW)[-1].problem == "accept.accepted"


def test_a_deputy_and_an_invited_player_answer_in_their_own_words(bureau: Bureau) -> None:
    bureau.write("anton", f"away until tomorrow deputy {NEW}")
    answer(bureau, NEW, letter_of(bureau, NEW, "anton"), "Accetto volentieri!")
    assert bureau.replies(NEW)[-1].problem == "deputy.accepted"
    other = Bureau()
    other.invite(2)
    other.write("anton", "Ja, sehr gerne!")
    other.write("bert", "I'd love to!")
    assert other.game.status == "running"
