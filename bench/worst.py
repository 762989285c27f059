"""The worst letters that are known: what each costs, and how much mail it makes, beside an ordinary one.

Seconds are of the processor: from the raw letter to its answer and notices queued, and till these have gone out;
letters and bytes (text and HTML) are what goes out at once, but for a turn's reports and press. Bodies that are too
long to be read are tried as they are, and cut to what is. `python3 bench/worst.py [NAME ...]` runs those whose names
hold a word.
"""

from __future__ import annotations

import base64
import gc
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec import Struct

from pbem.bootstrap import Server
from pbem.core import chance
from pbem.host.ports import Mail
from tests.service.bureau import OPERATOR, Bureau, address

CUT = 1024 * 1024  # bytes of a letter that the mailbox hands over, as long as nothing else is set
SECONDS, LETTERS, KILOBYTES = 0.5, 20, 64  # no letter shall need, or make, more
STATEMENTS, LINES, CHARACTERS = 200, 500, 40_000  # of a letter that are read
REPORTS = re.compile(r"\.(press|reminder|stead)\.|imp-1\.\d+\.\w+@")


class Cost(Struct, frozen=True, kw_only=True):
    """What one letter in has made."""

    seconds: float  # to deal with it
    sending: float  # seconds to send what follows from it
    letters: int
    size: int  # bytes

    @property
    def is_too_much(self) -> bool:
        return max(self.seconds, self.sending) > SECONDS or self.letters > LETTERS or self.size > KILOBYTES * 1024


def lines(line: str, count: int, start: int = 0) -> str:
    """A letter of many such lines; `{n}` in it is the number of each."""
    return "\n".join(line.replace("{n}", str(n)) for n in range(start, start + count))


def nation(n: int) -> str:
    return ("austria", "italy", "france", "britain", "germany", "russia")[n % 6]


CHAIN = " else ".join(f"{nation(n)} {n % 9 + 1} - {n % 9 + 12}" for n in range(5_000))
BODIES: Mapping[str, str] = {
    "ordinary": "austria: import F trieste, A lemberg",
    "away lines": "\n".join(f"away from {n % 28 + 1}.12.2027 to {n % 28 + 1}.1.2028" for n in range(200)),
    "away, strangers as deputies": lines("away from 1.12.2027 to 1.1.2028 deputy v{n}@x.test", 200),
    "away and back": "\n".join(["away from 1.12.2027 to 1.1.2028", "away none"] * 100),
    "petition with conditions": "petition abort\n" + lines("if italy moves, A venice - trieste then I fight", 900),
    "petition, prose": "petition abort because\n"
    + lines("I am tired, and the war is {n} times too long for us all", 990),
    "petition, near orders": "petition abort\n"
    + lines("austria taxed the import of venice and A went to trieste", 990),
    "petitions": lines("petition abort because {n}\nend petition", 300),
    "petition and withdraw": "\n".join(
        f"petition abort because {n}\nend petition\nwithdraw P-{n}" for n in range(1, 150)
    ),
    "votes": lines("for P-1 because of {n}", 900),
    "petition, SET lines": "petition change all\n" + lines("SET slot_hours = {n}", 900),
    "replacements": "\n".join(
        f"petition replace bert by victim{n}@x.test: gone\nend petition\nwithdraw P-{n}" for n in range(1, 150)
    ),
    "interpretations": lines("interpret bert 1: he means {n}\nend petition", 400),
    "standing list": f"standing invest italy 4 - 12 else {CHAIN}"[:99_000],
    "standing lists": lines("standing invest italy 4 - 12 else france 9 else none", 900),
    "invest list": f"invest {CHAIN}"[:99_000],
    "press with else": "press to bert:\n" + lines("and then or else", 990),
    "press near orders": "press to all:\n" + lines("if germany taxed import 2 A vienna else whatever {n}", 990),
    "presses": lines("press to all: hello {n}\nend press", 450),
    "zones misspelt": lines("zone Eurpe/Brlinx{n}", 990),
    "languages": lines("language klingon{n}", 990),
    "languages, equal": lines("language de", 990),
    "addresses": lines("address v{n}@x.test", 500),
    "address, equal": lines("address victim@x.test", 500),
    "help": lines("help", 900),
    "help on everything": "\n".join(f"help {t}" for t in ("maneuver", "import", "invest", "press", "moderator") * 180),
    "records": lines("records france {n}", 900),
    "records, equal": lines("records", 900),
    "history": lines("history {n}", 900),
    "questions": "status\nboard\nhistory\nrules\norders\nclock\npetitions\nmove order\ngames\npress\nshow\n" * 80,
    "orders, equal": lines("austria: taxation", 990),
    "orders": "\n".join(f"{nation(n)}: import {n} A vienna" for n in range(990)),
    "orders on one line": "; ".join(["austria: taxation"] * 5_000),
    "orders with commas": ", ".join(["austria: taxation"] * 5_000),
    "orders misspelt": lines("austria: imprt {n} F triste, A lemburg", 990),
    "advance orders": "\n".join(
        f"advance {nation(n)}: if germany taxed import 2 A vienna else production" for n in range(900)
    ),
    "advance, many alternatives": "advance austria: if germany taxed " + " else ".join(["import 2 A vienna"] * 5_000),
    "a maneuver without end": "austria: maneuver\n" + lines("  A vienna - trieste via ionian", 990),
    "a maneuver, misspelt": "austria: maneuver\n" + lines("  A vienn{n} - triste via ionan", 990),
    "an import without end": "austria: import\n" + lines("{n} A vienna", 990),
    "commas": "austria: import " + "," * 90_000,
    "a long word": "austria: import " + "a" * 90_000,
    "a long line": "austria: import " + "A vienna, " * 9_500,
    "a line of signs": "austria: " + "- > + : ; " * 9_500,
    "dots": "austria: " + ". " * 45_000,
    "colons": ("pause " + "1 " * 45_000 + ":")[:99_000],
    "blanks": "petition" + " " * 90_000 + "x",
    "remark, blanks": "interpret " + "a " * 45_000,
    "SET, blanks": "petition change x\nSET a = b" + " " * 90_000 + "\n",
    "votes, blanks": "for" + " " * 90_000 + "x",
    "previews": "preview\n" + lines("austria: taxation", 900),
    "preview, maneuver": "preview\naustria: maneuver\n" + lines("  A vienna - trieste", 900),
    "parts as seats": "\n".join(f"as {seat}:\nausria: taxation" for seat in ("bert", "claudia", "anton") * 300),
    "gifts": lines("give austria 1", 900),
    "cancel and draft": "\n".join(["draft", "austria: taxation", "cancel"] * 300),
    "reports": lines("reports digest 1{n}:00", 900),
    "deep quote": "\n".join(">" * n + " quoted" for n in range(900)) + "\naustria: taxation",
    "words of all kinds": "\n".join(("and", "to", "else", "if", "then", "at", "none", "A", "F", "invest") * 99),
    "prose": lines("Well, this is a long story that I wanted to tell you about my holiday number {n}.", 990),
    "accents": "\n".join("ä̈" * 90 for _ in range(500)),
    "combining": "a" + "\u0301" * 90_000,
}
MODERATED: Mapping[str, str] = {
    "announcements": lines("announce: hello {n}\nresume: x", 450),
    "corrections": lines("correct treasury italy {n}: counted again", 900),
    "a long correction": "correct " + "; ".join(f"treasury italy {n}" for n in range(4_000)) + ": counted again",
    "pauses": lines("pause 2 days: {n}\nresume: {n}", 450),
    "extensions": lines("extend anton 12h: {n}", 900),
    "promotions": lines("promote m{n}@x.test", 900),
    "replacements by power": lines("replace bert by r{n}@x.test: gone", 900),
    "colons of powers": "correct " + ": " * 40_000,
    "powers misspelt": lines("paus {n} days because: of", 900),
    "acting for": lines("act for anton: austria: taxation", 900),
    "rewinding": lines("rewind to turn 1: again\nroll forward: and back", 450),
}


def raw_letters(bureau: Bureau) -> Iterator[tuple[str, bytes]]:
    """Whose form is the worst of them."""
    order = b"austria: import F trieste, A lemberg\r\n"

    def head(kind: str, more: str = "", to: str = bureau.way_back("anton")) -> bytes:
        fields = f"From: {address('anton')}\r\nTo: {to}\r\nSubject: Re: [imp-1] your turn\r\n{more}"
        return f"{fields}MIME-Version: 1.0\r\nContent-Type: {kind}\r\n\r\n".encode()

    part = b"--b\r\nContent-Type: %s\r\n\r\n%s\r\n"
    nested = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (n, n + 1) for n in range(2_000)
    )
    yield "60,000 parts", head("multipart/mixed; boundary=b") + b"--b\r\n\r\n" * 60_000 + order
    yield "25,000 empty texts", head("multipart/mixed; boundary=b") + part % (b"text/plain", b"") * 25_000
    yield "25,000 alternatives", head("multipart/alternative; boundary=b") + part % (b"text/html", b"") * 25_000
    yield "25,000 pictures", head("multipart/mixed; boundary=b") + part % (b"image/png", b"x") * 25_000
    yield "25,000 HTML parts", head("multipart/mixed; boundary=b") + part % (b"text/html", b"<p></p>") * 25_000
    yield "nested 80", head("multipart/mixed; boundary=b0") + nested[: 80 * 54] + order
    yield "nested 2,000", head("multipart/mixed; boundary=b0") + nested + order
    rfc822 = b"Content-Type: message/rfc822\r\n\r\n" * 5_000
    yield "messages in messages", head("message/rfc822") + rfc822 + order
    yield (
        "base64, 1 MB",
        head("text/plain", "Content-Transfer-Encoding: base64\r\n") + base64.encodebytes(order * 17_000),
    )
    picture = base64.encodebytes(bytes(700_000))
    yield (
        "a picture of 1 MB",
        head("multipart/mixed; boundary=b")
        + part % (b"text/plain", order)
        + (b"--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n" + picture),
    )
    yield (
        "quoted-printable, 1 MB",
        head("text/plain", "Content-Transfer-Encoding: quoted-printable\r\n") + b"=3D" * 340_000,
    )
    yield "HTML nested", head("text/html") + b"<div>" * 190_000 + order
    yield "HTML quotes nested", head("text/html") + b"<blockquote><p>x" * 50_000 + order
    yield "HTML table", head("text/html") + b"<table><tr><td>x</td></tr></table>" * 29_000 + order
    yield "HTML breaks", head("text/html") + b"<br>" * 250_000 + order
    yield "HTML styles", head("text/html") + b"<div style='a:b;%s'>x" % (b"c:d;" * 400) * 640 + order
    different = b"".join(b"<div style='a:%d;%s'>x" % (n, b"c:d;" * 400) for n in range(640))
    yield "HTML styles, all different", head("text/html") + different + order
    just = b"".join(b"<div style='left:%d;%s'>x" % (n, b"top:1;" * 31) for n in range(990))
    yield "HTML styles, as many as are read", head("text/html") + just + order
    yield "HTML entities", head("text/html") + b"&amp;" * 200_000 + order
    yield "lines, 100,000 empty", head("text/plain") + b"\r\n" * 99_000 + order
    yield (
        "lines, 90,000 quoted",
        head("text/plain") + order + b"\r\nOn Monday the adjudicator wrote:\r\n" + b"> x\r\n" * 90_000,
    )
    yield "one line of 1 MB", head("text/plain") + b"a " * 500_000
    yield "one line of dashes", head("text/plain") + b"-" * 900_000 + b"\r\n" + order
    yield "attributions", head("text/plain") + b"On Mon, 3 May 2027 at 10:00 somebody <a@b.c>\r\n" * 20_000
    yield "headings", head("text/plain") + (b"From: x\r\nSent: y\r\nTo: z\r\n" * 10_000)
    yield "footers", head("text/plain") + b"Sent from my\r\n" * 30_000
    yield "ruled", head("text/plain") + b"-----\r\n\r\n" * 20_000
    yield "flowed", head("text/plain; format=flowed; delsp=yes") + b"> > a \r\n" * 99_000
    yield "references", head("text/plain", "References: " + " <a@b.c>" * 60_000 + "\r\n") + order
    yield "references folded", head("text/plain", "References:" + "\r\n <a@b.c>" * 60_000 + "\r\n") + order
    people = ", ".join(f"p{n}@x.test" for n in range(20_000))
    yield "20,000 recipients", head("text/plain", f"Cc: {people}\r\n") + order
    yield "20,000 headers", head("text/plain", "X-Loop-Not: x\r\n" * 20_000) + order
    yield "20,000 Received", head("text/plain", "Delivered-To: a@b.c\r\n" * 20_000) + order
    yield "headers with brackets", head("text/plain", "Cc: " + "(" * 15_000 + "\r\n") + order
    yield "headers with quotes", head("text/plain", "Cc: " + '"\\' * 7_500 + "\r\n") + order
    yield "many headers with quotes", head("text/plain", ("Cc: " + '"\\' * 7_500 + "\r\n") * 50) + order
    yield "headers encoded", head("text/plain", "Cc: " + "=?utf-8?q?=41?= " * 900 + "\r\n") + order
    yield "parameters", head("text/plain" + "; a*0*=utf-8''x" * 120) + order
    yield "results", head("text/plain", "Authentication-Results: mx.x; dkim=pass\r\n" * 5_000) + order
    yield "PGP", head("text/plain") + b"-----BEGIN PGP SIGNED MESSAGE-----\r\n" * 20_000


def ready() -> Bureau:
    """A game of six under way; anton is asked for his first turn."""
    Bureau.office = Server  # wording is part of what it costs
    chance.draw = lambda *_: 0
    bureau = Bureau()
    bureau.open()
    bureau.write(OPERATOR, "status")  # the answer holds the operator's token
    return bureau


def measured(bureau: Bureau, raw: bytes) -> Cost:
    """What a letter costs, and what goes out because of it."""
    letter = bureau.mailbox.add(raw, bureau.clock.now(), cut=CUT)
    inbox = bureau.server.inbox()
    gc.collect()
    began = time.process_time()
    inbox.take(letter)
    taken = time.process_time()
    sent = bureau.tick()
    sending = time.process_time() - taken
    told = [mail for mail in sent if not REPORTS.search(mail.message_id)]
    return Cost(seconds=taken - began, sending=sending, letters=len(told), size=sum(map(_size, told)))


def _size(mail: Mail) -> int:
    return len(mail.text.encode()) + len((mail.html or "").encode())


def sizes(body: str) -> Iterator[tuple[str, str]]:
    """The body cut to as many things said, lines and characters as are read, and whole."""
    seen: set[str] = set()
    for count in (STATEMENTS - 2, LINES - 2):
        cut = "\n".join(body.split("\n")[:count])[: CHARACTERS - 100]
        if cut not in seen and cut != body:
            seen.add(cut)
            yield f", {count} lines", cut
    yield "", body


def letters(bureau: Bureau) -> Iterator[tuple[str, Callable[[Bureau], bytes]]]:
    for who, kind, bodies in (("anton", "", BODIES), (OPERATOR, "moderator: ", MODERATED)):
        for name, body in bodies.items():
            for size, cut in sizes(body):
                yield f"{kind}{name}{size}", lambda made, who=who, cut=cut: made.letter(who, cut)
    for name, raw in raw_letters(bureau):
        yield f"form: {name}", lambda _, raw=raw: raw


def main(wanted: list[str]) -> None:
    bureau = ready()
    usual = min(measured(bureau.copy(), bureau.letter("anton", BODIES["ordinary"])).seconds for _ in range(5))
    print(f"an ordinary letter: {usual * 1e3:.1f} ms of the processor\n")
    print("| letter | seconds | ordinary ones | sending | letters out | kB out | |\n|---|---|---|---|---|---|---|")
    for name, made in letters(bureau):
        if wanted and not any(word in name for word in wanted):
            continue
        copy = bureau.copy()
        cost = measured(copy, made(copy))
        flag = "too much" if cost.is_too_much else ""
        seconds = f"{cost.seconds:.2f} | {cost.seconds / usual:.0f} | {cost.sending:.2f}"
        told = f"{seconds} | {cost.letters} | {cost.size / 1024:.0f} | {flag}"
        print(f"| {name} | {told} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
