"""Whom a letter is from and to, in the shapes that people, programs and forgers give to the fields."""

from __future__ import annotations

import pytest

from pbem.adapters.mime import read_letter
from pbem.host.ports import Letter


def letter(*fields: str | bytes) -> Letter:
    lines = [field if isinstance(field, bytes) else field.encode() for field in fields]
    return read_letter(b"\r\n".join([*lines, b"", b"investor", b""]))


SENDERS = {
    "ann@example.org": ("ann@example.org", ""),
    "Ann <Ann+PBEM@EXAMPLE.org>": ("Ann+PBEM@example.org", "Ann"),
    "=?utf-8?Q?J=C3=BCrgen_M=C3=BCller?=\r\n <j@example.org>": ("j@example.org", "Jürgen Müller"),
    '"Ann @ work"\r\n\t<ann@example.org>': ("ann@example.org", "Ann @ work"),
    "Ann @ work <ann@example.org>": ("ann@example.org", "Ann @ work"),
    '"bert@example.net" <ann@example.org>': ("ann@example.org", "bert@example.net"),
    "bert@example.net <ann@example.org>": ("ann@example.org", "bert@example.net"),
    '"a \\" <bert@example.net> \\" b" <ann@example.org>': ("ann@example.org", 'a " <bert@example.net> " b'),
    "=?utf-8?q?=22bert=40b.example=22_=3Cbert=40b.example=3E?= <ann@example.org>": (
        "ann@example.org",
        '"bert@b.example" <bert@b.example>',
    ),
    "Ann (bert@example.net) <ann@example.org>": ("ann@example.org", "Ann"),
    '(5" (bert@example.net) wide) ann@example.org': ("ann@example.org", ""),
    "Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>": ("pete@silly.test", "Pete"),  # RFC 5322 A.5
    "Ann :-( <ann@example.org>": ("ann@example.org", "Ann :-("),
    "ann @ example . org": ("ann@example.org", ""),
    "<@relay.example,@b.example:ann@example.org>": ("ann@example.org", ""),
    "Ann <mailto:ann@example.org>": ("ann@example.org", "Ann"),
    "Ann <<ann@example.org>>": ("ann@example.org", "Ann"),
    "Müller, Ann <ann@example.org>": ("ann@example.org", "Müller, Ann"),
    "The team: Ann <ann@example.org>;": ("ann@example.org", "Ann"),
    '"ann"@example.org': ("ann@example.org", ""),
    '"a,b <c>"@example.org': ('"a,b <c>"@example.org', ""),
    '"<bert@example.net>"@example.org': ('"<bert@example.net>"@example.org', ""),
    "o'brien+tag@example.org": ("o'brien+tag@example.org", ""),
    "postman@example.org": ("postman@example.org", ""),
    "ann@example.org, bert@example.net": ("ann@example.org", ""),
    "undisclosed:;": ("", ""),
    "ann": ("", None),
    "ann@": ("", None),
    "a@b@example.org": ("", None),
    "=?utf-8?q?ann=40example.org?=": ("", None),
    "=?utf-8?q?ann=40example.org?= <>": ("", "ann@example.org"),
    "": ("", ""),
}


@pytest.mark.parametrize("field", SENDERS)
def test_sender(field: str) -> None:
    read, (address, name) = letter(f"From: {field}"), SENDERS[field]
    assert read.sender == address
    assert name is None or read.name == name
    assert read.ignored == (None if address else "no_sender")


# -- nobody passes for ann@example.org ---

FORGED = [
    "=?utf-8?q?ann?=@example.org",
    "<ann@=?utf-8?q?example.org?=>",
    "\u0430nn@example.org",  # Cyrillic
    "ann@ex\u0430mple.org",
    "ann@example\u2024org",  # one dot leader
    "ann@\uff45xample.org",  # fullwidth
    "an\u200bn@example.org",
    "ann\u00ad@example.org",
    "ann@example.org\u200b",
    "ann\uff20example.org",
    "ann@example.org\x00",
    "ann\x08@example.org",
    "ann@example.\x7forg",
]


@pytest.mark.parametrize("field", FORGED)
@pytest.mark.parametrize("around", ["{}", "Ann <{}>"])
def test_letters_that_only_look_like_hers_are_not_hers_and_can_not_be_answered(field: str, around: str) -> None:
    read = letter("From: " + around.format(field))
    assert read.sender.lower() != "ann@example.org"
    assert read.ignored == "no_sender"


@pytest.mark.parametrize("field", ["fran\u212a@example.org", "frank@example\u212a.org", "frank@\u212ael.org"])
def test_letters_that_python_would_fold_into_ascii_are_not_answered(field: str) -> None:
    read = letter(f"From: {field}")
    assert not read.sender.isascii()
    assert read.ignored == "no_sender"


def test_raw_bytes_in_an_address_are_not_answered() -> None:
    assert letter(b"From: an\xfcn@example.org").ignored == "no_sender"
    assert letter(b"From: an\xffn@example.org").ignored == "no_sender"


def test_reply_to_and_sender_do_not_say_who_wrote() -> None:
    read = letter("Reply-To: bert@example.net", "Sender: bert@example.net", "From: ann@example.org")
    assert read.sender == "ann@example.org"


def test_a_header_can_not_be_smuggled_in_by_a_field() -> None:
    read = letter("From: ann@example.org", "Subject: =?utf-8?q?x=0D=0ABcc:_bert=40example.net?=")
    assert read.subject == "x Bcc: bert@example.net"
    assert "\n" not in letter("From: =?utf-8?q?Ann=0D=0ABcc:_b?= <ann@example.org>").name


# -- to whom ---


def test_recipients_are_all_that_it_was_sent_or_delivered_to_with_their_tags() -> None:
    read = letter(
        "Delivered-To: pbem+x7Q.imp-1@EXAMPLE.net",
        "X-Original-To: PBEM@example.net",
        "Envelope-To: <games@example.net>",
        "X-Delivered-To: games@example.net",
        "From: ann@example.org",
        'To: "PBEM, the game" <pbem@example.net>, Players:\r\n bert@example.net, "c d"@example.net;',
        "Cc: (nobody@example.net) Emil <emil@example.net>",
        "Bcc: hidden@example.net",
    )
    assert read.recipients == (
        "pbem@example.net",
        "bert@example.net",
        '"c d"@example.net',
        "emil@example.net",
        "pbem+x7Q.imp-1@example.net",
        "PBEM@example.net",
        "games@example.net",
    )


def test_no_recipients() -> None:
    assert letter("From: ann@example.org", "To: undisclosed-recipients:;").recipients == ()


def test_size_is_that_of_the_bytes() -> None:
    raw = "From: ann@example.org\r\n\r\nGrüße\r\n".encode()
    assert read_letter(raw).size == len(raw)


@pytest.mark.parametrize(
    "field", ["(" * 200_000, '"' * 200_001, "\\" * 200_000, "<" * 200_000, '"\\"' * 90_000, "a@b," * 90_000]
)
def test_long_fields_are_read_to_the_end(field: str) -> None:
    letter(f"From: {field}", f"To: {field}", f"X-Loop: {field}")
