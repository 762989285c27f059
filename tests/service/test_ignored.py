"""Machines, bounces and sealed letters at the inbox: nobody is answered who should not be, and nothing is played."""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.adapters.composing import FromAddress, compose
from pbem.host.ports import Mail
from tests.adapters import test_bounces as bounces
from tests.adapters import test_machines as machines
from tests.service.bureau import DAY, HOST, OPERATOR, Bureau, prefix

ORDER = "austria: import A lemberg"
LETTERS = Path(__file__).parents[1] / "letters"
MACHINES = {**machines.AUTOMATIC, **machines.BOUNCES, **machines.LISTS, **machines.LOOPS}


def test_no_machine_is_answered_nor_played(bureau: Bureau) -> None:
    before = bureau.document, bureau.papers
    for fields in MACHINES.values():
        fields = fields.replace("ann@example.org", "anton@players.test").replace("@pbem.example", "@pbem.test")
        head = fields + ("" if "\nFrom:" in f"\n{fields}" else "\nFrom: anton@players.test") + f"\nTo: {HOST}"
        head += "" if "Subject:" in fields else "\nSubject: Re: [imp-1] your move"
        bureau.mailbox.add(f"{head.strip()}\n\n{ORDER}\n".replace("\n", "\r\n").encode(), bureau.clock.now())
    assert bureau.tick() == []
    assert (bureau.document, bureau.papers) == before
    assert bureau.mailbox.inbox == []


def test_two_servers_wired_to_each_other_fall_silent(bureau: Bureau) -> None:
    """Each takes the other for a player."""
    other = bureau.copy()
    mails = bureau.write("anton", "show")
    exchanges = 0
    while mails and exchanges < 5:
        for mail in mails:
            other.mailbox.add(compose(mail, FromAddress(address="anton@players.test"), 0), other.clock.now())
        bureau, other = other, bureau
        mails = bureau.tick()
        exchanges += 1
    assert exchanges == 1


def test_a_machine_that_answers_without_a_sign_is_answered_in_turn(bureau: Bureau) -> None:
    """Nothing in such a letter tells it from a person's; ours tells the machine all the same."""
    (mail,) = bureau.write("anton", "I am away until Monday.")
    message = message_from_bytes(compose(mail, FromAddress(address=HOST), 0))
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Auto-Response-Suppress"] == "All"


# -- bounces ---


def returned(report: str, original: str = "<imp-1.0.anton@pbem.test>", ticket: str = "") -> bytes:
    text = report.replace(bounces.OURS, original).replace("austria: investor", ORDER)
    text = text.replace(bounces.TICKET, ticket)
    return text.replace("ann@example.org", "anton@players.test").replace("\n", "\r\n").encode()


def deliver(bureau: Bureau, raw: bytes) -> list[Mail]:
    bureau.mailbox.add(raw, bureau.clock.now())
    return bureau.tick()


@pytest.mark.parametrize("name", bounces.REPORTS)
def test_the_operator_hears_of_letters_that_are_lost_and_nothing_in_them_is_played(bureau: Bureau, name: str) -> None:
    report, fate = bounces.REPORTS[name]
    before = bureau.document, bureau.slot
    sent = deliver(bureau, returned(report, ticket=bureau.ticket("anton")))
    assert prefix(sent) == ([] if fate == "delayed" else ["operator"])
    assert (bureau.document, bureau.slot) == before


def test_the_operator_hears_of_a_complaint(bureau: Bureau) -> None:
    (mail,) = deliver(bureau, returned(bounces.COMPLAINT, ticket=bureau.ticket("anton")))
    assert mail.to == OPERATOR
    assert "spam" in mail.text


def test_reports_that_bring_nothing_of_ours_back_are_told_once_a_day(bureau: Bureau) -> None:
    """Whoever sees one of our Message-IDs can guess the others."""
    forged = [report for report, fate in bounces.REPORTS.values() if fate != "delayed"]
    sent = [mail for report in (*forged, bounces.COMPLAINT) for mail in deliver(bureau, returned(report))]
    (mail,) = sent
    assert mail.to == OPERATOR
    assert "nothing changed" in mail.text
    bureau.clock.advance(DAY)
    assert len(deliver(bureau, returned(bounces.QMAIL).replace(b"failure notice", b"again"))) == 1


@pytest.mark.parametrize("original", ["<alarm.imp-1.0@pbem.test>", "<imp-1.0.anton@elsewhere.test>", "<x@pbem.test>"])
def test_letters_that_are_not_about_a_game_are_lost_in_silence(bureau: Bureau, original: str) -> None:
    assert deliver(bureau, returned(bounces.QMAIL, original)) == []


def test_a_receipt_is_passed_over(bureau: Bureau) -> None:
    assert deliver(bureau, returned(bounces.MDN)) == []


# -- sealed letters ---


@pytest.mark.parametrize(("name", "words"), [("encrypted", "is encrypted"), ("winmail_alone", "winmail.dat")])
def test_a_letter_that_can_not_be_read_is_answered_and_changes_nothing(bureau: Bureau, name: str, words: str) -> None:
    before = bureau.document
    raw = (LETTERS / f"{name}.eml").read_bytes()
    way_back = f"Delivered-To: {bureau.way_back('claudia')}\n".encode()
    (mail,) = deliver(bureau, way_back + raw.replace(b"claudia@example.org", b"claudia@players.test"))
    assert mail.to == "claudia@players.test"
    assert words in mail.text
    assert bureau.document == before


def test_an_opaque_signature_is_opened(bureau: Bureau) -> None:
    raw = (LETTERS / "signed_smime_opaque.eml").read_bytes()
    way_back = f"Delivered-To: {bureau.way_back('anton')}\n".encode()
    deliver(bureau, way_back + raw.replace(b"claudia@example.org", b"anton@players.test"))
    assert bureau.outcomes("anton") == [("played", None)]
