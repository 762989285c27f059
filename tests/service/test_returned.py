"""Letters that do not arrive or are not wanted: counted, told, answered with another address or fewer letters."""

from __future__ import annotations

import pytest

from pbem.service.ports import Address, Mail
from pbem.service.returned import IN_A_ROW
from tests.adapters import test_bounces as bounces
from tests.service.bureau import Bureau, address

HOME, WORK = address("anton"), "anton@work.test"


def returned(report: str) -> bytes:
    text = report.replace(bounces.OURS, "<imp-1.0.anton@pbem.test>").replace("ann@example.org", HOME)
    return text.replace("\n", "\r\n").encode()


def bounce(bureau: Bureau, times: int = 1) -> list[Mail]:
    """What is sent after so many reports; each is another letter."""
    sent = []
    for _ in range(times):
        bureau.letters += 1
        report = returned(bounces.REPORTS["exim"][0]) + f"\r\n{bureau.letters}".encode()
        report = report.replace(b"Message-Id: <", f"Message-Id: <{bureau.letters}.".encode(), 1)
        bureau.mailbox.add(report, bureau.clock.now())
        sent += bureau.tick()
    return sent


def addresses(bureau: Bureau) -> dict[str, int]:
    anton = bureau.game.members[0].person.id
    with bureau.store.transaction() as books:
        return {each.address: each.failures for each in books.addresses(anton)}


@pytest.fixture
def two(bureau: Bureau) -> Bureau:
    """Anton has a second address, which is verified, and a third, which is not."""
    with bureau.store.transaction() as books:
        person = books.games()[0].members[0].person
        assert person.address == HOME
        books.save_address(Address(address=WORK, person=person.id, added=5, verified=6))
        books.save_address(Address(address="anton@nowhere.test", person=person.id, added=5))
    return bureau


def test_another_address_is_tried_after_several_letters_that_did_not_arrive(two: Bureau) -> None:
    before = two.document
    bounce(two, IN_A_ROW - 1)
    assert addresses(two)[HOME] == IN_A_ROW - 1
    assert two.game.members[0].person.address == HOME
    (told,) = bounce(two)
    assert WORK in told.text
    assert two.game.members[0].person.address == WORK
    assert "anton@nowhere.test" not in told.text
    two.write("anton", "austria: import A lemberg")
    assert WORK in {mail.to for mail in two.postman.sent}
    assert before["nations"]["austria_hungary"]["armies"] == {}


def test_without_another_address_the_operator_hears_so(bureau: Bureau) -> None:
    told = bounce(bureau, IN_A_ROW)
    assert "no other address" in told[-1].text
    assert bureau.game.members[0].person.address == HOME


def test_a_letter_from_there_shows_that_the_address_is_well(two: Bureau) -> None:
    bounce(two, IN_A_ROW - 1)
    two.write("anton", "show")
    assert addresses(two)[HOME] == 0


def test_what_the_next_server_refuses_counts_too(two: Bureau) -> None:
    two.postman.refuse(HOME)
    moves = {"anton": "austria: import A lemberg", "bert": "italy: import A rome", "claudia": "france: import A paris"}
    for who, move in moves.items():
        two.write(who, move)
    assert two.game.members[0].person.address == WORK


def test_a_letter_that_may_still_arrive_does_not_count(bureau: Bureau) -> None:
    bureau.postman.fail("451 later", times=2)
    bureau.write("anton", "show")
    assert addresses(bureau)[HOME] == 0


def test_a_complaint_means_fewer_reports_and_costs_no_seat(bureau: Bureau) -> None:
    bureau.mailbox.add(returned(bounces.COMPLAINT), bureau.clock.now())
    (told,) = bureau.tick()
    assert "anton gets no more reports" in told.text
    member = bureau.game.members[0]
    assert (member.seat, member.reports) == ("anton", "mine")
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]
