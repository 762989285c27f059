"""Letters as they go out are, to the byte, what the standard library makes of them, whatever was composed before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.adapters.composing import FromAddress, compose
from pbem.host.ports import Attachment, Mail
from tests.adapters.library_letters import by_the_library

WORDS = st.text(st.sampled_from("abc XYZ.,;:=?_-\"'()<>@[]ß–你é\t"), max_size=90)
LINES = st.text(st.sampled_from("ab =.\tß你\n\r\f\x85\u2028"), max_size=300)
LOCALS = st.sampled_from(
    ["anna", "anna.maria", "pbem+imp-1.7.austria.0123456789abcdef", "o'hara", '"two words"', "x" * 64]
)
ADDRESSES = st.builds(
    "{}@{}".format, LOCALS, st.sampled_from(["pbem.test", "a.b-c.example", "localhost", f"{'y' * 60}.test"])
)
IDS = st.sampled_from(["<imp-1.7@pbem.test>", f"<{'i' * 120}@outlook.test>", "<first@example.test>"])
KINDS = st.sampled_from(["image/png", "text/calendar; charset=utf-8; method=REQUEST", "text/html; charset=utf-8"])
FILES = st.builds(
    Attachment,
    name=st.sampled_from(["board.png", "a.ics", "für später.html", "x" * 90]),
    type=KINDS,
    data=st.binary(max_size=200),
    cid=st.none() | st.sampled_from(["board.imp-1.7@pbem.test", f"{'c' * 100}@pbem.test"]),
)
MAILS = st.builds(
    Mail,
    message_id=IDS,
    to=ADDRESSES,
    subject=WORDS,
    text=LINES,
    html=st.none() | LINES,
    reply_to=st.none() | ADDRESSES,
    in_reply_to=st.none() | IDS,
    references=st.lists(IDS, max_size=3).map(tuple),
    answers=st.booleans(),
    game=st.none() | st.just("imp-1"),
    attachments=st.lists(FILES, max_size=3).map(tuple),
)
SENDERS = st.builds(FromAddress, address=ADDRESSES, name=WORDS)


@given(MAILS, SENDERS, st.integers(0, 4_000_000_000))
def test_a_letter_is_what_the_standard_library_makes_of_it(mail: Mail, sender: FromAddress, at: int) -> None:
    assert compose(mail, sender, at) == by_the_library(mail, sender, at)
