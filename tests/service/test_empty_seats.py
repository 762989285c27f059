"""A seat that is taken from its player is offered at once, strangers may take it, and an empty one is not forgotten."""

from __future__ import annotations

import pytest

from tests.service.bureau import DAY, HOUR, Bureau
from tests.service.test_moderation import MODERATOR, acts, appoint, check_record

WAITING = ("nina@elsewhere.test", "otto@elsewhere.test", "pia@elsewhere.test")


@pytest.fixture
def led(bureau: Bureau) -> Bureau:
    """A game with a moderator who does not play, and three who wait for a seat."""
    appoint(bureau, MODERATOR)
    with bureau.server.games.work() as desk:
        for address in WAITING:
            desk.repository.wait(desk.repository.add_person("", address, 0).id, 0)
    return bureau


def offers(bureau: Bureau, address: str) -> list[str]:
    return [mail.reply_to or "" for mail in bureau.postman.to(address) if "take over the seat" in mail.subject]


def test_an_ejected_seat_is_offered_to_those_who_wait(led: Bureau) -> None:
    led.write(MODERATOR, "eject anton: they write no more")
    assert [len(offers(led, address)) for address in WAITING] == [1, 1, 1]
    led.write("bert", "petitions")
    told = " ".join(led.answers("bert")[-1].text.split())
    assert "Nobody played anton any more" in told
    assert not any(words in told for words in ("several times in a row", "It passed"))
    led.write("bert", "for P-1")
    assert led.outcomes("bert") == [("refused", "petition.over")]
    led.write(WAITING[1], "accept P-1", to=offers(led, WAITING[1])[0])
    assert {member.seat: member.person.address for member in led.game.members}["anton"] == WAITING[1]
    assert led.replies(WAITING[1])[-1].problem == "accept.seated"
    led.write(WAITING[1], "austria: taxation", to=led.postman.to(WAITING[1])[-1].reply_to or "")
    assert led.awaited == [("bert", "turn", "italy")]
    led.write(WAITING[0], "accept P-1", to=offers(led, WAITING[0])[0])
    assert len(led.game.members) == 6
    check_record(led)


@pytest.mark.parametrize(
    ("whom", "asked"),
    [
        ("offer anton to next", [1, 0, 0]),
        ("biete anton allen an", [1, 1, 1]),
        ("offri anton a rita@elsewhere.test", [0, 0, 0]),
    ],
)
def test_a_moderator_offers_a_seat_by_mail(led: Bureau, whom: str, asked: list[int]) -> None:
    with led.server.games.work() as desk:
        people = [person.id for person in desk.repository.waiting()]
        for person in people:
            desk.repository.wait_no_more(person)
    led.write(MODERATOR, "eject anton: they write no more")
    with led.server.games.work() as desk:
        for person in people:
            desk.repository.wait(person, 0)
    led.write(MODERATOR, f"{whom}\noffer bert to next")
    assert led.outcomes(MODERATOR) == [("done", None), ("refused", "offer.taken")]
    assert [len(offers(led, address)) for address in WAITING] == asked
    if "rita" in whom:
        led.write("rita@elsewhere.test", "accept", to=offers(led, "rita@elsewhere.test")[0])
        assert len(led.game.members) == 6


def test_there_is_somebody_to_be_asked(led: Bureau) -> None:
    led.write(MODERATOR, "eject anton: rude\noffer anton to all")
    assert [len(offers(led, address)) for address in WAITING] == [1, 1, 1]
    led.write(MODERATOR, "offer anton to next")
    assert led.outcomes(MODERATOR) == [("refused", "offer.nobody")]


def test_an_empty_seat_is_told_again_and_again_until_somebody_sits_there(led: Bureau) -> None:
    def alarms() -> list[str]:
        return [m.text for m in (*led.alarms, *led.postman.to(MODERATOR)) if "Nobody has played anton" in m.text]

    led.write(MODERATOR, "eject anton: they write no more")
    assert len(alarms()) == 2
    for days, count in ((1, 4), (2, 6), (4, 8)):
        led.tick(days * DAY + HOUR)
        assert len(alarms()) == count
    assert "for 7 days" in alarms()[-1] + led.alarms[-1].text
    led.write(WAITING[0], "accept", to=offers(led, WAITING[0])[0])
    led.tick(30 * DAY)
    assert len(alarms()) == 8


def test_an_offer_outlives_what_the_host_takes_back(led: Bureau) -> None:
    led.write(MODERATOR, "eject fritz: rude")
    led.write("anton", "austria: taxation")
    led.write(MODERATOR, "rewind to turn 1: the wrong map")
    assert "withdrawn" not in [act["type"] for act in acts(led)]
