"""Letters in a wrapping: what is signed is read, and what can't be read says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.adapters.mime import read_letter

LETTERS = Path(__file__).parents[1] / "letters"
WHY = {
    "encrypted": "encrypted",
    "encrypted_smime": "encrypted",
    "encrypted_pgp_inline": "encrypted",
    "winmail_alone": "winmail",
    "winmail_beside_text": None,
    "signed_smime": None,
    "signed_smime_opaque": None,
    "signed_smime_opaque_octets": None,
    "signed_pgp_protected": None,
    "pgp_inline": None,
    "attachment_only": None,
    "empty": None,
}


def raw(name: str) -> bytes:
    return (LETTERS / f"{name}.eml").read_bytes()


@pytest.mark.parametrize("name", WHY)
def test_why_a_letter_can_not_be_read(name: str) -> None:
    assert read_letter(raw(name)).unreadable == WHY[name]


def test_orders_above_something_encrypted_are_not_read_alone() -> None:
    text = raw("encrypted_pgp_inline").replace(b"-----BEGIN", b"austria: investor\r\n\r\n-----BEGIN")
    letter = read_letter(text)
    assert (letter.unreadable, letter.lines) == ("encrypted", ())


def test_a_quoted_encrypted_letter_hinders_nobody() -> None:
    text = raw("encrypted_pgp_inline").replace(b"-----BEGIN", b"austria: investor\r\n\r\n> -----BEGIN")
    assert read_letter(text).unreadable is None


def test_nothing_is_said_of_letters_that_are_not_answered() -> None:
    assert read_letter(b"Auto-Submitted: auto-replied\r\n" + raw("encrypted")).unreadable is None


@pytest.mark.parametrize("cut", range(4, 700, 23))
def test_a_damaged_signature_is_no_reason_to_stumble(cut: int) -> None:
    text = raw("signed_smime_opaque")
    assert read_letter(text[:-cut]).unreadable in (None, "encrypted")
