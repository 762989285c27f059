"""What is read from letters: real shapes, and any bytes at all (section 5 of the order language)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.adapters.mime import as_document, read_letter
from pbem.host.ports import Letter
from tests.depth import examples_of

LETTERS = sorted((Path(__file__).parents[1] / "letters").glob("*.eml"))
REASONS = {"quote", "attribution", "signature", "footer", "end", "forward", "struck", "hidden"}
IGNORED = {None, "auto_submitted", "bounce", "list", "loop", "no_sender"}


def read(*lines: str) -> Letter:
    """A plain letter with those lines, header and body."""
    return read_letter("\r\n".join(lines).encode())


def body(*lines: str) -> Letter:
    return read("From: claudia@example.org", "", *lines)


# -- the corpus ---


def test_letter_is_read_as_written_beside_it(subtests: pytest.Subtests) -> None:
    for letter in LETTERS:
        expected = json.loads(letter.with_suffix(".json").read_text(encoding="utf-8"))
        with subtests.test(letter.stem):
            assert as_document(read_letter(letter.read_bytes())) == expected


def test_corpus_is_there_and_paired() -> None:
    assert len(LETTERS) >= 300
    assert {path.stem for path in LETTERS} == {path.stem for path in LETTERS[0].parent.glob("*.json")}


def test_line_ends_of_the_way_do_not_matter() -> None:
    for letter in LETTERS:
        raw = letter.read_bytes().replace(b"\r\n", b"\n")
        assert as_document(read_letter(raw)) == as_document(read_letter(raw.replace(b"\n", b"\r\n"))), letter


# -- the envelope ---


def test_header_fields() -> None:
    letter = read(
        "From: =?utf-8?q?J=C3=BCrgen?= <Juergen@EXAMPLE.org>",
        "Message-ID:",
        "  <a.b@example.org> ",
        "Subject: =?utf-8?q?Z=C3=BCge?=",
        "  of =?utf-8?q?the=0Aday?=",
        "References: <one@example.net>",
        "\t<two@example.net> <one@example.net>",
        "In-Reply-To: <three@example.net> (of today)",
        "",
        "investor",
    )
    assert (letter.sender, letter.name) == ("Juergen@example.org", "Jürgen")
    assert letter.id == "<a.b@example.org>"
    assert letter.subject == "Züge of the day"
    assert letter.references == ("<one@example.net>", "<two@example.net>", "<three@example.net>")
    assert letter.lines == ("investor",)


def test_letter_without_message_id_is_named_by_its_bytes() -> None:
    raw = b"From: claudia@example.org\r\n\r\ninvestor\r\n"
    assert read_letter(raw).id == read_letter(raw).id
    assert read_letter(raw).id.startswith("sha256:")
    assert read_letter(raw).id != read_letter(raw + b"\r\n").id


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252"])
def test_raw_bytes_in_headers(charset: str) -> None:
    letter = read_letter("From: Jürgen <j@example.org>\r\nSubject: Züge\r\n\r\n".encode(charset))
    assert (letter.sender, letter.name, letter.subject) == ("j@example.org", "Jürgen", "Züge")


def test_nothing_of_an_ignored_letter_is_read() -> None:
    letter = read("From: claudia@example.org", "Auto-Submitted: auto-replied", "", "investor", "> quoted")
    assert (letter.ignored, letter.lines, letter.cut) == ("auto_submitted", (), ())


# -- rules of the sorting that no single program shows ---


def test_attribution_whose_quote_was_deleted_hides_what_is_below() -> None:
    letter = body("On Tue, 3 Nov 2026 at 10:12, PBEM <pbem@example.net> wrote:", "", "austria: investor")
    assert letter.lines == ()
    assert [cut.why for cut in letter.cut] == ["attribution", "quote"]


def test_outlook_block_hides_all_below_even_behind_a_marked_line() -> None:
    letter = body("peace", "From: PBEM", "Sent: Tuesday", "To: me", "Subject: x", "> fight", "fight all")
    assert letter.lines == ("peace",)


def test_order_above_an_attribution_is_never_swallowed_by_it() -> None:
    letter = body("On 3.11.26 I wrote", "austria: investor", "On 4.11.26 10:12, PBEM wrote:", "> peace")
    assert letter.lines == ("On 3.11.26 I wrote", "austria: investor")


def test_labels_of_two_headers_are_prose() -> None:
    assert body("From: Vienna", "To: Trieste", "austria: investor").lines[-1] == "austria: investor"


@pytest.mark.parametrize("end", ["END", "end", "End.", "ENDE", "FINE"])
def test_end_line(end: str) -> None:
    letter = body("austria: investor", end, "peace", "> fight")
    assert letter.lines == ("austria: investor",)
    assert [(cut.why, cut.lines) for cut in letter.cut] == [("end", 3)]


def test_english_fine_and_the_word_end_in_a_line_are_prose() -> None:
    assert len(body("Fine.", "That is the end", "investor").lines) == 3


def test_own_line_below_a_signature_is_cut_but_its_quotes_are_named() -> None:
    letter = body("peace", "-- ", "Claudia", "> fight", "fight all")
    assert [(cut.why, cut.lines) for cut in letter.cut] == [("signature", 3), ("quote", 1)]


@pytest.mark.parametrize(
    "footer",
    [
        "Outlook für iOS beziehen",
        "Outlook für iOS<https://aka.ms/o0ukef>\r\nbeziehen",
        "[Outlook für iOS](https://aka.ms/o0ukef) beziehen",
        "Beziehen Sie Outlook für iOS",
        "Ottenere Outlook per iOS<https://aka.ms/o0ukef>",
        "Hämta Outlook för Android",
        "Get Outlook for Mac",
    ],
)
def test_what_outlook_says_of_itself_is_a_footer_in_any_language(footer: str) -> None:
    letter = body("investor", "", footer)
    assert (letter.lines, {cut.why for cut in letter.cut}) == (("investor",), {"footer"})


# -- what nobody sees, or the writer has struck out ---

LONG = f"font-family:{'x' * 3_000};"
STYLES = (
    "display:none",
    "DISPLAY : NONE !important",
    LONG + "display:none",
    "display:/* */none",
    "d\\69splay:none",
    "visibility:hidden",
    "visibility: collapse",
    "font-size:0",
    "font-size:0px",
    "font-size: 1px",
    "font:0/0 a",
    "opacity:0",
    "opacity: 0.0",
    "mso-hide:all",
    "max-height:0",
    "max-height:0px;overflow:hidden",
    "height:0;overflow:hidden",
    "width:0px;overflow:hidden",
    "line-height:0;overflow:hidden",
    "position:absolute;left:-9999px",
    "position:fixed;top:-100em",
    "text-indent:-999px",
    "margin-left:-5000px",
    "position:absolute;clip:rect(0 0 0 0)",
    "clip-path:inset(100%)",
    "transform:scale(0)",
    "color:#fff",
    "color:white",
    "color:rgb(255, 255, 255)",
    "color:#fefefe",
    "background:#000;color:black",
    "background-color:#123456;color:#123456",
    "display:none!important;display:block",
    "display:none;display:bogus",
    "--x:none;display:var(--x)",
    "display:var(--y,none)",
    "-webkit-clip-path:inset(100%)",
    "clip-path:ellipse(0 0)",
    "transform:scale3d(0,0,0)",
    "transform:matrix(0,0,0,0,0,0)",
    "-webkit-transform:scale(0.01)",
    "scale:0",
    "zoom:0",
    "translate:-9999px",
    "position:absolute;left:9999px",
    "position:absolute;left:calc(-9999px)",
    "position:absolute;left:-1e4px",
    "position:fixed;inset:-9999px",
    "margin:0 0 0 -9999px",
    "padding-left:9999px;width:10px;overflow:hidden",
    "text-indent:100%;white-space:nowrap;overflow:hidden",
    "opacity:1e-9",
    "opacity:1%",
    "filter:opacity(0)",
    "filter:alpha(opacity=0)",
    "font-size:0.01em",
    "font-size:1%",
    "font-size:0.1mm",
    "font:italic 700 1px/1 arial",
    "width:1px;height:1px;overflow:hidden",
    "height:0;overflow-x:hidden",
    "color:rgb(255 255 255 / 1)",
    "color:rgb(100%,100%,100%)",
    "color:hsl(0,0%,100%)",
    "color:#ffff",
    "color:whitesmoke",
    "background:red;color:#f00",
    "background:rebeccapurple;color:rebeccapurple",
)
UNSEEN = {  # by the reason: HTML in which "peace" must not be read
    "hidden": [
        *(f"<div style='{style}'>peace</div>" for style in STYLES),
        "<div style='color:transparent'>peace</div>",
        "<div style='color:rgba(1,2,3,0)'><b>peace</b></div>",
        "<div style='color:rgb(0 0 0 / 0)'>peace</div>",
        "<div style='color:#00000000'>peace</div>",
        "<div style='-webkit-text-fill-color:transparent'>peace</div>",
        "<div style='font-size:4px'><b style='font-size:40%'>peace</b></div>",
        "<details>peace</details>",
        "<font color=ffffff>peace</font>",
        "<table bgcolor=navy><tr><td><font color='#000080'>peace</font></table>",
        "<div hidden>peace</div>",
        "<font color=white>peace</font>",
        "<table bgcolor='#000000'><tr><td><font color='#000000'>peace</font></table>",
        "<div style='display:none'><b style='display:block'>peace</b></div>",
        "<div style='font-size:0'><b style='font-size:2em'>peace</b></div>",
        "<style>.x{display:none}</style><p class='a x'>peace</p>",
        "<style>/* .y */ p.x, .z { color : #FFF }</style><p class=x>peace</p>",
        "<style>@media screen { #x { visibility:hidden } }</style><p id=x>peace</p>",
        "<style><!-- div > .x {opacity:0} --></style><div><p class=x>peace</p></div>",
        "<style>[title]{display:none}</style><p title=a>peace</p>",
        "<style>p[class='x']{display:none}</style><p class=x>peace</p>",
        "<style>p.x:not(.y){display:none}</style><p class=x>peace</p>",
        "<style>div + p.x{display:none}</style><div></div><p class=x>peace</p>",
        "<style>em{display:none!important} em{display:inline}</style><em style='display:block'>peace</em>",
        "<style>em.x{display:none} em{display:inline}</style><em class=x>peace</em>",
        "<style>#q{display:none} .z{display:inline}</style><em id=q class=z>peace</em>",
        "<style>@media screen and (min-width:1px){.x{display:none}}</style><p class=x>peace</p>",
        "<style>@media not print{.x{display:none}}</style><p class=x>peace</p>",
        "<style>@supports (display:block){.x{display:none}}</style><p class=x>peace</p>",
        "<style>:root{--a:none}.x{display:var(--a)}</style><p class=x>peace</p>",
        "<style>.x\\79{display:none}</style><p class=xy>peace</p>",
        """<style>.x{content:"}";display:none</style><p class=x>peace</p>""",
    ],
    "struck": [
        "<del>peace</del>",
        "<s>peace</s>",
        "<strike>peace</strike>",
        "<span style='text-decoration: line-through'>peace</span>",
        "<span style='text-decoration-line:underline line-through'>peace</span>",
        "<style>.x{text-decoration:line-through}</style><span class=x>peace</span>",
        "<s><b>peace</b></s>",
    ],
}
SEEN = [  # as honest programs write
    "<div dir=ltr>peace</div>",
    "<p class=MsoNormal style='margin:0cm;font-size:11.0pt;color:windowtext;mso-fareast-language:EN-US'>peace</p>",
    "<body bgcolor=black><font color=white>peace</font></body>",
    "<body style='background:#000;color:#fff'><p>peace</p></body>",
    "<style>@media print { p {display:none} } @media (max-width:600px) { p {display:none} }</style><p>peace</p>",
    "<style>.x{display:none} p{margin:0}</style><p class=y>peace</p>",
    "<td style='font-size:0px'><div style='font-size:13px'>peace</div></td>",
    "<div style='visibility:hidden'><b style='visibility:visible'>peace</b></div>",
    "<div style='height:0'>peace</div>",
    "<div style='opacity:0.9;line-height:0.9;font-size:1em;max-height:100%'>peace</div>",
    "<div style='position:absolute;left:-4px;margin-left:-.25in;text-indent:-18.0pt'>peace</div>",
    "<div style='background:url(x.png);color:white'>peace</div>",
    "<ins>peace</ins>",
    "<span style='caret-color:rgb(0,0,0);color:rgb(0,0,0)'>peace</span>",
    "<style>p{text-decoration:none}</style><p>peace</p>",
    "<style>p::after{display:none} p:hover{color:white} p.y:empty{display:none}</style><p class=y>peace</p>",
    "<style>@media (prefers-color-scheme: dark){p{color:white}} @page x{margin:0}</style><p>peace</p>",
    "<style>p{display:none} p.y{display:block}</style><p class=y>peace</p>",
    "<div style='color:var(--fg,#222);background:Canvas;font:caption'>peace</div>",
    "<div style='font:12px/1.5 Arial;overflow:hidden;max-width:100%;margin:0 0 0 .8ex'>peace</div>",
    "<div style='background:linear-gradient(#000,#111);color:#fff'>peace</div>",
    "<div style='transform:none;filter:none;clip:auto;clip-path:none;zoom:1;opacity:100%'>peace</div>",
    "<details open>peace</details>",
]


def page(*html: str) -> Letter:
    return read("From: claudia@example.org", "Content-Type: text/html; charset=utf-8", "", *html)


@pytest.mark.parametrize("why", UNSEEN)
def test_what_nobody_sees_or_is_struck_out_is_not_played_but_named(why: str) -> None:
    for case in UNSEEN[why]:
        letter = page(f"<p>fight</p>{case}<p>investor</p>")
        assert letter.lines == ("fight", "investor"), case
        assert [(cut.why, cut.words) for cut in letter.cut] == [(why, ("peace",))], case


def test_what_honest_programs_write_is_read() -> None:
    for case in SEEN:
        letter = page(case)
        assert (letter.lines, letter.cut) == (("peace",), ()), case


def test_words_struck_out_within_a_line_leave_the_line() -> None:
    letter = page("<div>austria: <s>taxation</s> investor</div><blockquote>italy: <s>x</s> import</blockquote>")
    assert letter.lines == ("austria: investor",)
    assert [(cut.why, cut.words) for cut in letter.cut] == [("struck", ("taxation",)), ("quote", ())]


def test_where_words_are_struck_out_the_plain_alternative_is_not_read() -> None:
    def letter(html: str) -> Letter:
        parts = ("--b", "Content-Type: text/plain", "", "austria: taxation investor", "--b", "Content-Type: text/html")
        return read("From: a@b.c", "Content-Type: multipart/alternative; boundary=b", "", *parts, "", html, "--b--")

    assert letter("austria: <strike>taxation</strike> investor").lines == ("austria: investor",)
    assert letter("austria: investor<blockquote><s>x</s></blockquote>").lines == ("austria: taxation investor",)


# -- any bytes ---

raw_letters = st.sampled_from([path.read_bytes() for path in LETTERS])
fragments = st.one_of(
    st.binary(max_size=20),
    st.sampled_from(
        [
            b"\r\n",
            b"\x00",
            b"=?utf-8?b?=?=",
            b"Content-Type: multipart/mixed; boundary=",
            b"Content-Type: ;charset*=x''%",
            b"From: @<>,;:",
            b"Content-Disposition: ;;filename*0*=",
            b"charset=unicode_escape",
            b"charset=idna",
            b"charset=utf-7",
            b"Content-Transfer-Encoding: uuencode",
            b"<blockquote><table><pre>",
            b"<![foo <?xml encoding='x'?>",
            b"> ",
            b"-----BEGIN PGP SIGNED MESSAGE-----",
        ]
    ),
)
damages = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), fragments), min_size=1, max_size=6)


def assert_a_letter(letter: Letter) -> None:
    assert letter.id
    assert letter.ignored in IGNORED
    assert {cut.why for cut in letter.cut} <= REASONS
    assert all(cut.lines > 0 for cut in letter.cut)
    assert all(line == line.strip() and line and not line.startswith((">", "|")) for line in letter.lines)
    json.dumps(as_document(letter), ensure_ascii=False).encode()
    "".join((letter.id, letter.name, letter.subject, *letter.references)).encode()


@given(st.binary(max_size=2000))
def test_any_bytes_are_a_letter(raw: bytes) -> None:
    assert_a_letter(read_letter(raw))


@given(st.binary(max_size=300), st.binary(max_size=1000))
def test_any_header_and_body_are_a_letter(header: bytes, content: bytes) -> None:
    raw = b"From: claudia@example.org\r\nContent-Type: " + header + b"\r\n\r\n" + content
    assert_a_letter(read_letter(raw))


@given(raw_letters, damages)
@settings(max_examples=examples_of(150), suppress_health_check=[HealthCheck.too_slow])
def test_damaged_letters_are_letters(raw: bytes, damage: list[tuple[float, int, bytes]]) -> None:
    for where, length, fragment in damage:
        at = int(where * len(raw))
        raw = raw[:at] + fragment + raw[at + length :]
    assert_a_letter(read_letter(raw))


@given(st.text(max_size=500), st.sampled_from(["text/plain", "text/plain; format=flowed", "text/html"]))
def test_any_text_is_a_letter(content: str, kind: str) -> None:
    head = f"From: claudia@example.org\r\nContent-Type: {kind}; charset=utf-8\r\n\r\n"
    assert_a_letter(read_letter(head.encode() + content.encode("utf-8", "surrogatepass")))


nested = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(3000))
MIXED = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
HOSTILE = {
    "parts in parts": nested + b"\r\ninvestor\r\n",
    "divs in divs": b"Content-Type: text/html\r\n\r\n" + b"<div>" * 100_000 + b"investor",
    "quotes in quotes": b"Content-Type: text/html\r\n\r\n" + b"<blockquote>x" * 100_000,
    "one long line": b"\r\nOn 2026 " + b"wrote " * 200_000,
    "many attributions": b"\r\n" + b"On 3 Nov 2026 at 10:12\r\n" * 50_000,
    "rules": b"\r\n" + b"---\r\n\r\n" * 100_000,
    "signed again": b"\r\n" + b"-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\n" * 30_000,
    "millions of characters": b"\r\n" + b"x" * 3_000_000,
    "millions of spaces": b"Content-Type: text/html\r\n\r\n<p>a" + b" " * 3_000_000 + b"b",
    "millions of NULs": b"\r\n" + b"\0" * 3_000_000,
    "line ends": b"\r\n" + b"\r" * 1_000_000,
    "dated addresses": b"\r\n" + b"2026-11-03 10:12 a@b.c\r\n" * 30_000,
    "flowed": b"Content-Type: text/plain; format=flowed\r\n\r\n" + b"a \r\n" * 95_000,
    "empty lines in base64": b"Content-Transfer-Encoding: base64\r\n\r\n" + b"CgoKCgoK" * 500_000,
    "parts beside parts": MIXED + b"--b\r\nContent-Type: text/html\r\n\r\n<p>\r\n" * 20_000,
    "signatures beside signatures": MIXED + b"--b\r\nContent-Type: application/pkcs7-mime\r\n\r\nMIAGCSqG\r\n" * 5_000,
    "boundaries": MIXED + b"--bb\r\n" * 200_000,
    "parameters": b"Content-Type: text/plain; " + b"a=b; " * 100_000 + b"\r\n\r\nx",
    "parameters in pieces": b"Content-Type: text/plain"
    + b"".join(b"; charset*%d*=x" % n for n in range(20_000))
    + b"\r\n\r\nx",
    "a long boundary": b"Content-Type: multipart/mixed; boundary=" + b"x" * 5_000_000 + b"\r\n\r\n",
    "fields": b"X: a\r\n" * 50_000 + b"\r\nx",
    "senders": b"From: a@b.c\r\n" * 50_000 + b"\r\nx",
    "a folded field": b"Subject: " + b"x\r\n " * 200_000 + b"\r\n\r\n",
    "references": b"References: " + b"<a@b> " * 500_000 + b"\r\n\r\n",
    "many rules": b"Content-Type: text/html\r\n\r\n<style>"
    + b".a{color:red}" * 8_000
    + b"</style>"
    + b"<p class=a>x" * 20_000,
    "open braces": b"Content-Type: text/html\r\n\r\n<style>" + b"@media x{a{" * 100_000 + b"</style>x",
    "open comments": b"Content-Type: text/html\r\n\r\n<p style='" + b"/*" * 300_000 + b"'>x",
    "a long style": b"Content-Type: text/html\r\n\r\n<blockquote style='" + b"margin:" * 300_000 + b"'>x",
    "entities in entities": b"Content-Type: text/html\r\n\r\n<!DOCTYPE l [<!ENTITY a '" + b"&b;" * 10 + b"'>]><p>&a;",
    "a long subject": b"Subject: " + b"=?utf-8?q?a?= " * 50_000 + b"\r\n\r\n",
    "marks that nothing closes": b"Cc: " + b'"\\' * 400_000 + b"\r\n\r\n",
    "empty tags": b"Content-Type: text/html\r\n\r\n" + b"<br>" * 125_000,
    "a long list of addresses": b"From: " + b"a <" * 100_000 + b"\r\nX-Loop: x\r\nTo: " + b"a" * 500_000 + b"\r\n\r\n",
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_letters_are_read_to_the_end(hostile: str) -> None:
    assert_a_letter(read_letter(b"From: claudia@example.org\r\n" + HOSTILE[hostile]))


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_a_letter_of_more_than_a_person_writes_is_not_read_at_all(kind: str) -> None:
    line = b"investor\r\n" if kind == "plain" else b"investor<br>"
    head = f"From: claudia@example.org\r\nContent-Type: text/{kind}\r\n\r\n".encode()
    letter = read_letter(head + line * 100_001)
    assert (letter.unreadable, letter.lines) == ("long", ())
    assert len(read_letter(head + line * 500).lines) == 500


def test_a_letter_of_more_styles_than_a_program_writes_is_not_read_at_all() -> None:
    def read_of(ways: int) -> Letter:
        styles = (b"left:%d;%s" % (number % ways, b"top:1;" * 99) for number in range(1_000))
        page = b"".join(b"<span style='%s'></span>" % style for style in styles) + b"<p>investor"
        return read_letter(b"From: claudia@example.org\r\nContent-Type: text/html\r\n\r\n" + page)

    assert [read_of(ways).lines for ways in (1, 490)] == [("investor",)] * 2
    assert (read_of(510).unreadable, read_of(510).lines) == ("long", ())


@pytest.mark.parametrize("own", [b"investor\r\n" * 501, b"investor " * 5_000])
def test_own_words_are_fewer_than_what_they_answer(own: bytes) -> None:
    letter = read_letter(b"From: claudia@example.org\r\n\r\n" + own)
    assert (letter.unreadable, letter.lines) == ("long", ())
    quoted = b"show\r\n\r\n" + b"> " + own.replace(b"\r\n", b"\r\n> ")
    assert read_letter(b"From: claudia@example.org\r\n\r\n" + quoted).lines == ("show",)


def test_a_letter_is_taken_apart_into_so_many_parts_at_most() -> None:
    head = b"From: claudia@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    part, nested = b"--b\r\nContent-Type: %s\r\n\r\n%s\r\n", b"--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    orders = part % (b"text/plain", b"investor")
    assert read_letter(head + orders + part % (b"image/png", b"x") * 190).lines == ("investor",)
    for many in (part % (b"image/png", b"x") * 300, part % (b"text/html", b"") * 300, nested * 2_000):
        letter = read_letter(head + orders + many)
        assert (letter.sender, letter.unreadable, letter.lines) == ("claudia@example.org", "parts", ())


def test_an_endless_message_id_is_none() -> None:
    letter = read(
        "From: claudia@example.org", f"Message-ID: <{'x' * 2_000}@example.org>", f"References: <{'x' * 2_000}>"
    )
    assert letter.id.startswith("sha256:")
    assert letter.references == ()


def test_an_endless_address_can_not_be_answered() -> None:
    assert read(f"From: {'x' * 300}@example.org").ignored == "no_sender"


def test_nothing_outside_is_fetched() -> None:
    """Neither entities nor pictures nor scripts: what is not written in the letter is not there."""
    page = "<!DOCTYPE p [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><p>a&e;<img src=http://x.example><script>b</script>"
    letter = read("From: claudia@example.org", "Content-Type: text/html", "", page)
    assert "root" not in "".join(letter.lines)
    assert letter.lines[-1] == "a&e;"
