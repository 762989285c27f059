"""Games that players start by mail: asked for, confirmed, joined, begun."""

from __future__ import annotations

import pytest

from pbem.bootstrap import Server
from pbem.host.lobby.policy import LobbyPolicy, OpenTo
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Game, Mail
from tests.service.bureau import DAY, HOST, OPERATOR, Bureau, address

ZOE, YAN, XENIA, WALT = "zoe@players.test", "yan@players.test", "xenia@players.test", "walt@players.test"


def office(open_to: OpenTo) -> Bureau:
    made = Bureau()
    host = HostIdentity(domain="pbem.test", operator=OPERATOR)
    made.restart_with(Server(made.store, made.clock, host, made.identity, policy=LobbyPolicy(open_to=open_to)))
    return made


@pytest.fixture
def public() -> Bureau:
    return office("anyone")


def answer_to(bureau: Bureau, mail: Mail, text: str, who: str = "") -> list[Mail]:
    return bureau.write(who or mail.to, text, to=mail.reply_to or "", subject=f"Re: {mail.subject}")


def ask(bureau: Bureau, who: str, text: str) -> list[Mail]:
    """Out of the blue, and confirmed; what is sent then."""
    (check,) = bureau.write(who, text, to=HOST, subject="hello")
    assert check.to == who
    return answer_to(bureau, check, text)


def games(bureau: Bureau) -> list[Game]:
    with bureau.store.transaction() as repository:
        return [*repository.games()]


def test_whoever_may_start_a_game_is_told_how() -> None:
    (told,) = office("anyone").write(ZOE, "Hello, how can I play?", to=HOST, subject="Imperial")
    assert "new game players 4" in " ".join(told.text.split())
    (told,) = office("known").write(ZOE, "Hello, how can I play?", to=HOST, subject="Imperial")
    assert "new game" not in " ".join(told.text.split())


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("Ja, gerne!", "invitation.joined"),
        ("Sì, grazie", "invitation.joined"),
        ("yes please", "invitation.joined"),
        ("no thanks", "invitation.declined"),
        ("No problem, I will join", "invitation.unclear"),
        ("join us", "invitation.unclear"),
    ],
)
def test_an_answer_may_be_polite(said: str, problem: str) -> None:
    made = Bureau()
    made.invite(3)
    made.tick()
    made.write("bert", said, subject="Re: [imp-1] invited")
    assert made.replies("bert")[-1].problem == problem


def test_who_has_not_answered_is_told_before_the_beginning() -> None:
    made = Bureau()
    made.invite(3)
    made.tick()
    made.write("anton", "join", subject="[imp-1]")
    (told,) = made.write("anton", "status", subject="[imp-1]")
    assert "Still to answer: bert and claudia." in " ".join(told.text.split())


@pytest.mark.parametrize("words", ["new game players 2 undo 5", "neue Partie Spieler 2 zurück 5"])
def test_a_moment_to_take_orders_back_is_asked_for_and_told(public: Bureau, words: str) -> None:
    ask(public, ZOE, words)
    assert public.server.games.load(games(public)[0]).terms.hold_minutes == 5
    ask(public, YAN, "join imp-1")
    opening = public.postman.to(YAN)[-1].text
    assert "5 minutes after it came in: until then its writer may take it back with “undo”" in " ".join(opening.split())


def test_a_game_is_made_of_a_template_of_the_house() -> None:
    made = office("anyone")
    slow = made.terms(slot_hours=72, press="public", idle_days="sat, sun")
    policy = LobbyPolicy(open_to="anyone", templates={"slow": slow})
    host = HostIdentity(domain="pbem.test", operator=OPERATOR)
    made.restart_with(Server(made.store, made.clock, host, made.identity, policy=policy))
    ask(made, ZOE, "new game template slow players 3 press all")
    (game,) = games(made)
    terms = made.server.games.load(game).terms
    assert (terms.slot_hours, terms.idle_days, terms.places, terms.press) == (72, "sat, sun", 3, "all")
    (told,) = made.write(ZOE, "neue Partie Vorlage schnell", subject="hallo", to=made.answers(ZOE)[-1].reply_to or "")
    assert "slow" in told.text
    assert len(games(made)) == 1


def test_a_stranger_confirms_before_anything_happens(public: Bureau) -> None:
    words = "new game players 2 hours 48\nSee www.evil.test\nBest, Zoe"
    (check,) = public.write(f"www.evil.test <{ZOE}>", words, to=HOST, subject="www.evil.test")
    assert not any(word in f"{check.subject}{check.text}{check.html}" for word in ("evil", "hours"))
    with public.store.transaction() as repository:
        assert repository.person_at(ZOE) is None
    assert games(public) == []
    (told,) = answer_to(public, check, "new game players 2 hours 48")
    (game,) = games(public)
    assert (game.status, [m.seat for m in game.members]) == ("inviting", ["zoe"])
    assert "join imp-1" in told.text
    (again,) = answer_to(public, check, "new game players 2")
    assert public.replies(ZOE)[-1].problem == "opening.confirm"
    public.clock.advance(8 * DAY)
    answer_to(public, again, "new game players 2")
    assert (len(games(public)), public.replies(ZOE)[-1].problem) == (1, "opening.confirm")


def test_the_last_who_joins_begins_the_game(public: Bureau) -> None:
    ask(public, ZOE, "new game players 3")
    (listing,) = public.write(YAN, "games", to=HOST, subject="hello")
    assert "imp-1: Imperial for 3" in listing.text
    assert "2 seats free" in listing.text
    (told,) = ask(public, YAN, "join imp-1")
    assert "when 1 more has joined" in " ".join(told.text.split())
    assert games(public)[0].status == "inviting"
    sent = ask(public, XENIA, "join imp-1")
    assert games(public)[0].status == "running"
    assert {mail.to for mail in sent} == {ZOE, YAN, XENIA}
    assert ask(public, WALT, "join imp-1")[0].text.startswith("In the game imp-1 no seat is free.")


def test_whoever_started_it_may_invite(public: Bureau) -> None:
    (told,) = ask(public, ZOE, "new game players 2")
    sent = answer_to(public, told, f"invite {YAN}")
    (invitation,) = [mail for mail in sent if mail.to == YAN]
    assert "zoe" in invitation.text
    (full,) = ask(public, XENIA, "join imp-1")
    assert "no seat is free" in full.text
    answer_to(public, invitation, "join")
    assert games(public)[0].status == "running"


def test_whoever_started_it_may_call_it_off(public: Bureau) -> None:
    (told,) = ask(public, ZOE, "new game players 4")
    answer_to(public, told, "cancel the game: no time")
    assert games(public)[0].status == "finished"


def test_only_whoever_started_it_invites(public: Bureau) -> None:
    ask(public, ZOE, "new game players 3")
    (told,) = ask(public, YAN, "join imp-1")
    answer_to(public, told, f"invite {WALT}")
    assert public.postman.to(WALT) == []
    assert len(games(public)[0].members) == 2


def test_a_seat_given_back_is_free_again(public: Bureau) -> None:
    ask(public, ZOE, "new game players 2")
    public.write(ZOE, "decline", to=public.way_back(ZOE))
    assert games(public)[0].status == "finished"
    ask(public, ZOE, "new game players 3")
    (told,) = ask(public, YAN, "join imp-2")
    answer_to(public, told, "decline")
    assert [m.seat for m in games(public)[1].members] == ["zoe"]
    (again,) = answer_to(public, told, "join imp-2")
    assert "You are in the game imp-2" in again.text


def test_a_forged_sender_gets_one_letter_and_nothing_else(public: Bureau) -> None:
    ask(public, ZOE, "new game players 2")
    sent = public.write(ZOE, "new game players 3", to=HOST, subject="another one")
    assert [mail.to for mail in sent] == [ZOE]
    assert len(games(public)) == 1
    (check,) = sent
    answer_to(public, check, "new game players 3", who="thief@elsewhere.test")
    assert len(games(public)) == 1


def test_a_stranger_gets_three_answers_a_day(public: Bureau) -> None:
    for _ in range(5):
        public.write(ZOE, "new game", to=HOST, subject="hello")
    assert len(public.postman.to(ZOE)) == 3
    assert len(public.alarms) == 1
    public.clock.advance(DAY)
    public.write(ZOE, "games", to=HOST, subject="hello")
    assert len(public.postman.to(ZOE)) == 4


def test_three_games_of_one_person_gather_at_most(public: Bureau) -> None:
    (told,) = ask(public, ZOE, "new game")
    for _ in range(2):
        answer_to(public, told, "new game")
    (refused,) = answer_to(public, told, "new game")
    assert "imp-1, imp-2 and imp-3" in refused.text
    assert len(games(public)) == 3


def test_bots_may_hold_the_seats_of_the_silent(public: Bureau) -> None:
    ask(public, ZOE, "new game players 2 option bots=yes")
    (told,) = ask(public, ZOE, "rules")
    assert public.server.games.load(games(public)[0]).terms.bots == "yes"
    assert "a bot (level: fair) answers there until the player writes" in " ".join(told.text.split())


def test_anonymous_games_give_neutral_names(public: Bureau) -> None:
    (told,) = ask(public, ZOE, "new game players 2 anonymous until_end press public")
    assert "zoe" not in [m.seat for m in games(public)[0].members]
    ask(public, YAN, "join imp-1")
    assert games(public)[0].status == "running"
    assert "yan" not in told.text


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("new game players 9 hours 48", "No game can be played with players 9."),
        ("neue Partie Spieler 9", "Mit players 9 kann keine Partie gespielt werden."),
        ("new game players 4 option bots=perhaps", "option bots=perhaps"),
        ("new game players 4 option places=9", "option places=9"),
        ("new game players 4 option flags=x", "No game can be played with option flags=x."),
        ("new game edition fantasy", "No game can be played with edition fantasy."),
        ("new game hours 0", "not 0"),
        ("new game undo soon", "“undo soon”"),
        ("new game press loud", "loud"),
        ("new game colour blue", "“colour blue”"),
        ("new game option first", "“option first”"),
        ("join imp-77", "no game called “imp-77”"),
    ],
)
def test_what_cannot_be_is_told(public: Bureau, written: str, told: str) -> None:
    (first,) = public.write(ZOE, written, to=HOST, subject="hello")
    said = first.text if told in " ".join(first.text.split()) else answer_to(public, first, written)[0].text
    assert told in " ".join(said.split())
    assert games(public) == []


def test_whoever_has_an_address_that_we_can_not_write_to_in_a_game_is_told_so(public: Bureau) -> None:
    ask(public, ZOE, "new game players 3")
    odd = '"yan yan"@players.test'
    public.write(odd, "join imp-1", to=HOST, subject="hello")
    sent = public.postman.to(odd)
    said = [*sent, *(answer_to(public, sent[0], "join imp-1", who=odd) if sent else [])]
    assert "is no e-mail address that I can write to" in " ".join(said[-1].text.split())
    assert not public.alarms


@pytest.mark.parametrize(
    ("written", "told"),
    [("neue Partie Spieler 4", "wartet auf 3 weitere Leute"), ("nuova partita giocatori 4", "aspetta altre 3 persone")],
)
def test_it_is_answered_in_the_language_that_was_written(public: Bureau, written: str, told: str) -> None:
    assert told in " ".join(ask(public, ZOE, written)[0].text.split())


def test_strangers_are_told_when_only_the_known_may() -> None:
    known = office("known")
    (told,) = known.write(ZOE, "new game", to=HOST, subject="hello")
    assert "invited" in told.text
    known.open()
    (told,) = known.write("anton", "new game players 2")
    assert "imp-2" in told.text
    assert [game.status for game in games(known)] == ["running", "inviting"]


def test_nobody_is_nobody() -> None:
    closed = office("nobody")
    closed.open()
    (told,) = closed.write("anton", "new game players 2")
    assert told.to == address("anton")
    assert "operator" in told.text
    assert len(games(closed)) == 1


@pytest.mark.parametrize("words", ["no", "no\nno", "yes", "status", "austria: factory trieste", "away 3 Mar"])
def test_whoever_has_given_their_own_game_up_may_go_on_writing_to_it(public: Bureau, words: str) -> None:
    opened = ask(public, ZOE, "new game players 4")[-1]
    given_up = answer_to(public, opened, "no")[-1]
    assert games(public)[0].status == "finished"
    assert answer_to(public, given_up, words)
    assert public.mailbox.inbox == []
    assert public.postman.to(OPERATOR) == []  # nothing was a fault of ours
