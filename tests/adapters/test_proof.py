"""Whose word on the sender is believed: the verdict on real and forged Authentication-Results (RFC 8601)."""

from __future__ import annotations

import pytest

from pbem.adapters.mime import letter_reader
from pbem.host.ports import Letter

US = "mx.pbem.example"
FROM = "From: Ann <ann@mail.example.co.uk>"


def read(*fields: str, authserv_id: str | None = US) -> Letter:
    return letter_reader(authserv_id)("\r\n".join([*fields, "", "investor", ""]).encode())


def verdict(*fields: str, author: str = FROM, authserv_id: str | None = US) -> str:
    return read(*(f"Authentication-Results: {field}" for field in fields), author, authserv_id=authserv_id).proven


# What our server writes on top, and what it proves of ann@mail.example.co.uk.
VERDICTS = {
    # DMARC
    f"{US}; dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=mail.example.co.uk": "pass",
    f"{US}; dmarc=pass": "pass",
    f"{US}; dmarc=fail (p=REJECT) header.from=mail.example.co.uk": "fail",
    f"{US}; dmarc=none header.from=mail.example.co.uk": "none",
    f"{US}; dmarc=temperror header.from=mail.example.co.uk": "none",
    f"{US}; dmarc=bestguesspass header.from=mail.example.co.uk": "none",
    f"{US}; dmarc=fail header.from=mail.example.co.uk; dkim=pass header.d=example.co.uk": "fail",
    f"{US}; dmarc=none; dkim=pass header.d=example.co.uk": "pass",
    f"{US}; dmarc=pass; dmarc=fail": "fail",
    f"{US}; dmarc=pass header.from=mallory.example": "fail",  # another From than the one we read
    f"{US}; dmarc=pass header.from=example.co.uk": "fail",
    # DKIM
    f"{US}; dkim=pass header.d=mail.example.co.uk": "pass",
    f"{US}; dkim=pass header.d=example.co.uk": "pass",
    f"{US}; dkim=pass header.d=other.example.co.uk": "pass",
    f"{US}; dkim=pass header.i=@example.co.uk header.s=x header.b=abcd": "pass",
    f"{US}; dkim=pass header.i=ann@mail.example.co.uk": "pass",
    f"{US}; dkim=pass header.d=mallory.example": "none",
    f"{US}; dkim=pass header.d=mallory.example header.i=@example.co.uk": "none",
    f"{US}; dkim=pass header.d=co.uk": "none",  # a public suffix is nobody's organisation
    f"{US}; dkim=pass header.d=example.com.co.uk": "none",
    f"{US}; dkim=pass header.d=notexample.co.uk": "none",
    f"{US}; dkim=pass header.d=mallory.example header.d=example.co.uk": "none",
    f"{US}; dkim=pass": "none",
    f"{US}; dkim=fail (body hash did not verify) header.d=example.co.uk": "none",
    f"{US}; dkim=none": "none",
    f"{US}; dkim=pass header.d=mallory.example; dkim=pass header.d=example.co.uk": "pass",
    f"{US}; dkim=fail header.d=example.co.uk; dkim=pass header.d=example.co.uk": "pass",
    # neither of them
    f"{US}; spf=pass smtp.mailfrom=ann@mail.example.co.uk": "none",
    f"{US}; none": "none",
    f"{US}": "none",
    "": "none",
    # how it is written
    f"{US} 1; dmarc=pass": "pass",
    "MX.PBEM.EXAMPLE; DKIM=Pass header.d=EXAMPLE.CO.UK": "pass",
    f"{US};\r\n\tdkim=pass\r\n\t(2048-bit key; unprotected) header.d=example.co.uk;\r\n\tspf=none": "pass",
    f"(ours) {US} (really); (dmarc=fail) dmarc (method) = (result) pass (header.from=mallory.example)": "pass",
    f'{US}; dkim=pass reason="all; well" header.d="example.co.uk"': "pass",
    f"{US}; dkim=pass header.d=example.co.uk; and so on": "none",
    f"{US}; dkim=pass (" + "(" * 5_000: "none",
    f"{US};" + " dkim=pass header.d=example.co.uk;" * 2_000: "none",
    # one of several servers
    f"mx7.{US}; dmarc=pass": "pass",
    # not ours
    f"not{US}; dmarc=pass": "none",
    f"{US[3:]}; dmarc=pass": "none",
    "mx.mallory.example; dmarc=pass header.from=mail.example.co.uk": "none",
    f"{US}.mallory.example; dmarc=pass": "none",
    f"i=1; {US}; dmarc=pass": "none",
    "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=x.example; dmarc=pass header.from=mail.example.co.uk": "none",
}


@pytest.mark.parametrize("field", VERDICTS)
def test_verdict_of_one_header(field: str) -> None:
    assert verdict(field) == VERDICTS[field]


def test_nothing_is_proven_without_the_header_or_the_setting() -> None:
    assert verdict() == "none"
    assert verdict(f"{US}; dmarc=pass", authserv_id=None) == "none"


def test_only_the_topmost_header_counts() -> None:
    forged, said = f"{US}; dmarc=pass", f"{US}; dmarc=none"
    assert verdict(said, forged) == "none"
    assert verdict("mx.between.example; dmarc=none", forged) == "none"
    assert verdict(f"{US}; dmarc=fail", forged) == "fail"
    assert verdict(forged, "mx.mallory.example; dmarc=fail") == "pass"


def test_other_fields_are_not_believed() -> None:
    said = f": i=1; {US}; dmarc=pass; dkim=pass header.d=example.co.uk"
    assert read(f"ARC-Authentication-Results{said}", f"X-Original-Authentication-Results{said}", FROM).proven == "none"


@pytest.mark.parametrize(
    "author",
    [
        "From: ann@mail.example.co.uk, mallory@mallory.example",
        "From: mallory@mallory.example\r\nFrom: ann@mail.example.co.uk",
        "From: Team: ann@mail.example.co.uk, bert@mail.example.co.uk;",
        "From: <ann@mail.example.co.uk> <mallory@mallory.example>",
        "From: undisclosed:;",
        "From: Ann",
        "Subject: nobody",
    ],
)
def test_several_authors_or_none_prove_nothing(author: str) -> None:
    assert verdict(f"{US}; dmarc=pass", author=author) == "fail"


def test_one_author_named_twice_is_one() -> None:
    assert verdict(f"{US}; dmarc=pass", author=f"{FROM}\r\n{FROM}") == "pass"


def test_a_list_that_writes_in_its_own_name_proves_only_itself() -> None:
    results = f"Authentication-Results: {US}; dkim=pass header.d=lists.example; dmarc=pass header.from=lists.example"
    letter = read(results, "From: Ann via Games <games@lists.example>", "Reply-To: ann@mail.example.co.uk")
    assert (letter.proven, letter.sender) == ("pass", "games@lists.example")


def test_a_name_before_the_address_is_not_what_was_proven() -> None:
    results = f"Authentication-Results: {US}; dmarc=pass header.from=mallory.example"
    letter = read(results, 'From: "ann@mail.example.co.uk" <x@mallory.example>')
    assert (letter.proven, letter.sender) == ("pass", "x@mallory.example")


@pytest.mark.parametrize(
    "field", [f"{US}; dkim=pass ({'(' * 7_000}", f"{US};{' x' * 3_900}", f"{US};{'dkim=pass;' * 780}"]
)
def test_hostile_headers_are_read_to_the_end(field: str) -> None:
    verdict(field)
