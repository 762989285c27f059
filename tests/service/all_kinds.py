"""Letters of all kinds, from everybody who might write: players, strangers, forgers, machines and the malicious."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable

from hypothesis import strategies as st
from msgspec import Struct

from tests.adapters.test_bounces import EXCHANGE
from tests.adapters.test_machines import AUTOMATIC, BOUNCES, LISTS, LOOPS
from tests.service.bureau import OPERATOR

MINE, THEIRS = "anton@players.test", "bert@players.test"
EVIL = "mallory@evil.test"
NAMED = "x@y.test"  # as a deputy, by whoever may

FORGED = [  # what only looks like Anton's address
    "=?utf-8?q?anton?=@players.test",
    "<anton@=?utf-8?q?players.test?=>",
    "\u0430nton@players.test",
    "anton@pl\u0430yers.test",
    "anton@players\u2024test",
    "anton@\uff50layers.test",
    "anton\uff20players.test",
    "an\u200bton@players.test",
    "anton@players.test\u200b",
    "anton@players.test\x00",
    '"anton@players.test"@evil.test',
]


class Made(Struct, frozen=True, kw_only=True):
    """A raw letter, and who may change anything by it."""

    raw: bytes
    writer: str | None  # the member who has proved it, as far as anybody can; None: it must change nothing


WayBack = Callable[[str], str]  # where a member's letters go: our address with his token

# -- what stands in it ---

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"
ORDERS = [
    "austria: import A lemberg",
    "austria: investor",
    "draft austria: import A lemberg",
    "standing peace",
    "standing fight italy at ionian",
    "advance austria: investor",
    "give austria 1",
    "invest none",
    "play",
    "cancel",
    "as bert: italy: investor",
    "away until tomorrow deputy bert",
    f"away until tomorrow deputy {NAMED}",
]
QUESTIONS = [
    "show",
    "help",
    "status",
    "board",
    "history 2",
    "rules",
    "clock",
    "preview austria: investor",
    "help maneuver",
]
CHOICES = [
    "language de",
    "language ../../etc/passwd",
    "zone Europe/Berlin",
    "zone ../../../etc/passwd",
    "zone {{ 7*7 }}",
]
PRESS = [
    "press to all:",
    f"press to claudia: {SCRIPT}",
    "press to bert and zoe: hello",
    "end press",
    "press to all: \n> quoted",
]
HOSTILE = [
    SCRIPT,
    "{{ 7*7 }} {% for x in ().__class__.__mro__ %}{{ x }}{% endfor %}",
    "!!python/object/apply:os.system ['true']",
    "&a [*a, *a]",
    "../../../../etc/passwd",
    "C:\\CON\\..\\..\\x",
    "'; DROP TABLE entries; --",
    "$(touch /tmp/x) `touch /tmp/x` | cat",
    "%s%s%s%n {0} {game} \\x00 \\u202e",
    "\u202eevil\u202c \u0000\u0008 a\u0301 \ufeff\u200b",
    "\udcff\ud800",
    "A" * 5_000,
    "austria: " * 400,
    "austria: maneuver " + "A vienna - trieste, " * 300,
    "austria: import " + "9" * 400 + " A lemberg",
    "give austria " + "9" * 5_000,
    "give austria 99999999999999999999",
    "invest italy 999999999 - 999999999",
    "(" * 1_500,
    "Bcc: " + EVIL,
    ".",
    "-- ",
    "END",
    "> austria: import A lemberg",
    "On 3 Nov 2026 at 10:12, PBEM <pbem@pbem.test> wrote:",
    "-----BEGIN PGP MESSAGE-----",
    "P-1 yes",
    "petition pause 1000000 days",
    "moderator> lapse",
    "moderator",
    "moderator: rewind to turn 1: I may",
    "moderator: close turn 1: I may",
    "moderator: act for anton: austria: taxation",
    "moderator: correct cash bert 99: I may",
    "moderator: option investor_card = no with consent of all: I may",
    "moderator: announce: the game is over",
    "moderator: end: I may",
    "end: I may",
    "clock> +25h",
    "given cash anton 99",
    "join",
    "takeback",
]
LINES = st.lists(
    st.one_of(st.sampled_from([*ORDERS, *QUESTIONS, *CHOICES, *PRESS]), st.sampled_from(HOSTILE), st.text(max_size=40)),
    max_size=5,
)


def _encoded(text: str, kind: str, how: str) -> tuple[str, bytes]:
    """The header fields of a part, and its body."""
    content = text.encode("utf-8", "surrogatepass")
    head = f"Content-Type: {kind}\r\n"
    if how == "base64":
        return head + "Content-Transfer-Encoding: base64\r\n", base64.encodebytes(content)
    if how == "quoted":
        return head + "Content-Transfer-Encoding: quoted-printable\r\n", quopri.encodestring(content)
    return head, content


def _part(text: str, kind: str, how: str) -> bytes:
    head, body = _encoded(text, kind, how)
    return head.encode() + b"\r\n" + body


KINDS = [
    "text/plain; charset=utf-8",
    "text/html; charset=utf-8",
    "text/plain; charset=utf-7",
    "text/plain; charset=utf-16",
    "text/plain; charset=nonsense",
    "text/plain; format=flowed; delsp=yes",
    "text/html; charset=iso-2022-jp",
    "text/calendar; method=REPLY",
    "application/octet-stream; name=smime.p7m",
    "application/ms-tnef",
    "message/rfc822",
    "multipart/mixed",
    "",
]
ENCODINGS = ["plain", "base64", "quoted"]


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """The fields of Content-Type and its like, an empty line, and the content."""
    text = "\r\n".join(draw(LINES))
    kind, how = draw(st.sampled_from(KINDS)), draw(st.sampled_from(ENCODINGS))
    if kind.startswith("text/html"):
        text = "<p>" + text.replace("\r\n", "<br>")
    inner = _part(text, kind, how)
    match draw(st.integers(0, 7)):
        case 0:
            return _mixed("mixed", inner, _part("austria: taxation", KINDS[0], "plain"))
        case 1:
            return _mixed("alternative", _part(text, KINDS[0], how), inner)
        case 2:
            return _mixed("mixed", _mixed("related", _mixed("alternative", inner)))
        case 3:
            return _mixed("encrypted", inner)
        case _:
            return inner


def _mixed(kind: str, *parts: bytes) -> bytes:
    boundary = f"={len(parts)}{kind}={sum(map(len, parts))}"
    between = f"\r\n--{boundary}\r\n".encode()
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'
    return head.encode() + between + between.join(parts) + f"\r\n--{boundary}--\r\n".encode()


# -- around it ---

SUBJECTS = st.one_of(
    st.sampled_from(
        [
            "Re: [imp-1] your turn",
            "[IMP-1]",
            "[imp-2] another",
            "",
            "=?utf-8?q?=5Bimp-1=5D=0D=0ABcc:_mallory=40evil.test?=",
            "=?utf-8?b?W2ltcC0xXQ0KQmNjOiBtYWxsb3J5QGV2aWwudGVzdA==?=",
            "[imp-1] " + SCRIPT,
            "[imp-1] " + "x" * 3_000,
            "[imp-1][imp-2][../../x-1]",
            "[imp-1.1.1.aaaaaaaaaaaa]",
            "[imp-99999999999999999999]",
        ]
    ),
    st.text(max_size=30).map(lambda text: f"[imp-1] {text}".replace("\r", " ").replace("\n", " ")),
)
EXTRAS = [
    "Reply-To: mallory@evil.test",
    "Sender: mallory@evil.test",
    "Cc: mallory@evil.test, anton+tag@players.test",
    "Return-Path: <mallory@evil.test>",
    "Disposition-Notification-To: mallory@evil.test",
    "Authentication-Results: mx.pbem.test; dmarc=pass",
    "References: <imp-1.game@pbem.test>\r\n <\u00e4@x> " + "<a@b> " * 50,
    "In-Reply-To: <x\r\n Bcc: mallory@evil.test>",
    "X-Loop: mallory@evil.test",
    "MIME-Version: 1.0",
    "Content-Disposition: attachment; filename=../../x",
    "Date: Fri, 31 Feb 1900 99:99:99 +9999",
    "Subject: [imp-1] a second one",
    "no colon here",
    ": no name",
]
IDS = [
    "",
    "Message-ID: <same@players.test>",
    "Message-ID: x",
    "Message-ID: <a b\tc>",
    "Message-ID: <" + "x" * 2_000 + "@x>",
]
MACHINES = [*AUTOMATIC.values(), *BOUNCES.values(), *LISTS.values(), *LOOPS.values()]

# No field that could hide or make a sender.
MACHINES = [
    fields for fields in MACHINES if not {"From", "To", "X-Loop"} & {f.partition(":")[0] for f in fields.split("\n")}
]
DAMAGES = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), st.binary(max_size=4)), max_size=2)


def _writers(way_back: WayBack) -> list[tuple[str, str, str | None]]:
    """From, To, and who has proved to have written it."""
    mine, theirs, us = way_back(MINE), way_back(THEIRS), way_back("")
    return [
        (MINE, mine, "anton"),
        (f"Anton {SCRIPT.replace('<', '(').replace('>', ')')} <{MINE}>", f"PBEM <{mine}>, {EVIL}", "anton"),
        (f'"{EVIL}" <{MINE}>', mine, "anton"),
        (THEIRS, theirs, "bert"),
        (THEIRS, f"{us}, {theirs}", "bert"),
        (MINE, us, None),
        (MINE, theirs, None),
        (OPERATOR, us, None),
        (OPERATOR, mine, None),
        (EVIL, us, None),
        (EVIL, mine, None),
        (f'"{MINE}" <{EVIL}>', mine, None),
        (f"{MINE} <{EVIL}>", mine, None),
        (f"{EVIL}\r\nSender: {MINE}\r\nReply-To: {MINE}", mine, None),
        *((forged, mine, None) for forged in FORGED),
        ("undisclosed:;", mine, None),
        ("", mine, None),
    ]


@st.composite
def letters(draw: st.DrawFn, way_back: WayBack) -> Made:
    """Any letter, with whoever may change something by it."""
    author, to, writer = draw(st.sampled_from(_writers(way_back)))
    certain = [f"From: {author}", f"To: {to}"]
    if draw(st.integers(0, 4)) == 0:
        certain, writer = [*draw(st.sampled_from(MACHINES)).split("\n"), *certain], None
    others = [f"Subject: {draw(SUBJECTS)}", draw(st.sampled_from(IDS))]
    others += draw(st.lists(st.sampled_from(EXTRAS), max_size=2))
    content = _field_lines(others) + draw(bodies())
    raw = _field_lines(certain) + _damaged(draw, content)
    return Made(raw=_returned(raw), writer=None) if draw(st.integers(0, 15)) == 0 else Made(raw=raw, writer=writer)


def _field_lines(fields: list[str]) -> bytes:
    return "".join(f"{field}\r\n" for field in fields if field).encode("utf-8", "surrogatepass")


def _damaged(draw: st.DrawFn, raw: bytes) -> bytes:
    """Some letters suffer on the way."""
    for where, length, piece in draw(DAMAGES):
        at = int(where * len(raw))
        raw = raw[:at] + piece + raw[at + length :]
    return raw


def _returned(letter: bytes) -> bytes:
    """A letter that comes back in a report, twice."""
    report = EXCHANGE.replace("austria: investor", "austria: import A lemberg").replace("\n", "\r\n").encode()
    return report.replace(b"From: PBEM", letter + b"From: PBEM")
