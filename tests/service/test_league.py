"""How a game begins: invitations, yes and no, lots that anybody can draw again."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from pbem.core.chance import Lots, commitment
from pbem.core.seat import Seat, Setup
from pbem.host.lobby.gathering import seating
from pbem.host.lobby.invitees import seat_name
from pbem.host.ports import Game
from pbem.host.session.terms import Terms
from tests.service.bureau import DAY, NAMES, Bureau, address, prefix

INVITED = "Re: [imp-1] you are invited"


@pytest.fixture
def empty() -> Bureau:
    """A server without games, and with true lots."""
    return Bureau()


def statuses(bureau: Bureau) -> dict[str, bool]:
    return {member.seat: member.joined is not None for member in bureau.game.members}


def answer(bureau: Bureau, who: str, words: str) -> str | None:
    bureau.write(who, words, subject=INVITED)
    return bureau.replies(who)[-1].problem


# -- invitations ---


def test_everybody_is_invited_once_and_no_clock_runs(empty: Bureau) -> None:
    empty.invite(3)
    assert sorted(prefix(empty.tick())) == ["anton", "bert", "claudia"]
    assert empty.tick(2 * DAY) == []
    assert empty.tick(30 * DAY) != []
    assert empty.tick(30 * DAY) == []
    assert empty.game.status == "inviting"


def test_the_invitation_carries_the_tag_the_fellows_and_the_commitment(empty: Bureau) -> None:
    game = empty.invite(3)
    letter = next(mail for mail in empty.tick() if mail.to == address("anton"))
    assert letter.subject.startswith("[imp-1] ")
    assert "bert" in letter.text
    assert "claudia" in letter.text
    assert commitment(game.secret) in re.sub(r"\s", "", letter.text)
    assert game.secret not in re.sub(r"\s", "", letter.text)


@pytest.mark.parametrize("word", ["join", "JOIN.", "yes!", "ja", "sì", "si", " Join "])
def test_yes_is_understood_in_every_language(empty: Bureau, word: str) -> None:
    empty.invite(2)
    assert answer(empty, "anton", word) == "invitation.joined"
    assert statuses(empty) == {"anton": True, "bert": False}


@pytest.mark.parametrize("word", ["decline", "no", "Nein!"])
def test_no_is_understood_in_every_language(empty: Bureau, word: str) -> None:
    empty.invite(2)
    assert answer(empty, "anton", word) == "invitation.declined"
    assert statuses(empty) == {"anton": False, "bert": False}


@pytest.mark.parametrize("words", ["perhaps", "I will join you next week", "", "> join"])
def test_neither_yes_nor_no_is_asked_back(empty: Bureau, words: str) -> None:
    empty.invite(2)
    assert answer(empty, "anton", words) == "invitation.unclear"
    assert statuses(empty) == {"anton": False, "bert": False}


def test_prose_around_the_yes_does_not_matter(empty: Bureau) -> None:
    empty.invite(2)
    assert answer(empty, "anton", "Hello!\njoin\nI look forward to it.") == "invitation.joined"


def test_a_second_yes_is_told_that_it_was_known(empty: Bureau) -> None:
    empty.invite(2)
    answer(empty, "anton", "join")
    assert answer(empty, "anton", "yes") == "invitation.already"


def test_a_yes_can_be_taken_back_until_the_game_begins(empty: Bureau) -> None:
    empty.invite(2)
    answer(empty, "anton", "join")
    answer(empty, "anton", "decline")
    answer(empty, "bert", "join")
    assert empty.game.status == "inviting"
    assert answer(empty, "anton", "join") == "invitation.joined"
    assert empty.game.status == "running"


def test_who_was_not_invited_cannot_join(empty: Bureau) -> None:
    empty.invite(2)
    assert answer(empty, "zoe", "join") == "letter.stranger"
    assert statuses(empty) == {"anton": False, "bert": False}


def test_the_yes_says_who_is_still_missing(empty: Bureau) -> None:
    empty.invite(3)
    answer(empty, "bert", "join")
    assert list(empty.replies("bert")[-1].facts["missing"]) == ["anton", "claudia"]


def test_the_last_yes_opens_the_game_and_everybody_is_told(empty: Bureau) -> None:
    empty.invite(3)
    empty.tick()
    answer(empty, "anton", "join")
    answer(empty, "bert", "join")
    sent = empty.write("claudia", "join", subject=INVITED)
    assert empty.game.status == "running"
    assert sorted(prefix(sent)) == ["anton", "bert", "claudia"]
    assert empty.slot.seat == empty.awaited[0][0]
    assert empty.slot.started == empty.clock.now()


def test_games_are_numbered(empty: Bureau) -> None:
    assert [empty.invite(2).id for _ in range(11)] == [f"imp-{number}" for number in range(1, 12)]


# -- lots ---


def opened(bureau: Bureau, players: int) -> Game:
    bureau.open(players)
    return bureau.game


@pytest.mark.parametrize("players", range(2, 7))
def test_seats_and_flags_follow_from_the_secret_that_was_committed_to(empty: Bureau, players: int) -> None:
    game = opened(empty, players)
    lots = Lots(game.secret, game.id)
    seats = seating(NAMES[:players], lots)
    table = empty.server.games.load(game)
    assert table.terms.setup.seats == seats
    events = table.rules.open(table.rules.blank(table.terms.setup), lots, {})
    assert empty.entries[0]["events"] == msgspec.json.decode(msgspec.json.encode(events))
    assert empty.entries[0]["draws"] == msgspec.to_builtins(lots.draws)


def test_the_secret_is_drawn_anew_for_each_game(empty: Bureau) -> None:
    assert empty.invite(2).secret != empty.invite(2).secret


def test_the_secret_is_told_when_the_game_is_over_and_not_before(bureau: Bureau) -> None:
    assert all(bureau.game.secret not in re.sub(r"\s", "", mail.text) for mail in bureau.postman.sent)
    sent = bureau.finish()
    finals = [mail for mail in sent if not mail.answers]
    assert all(bureau.game.secret in re.sub(r"\s", "", mail.text) for mail in finals)


def test_seating_is_a_matter_of_names_and_not_of_the_order_of_inviting() -> None:
    one = seating(["bert", "anton", "claudia"], Lots("c0ffee", "imp-1"))
    other = seating(["claudia", "bert", "anton"], Lots("c0ffee", "imp-1"))
    assert one == other
    assert sorted(one) == ["anton", "bert", "claudia"]


def test_every_seating_has_its_chance() -> None:
    drawn = {seating(["a", "b", "c"], Lots(str(secret), "imp-1")) for secret in range(200)}
    assert len(drawn) == 6


# -- names and terms ---


@pytest.mark.parametrize(
    ("address", "taken", "name"),
    [
        ("anton@example.org", [], "anton"),
        ("Anton.Meier@example.org", [], "anton"),
        ("anton+games@example.org", [], "anton"),
        ("anton@elsewhere.org", ["anton"], "anton2"),
        ("anton@elsewhere.org", ["anton", "anton2"], "anton3"),
        ("1234@example.org", [], "player"),
        ("4you@example.org", [], "player"),
        ("clock@example.org", [], "clock2"),
        ("moderator@example.org", [], "moderator2"),
        ("all@example.org", [], "all2"),
        ("alle@example.org", [], "alle2"),
        ("_@example.org", ["player"], "player2"),
    ],
)
def test_names_come_from_addresses(address: str, taken: list[str], name: str) -> None:
    assert seat_name(address, taken) == name


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (["anton@example.org"], "2 to 6 players"),
        ([f"p{number}@example.org" for number in range(7)], "2 to 6 players"),
        (["anton@example.org", "anton@example.org"], "own address"),
        (["anton=a@example.org", "anton=b@example.org"], "own name"),
        (["anton=a@example.org", "bert"], "is no address"),
        (["anton=a@example.org", "bert=b @example.org"], "is no address"),
        (["anton=a@example.org", "bert=b@"], "is no address"),
        (["anton=a@example.org", "bert=<b@example.org>"], "is no address"),
        (["anton=a@example.org", "jörg=j@example.org"], "'jörg' can't be a player's name"),
        (["anton=a@example.org", "big bert=b@example.org"], "'big bert' can't be a player's name"),
        (["anton=a@example.org", "clock=c@example.org"], "'clock' can't be a player's name"),
    ],
)
def test_players_that_cannot_be_are_refused_with_a_sentence(empty: Bureau, players: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        empty.server.new_game(Terms(setup=Setup()), players)
    with empty.store.transaction() as repository:
        assert list(repository.games()) == []
    assert empty.tick() == []


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (Setup(game="chess"), "there is no chess"),
        (Setup(edition="newest"), "newest"),
        (Setup(board="moon"), "moon"),
        (Setup(setup="easy"), "easy"),
        (Setup(options={"colour": "red"}), "colour"),
        (Setup(options={"investor_card": "perhaps"}), "perhaps"),
    ],
)
def test_terms_that_cannot_be_are_refused_with_a_sentence(empty: Bureau, setup: Setup, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        empty.server.new_game(Terms(setup=setup), ["a@example.org", "b@example.org"])
    assert empty.tick() == []


def test_a_player_may_bear_the_name_of_a_nation_or_of_an_order(lots: None) -> None:
    bureau = Bureau()
    people = {"italy": "italy@players.test", "none": "none@players.test"}
    bureau.server.new_game(Terms(setup=Setup()), [f"{name}={mail}" for name, mail in people.items()])
    for name in people:
        bureau.write(name, "join", subject=INVITED)
    seat, _, nation = bureau.awaited[0]
    bureau.write(seat, f"{nation}: investor")
    assert bureau.outcomes(seat) == [("played", None)]
    assert bureau.server.app.record("imp-1").count("\n") > 3


def test_a_member_is_named_in_lower_case_and_addressed_so(empty: Bureau) -> None:
    game: Any = empty.server.new_game(Terms(setup=Setup()), ["Anton=Anton@Example.ORG", "b@example.org"])
    assert (game.members[0].seat, game.members[0].person.address) == (Seat("anton"), "anton@example.org")
