"""Letters that do not arrive or are not wanted: counted, told, answered with another address or fewer letters."""

from __future__ import annotations

import pytest

from pbem.adapters.composing import FromAddress as Letterbox
from pbem.adapters.smtp import return_path
from pbem.host.ports import Address, Mail
from pbem.mail.bounces import IN_A_ROW
from tests.adapters import test_bounces as bounces
from tests.service.bureau import HOST, Bureau, address

HOME, WORK = address("anton"), "anton@work.test"


def returned(report: str, ticket: str) -> bytes:
    """A report of a letter to Anton, in which such a ticket stood."""
    text = report.replace(bounces.OURS, "<imp-1.0.anton@pbem.test>").replace("ann@example.org", HOME)
    text = text.replace(bounces.TICKET, ticket)
    return text.replace("\n", "\r\n").encode()


def bounce(bureau: Bureau, times: int = 1, *, ticket: str | None = None, to: str = HOST) -> list[Mail]:
    """What is sent after so many reports; each is another letter."""
    sent, ticket = [], bureau.ticket("anton") if ticket is None else ticket
    for _ in range(times):
        bureau.letters += 1
        report = (
            returned(bounces.REPORTS["exim"][0].replace("pbem@pbem.example", to), ticket)
            + f"\r\n{bureau.letters}".encode()
        )
        report = report.replace(b"Message-Id: <", f"Message-Id: <{bureau.letters}.".encode(), 1)
        bureau.mailbox.add(report, bureau.clock.now())
        sent += bureau.tick()
    return sent


def addresses(bureau: Bureau) -> dict[str, int]:
    anton = bureau.game.members[0].person.id
    with bureau.store.transaction() as repository:
        return {each.address: each.failures for each in repository.addresses(anton)}


@pytest.fixture
def two(bureau: Bureau) -> Bureau:
    """Anton has a second address, which is verified, and a third, which is not."""
    with bureau.store.transaction() as repository:
        person = repository.games()[0].members[0].person
        assert person.address == HOME
        repository.save_address(Address(address=WORK, person=person.id, added=5, verified=6))
        repository.save_address(Address(address="anton@nowhere.test", person=person.id, added=5))
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


@pytest.mark.parametrize("whose", ["", "bert", "elsewhere"])
def test_a_report_that_brings_back_nothing_that_only_he_got_is_not_believed(two: Bureau, whose: str) -> None:
    """The Message-IDs of our letters can be guessed, and so can his address."""
    ticket = two.ticket(whose) if whose == "bert" else "imp-1.abcdefgh2345" if whose else ""
    sent = bounce(two, 2 * IN_A_ROW, ticket=ticket)
    two.mailbox.add(returned(bounces.COMPLAINT, ticket), two.clock.now())
    two.tick()
    assert addresses(two)[HOME] == 0
    assert (two.game.members[0].person.address, two.game.members[0].reports) == (HOME, "all")
    assert len(sent) == (
        2 if whose == "bert" else 1
    )  # Bert's own letters may well have come back: that, and what comes of it


def test_the_address_that_letters_come_back_to_vouches_for_the_report(two: Bureau) -> None:
    two.write("anton", "show")
    (mail,) = two.answers("anton")
    to = return_path(mail, Letterbox(address=HOST), "tagged")
    bounce(two, IN_A_ROW, ticket="", to=to)
    assert two.game.members[0].person.address == WORK


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
    bureau.mailbox.add(returned(bounces.COMPLAINT, bureau.ticket("anton")), bureau.clock.now())
    (told,) = bureau.tick()
    assert "anton gets no more reports" in told.text
    member = bureau.game.members[0]
    assert (member.seat, member.reports) == ("anton", "mine")
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]
