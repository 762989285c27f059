"""The postman: what he writes, one contract for the embedded post office and Postfix, and the whole round."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.adapters.composing import LOOP_HEADER, FromAddress, compose
from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp import SmtpSettings, SmtpTransport
from pbem.host.ports import Attachment, Mail, MailFolder, Undelivered
from tests import servers
from tests.fakes import FakeClock

GM, ANNA = "gm@pbem.test", "anna@pbem.test"
SENDER = FromAddress(address=GM, name="Schiedsrichter, der")
NOON = 1_700_000_000
TEXT = "Grüße = € 你好\n.\n..\nFrom here on\n" + "lang " * 300 + "\n\n-- \nPBEM\n"
OUTLOOK = "<AM6PR05MB1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ@AM6PR05MB1234567890.eurprd05.prod.outlook.com>"
MAIL = Mail(
    message_id="<imp-1.7.austria@pbem.test>",
    to=ANNA,
    subject="[imp-1] Österreich-Ungarn ist am Zug, und der Betreff ist so lang, daß er gefaltet werden muß",
    text=TEXT,
    html="<p>Grüße = €</p>\n",
    in_reply_to=OUTLOOK,
    references=("<first@example.test>", OUTLOOK),
    answers=True,
)


def read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


# -- composing ---


def test_the_headers_say_who_when_and_what() -> None:
    message = read(compose(MAIL, SENDER, NOON))
    assert message["From"] == '"Schiedsrichter, der" <gm@pbem.test>'
    assert (message["Reply-To"], message["To"]) == (GM, ANNA)
    assert message["Subject"] == MAIL.subject
    assert message["Date"] == "Tue, 14 Nov 2023 22:13:20 +0000"
    assert message["Message-ID"] == MAIL.message_id


def test_the_headers_keep_programs_from_answering() -> None:
    message = read(compose(MAIL, SENDER, NOON))
    assert message["Auto-Submitted"] == "auto-replied"
    assert read(compose(replace(MAIL, answers=False), SENDER, NOON))["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message[LOOP_HEADER] == GM


@pytest.mark.parametrize(
    ("subject", "reply_to", "link"),
    [
        ("[imp-1] It is your turn", None, b"pbem%2Bgames@pbem.test?subject=%5Bimp-1%5D%20"),
        ("It is your turn", "pbem+imp-1.7.3.ab@pbem.test", b"pbem%2Bimp-1.7.3.ab@pbem.test?subject=%5Bimp-1%5D%20"),
        ("[imp-1.7.3.ab] Your turn", None, b"pbem%2Bgames@pbem.test?subject=%5Bimp-1.7.3.ab%5D%20"),
    ],
)
def test_letters_about_a_game_are_a_list_to_be_sorted_by_and_to_be_left(
    subject: str, reply_to: str | None, link: bytes
) -> None:
    mail = replace(MAIL, game="imp-1", subject=subject, reply_to=reply_to)
    raw = compose(mail, replace(SENDER, address="pbem+games@pbem.test"), NOON)
    message = read(raw)
    assert message["List-Id"] == "<imp-1.pbem.test>"
    assert message["List-Post"] == "NO"
    assert b"\r\nList-Unsubscribe: <mailto:" + link + b"reports&body=reports%20mine>\r\n" in raw
    assert b"\r\nList-Help: <mailto:" + link + b"help&body=help>\r\n" in raw
    assert not [name for name in read(compose(MAIL, SENDER, NOON)) if name.startswith("List-")]


@given(
    st.lists(
        st.sampled_from(["[imp-12]", "Zug", "3", "·", "Großbritannien:", "Manöver", "„Frage“", "ß" * 40, "a" * 30])
    )
)
def test_a_subject_arrives_with_all_its_blanks(words: list[str]) -> None:
    message = read(compose(replace(MAIL, subject=" ".join(words)), SENDER, NOON))
    assert str(message["Subject"]).strip() == " ".join(words)


def test_no_line_is_longer_than_mail_may_be() -> None:
    """RFC 5322 section 2.1.1; an id that would not fit is not referred to."""
    mail = replace(
        MAIL,
        subject="ü" * 2_000 + "x" * 2_000,
        text="x" * 5_000,
        in_reply_to=f"<{'x' * 1_000}@b>",
        references=("<imp-1.game@pbem.test>", f"<{'x' * 1_000}@b>", f"<{'x' * 800}@b>"),
        game="imp-1",
    )
    raw = compose(mail, FromAddress(address=f"{'x' * 64}@pbem.test", name="ü" * 1_000), NOON)
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert read(raw)["References"] == f"<imp-1.game@pbem.test> <{'x' * 800}@b>"


def test_long_ids_are_not_folded_so_that_the_answer_is_threaded() -> None:
    raw = compose(MAIL, SENDER, NOON)
    assert f"\r\nIn-Reply-To: {OUTLOOK}\r\n".encode() in raw
    assert f"\r\nReferences: <first@example.test>\r\n {OUTLOOK}\r\n".encode() in raw


def test_an_answer_refers_at_least_to_what_it_answers() -> None:
    message = read(compose(replace(MAIL, references=()), SENDER, NOON))
    assert message["References"] == message["In-Reply-To"] == OUTLOOK
    assert read(compose(replace(MAIL, references=(), in_reply_to=None), SENDER, NOON))["References"] is None


def test_text_and_html_are_alternatives_in_quoted_printable() -> None:
    message = read(compose(MAIL, SENDER, NOON))
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert {part["Content-Transfer-Encoding"] for part in message.iter_parts()} == {"quoted-printable"}
    assert (body(message, "plain"), body(message, "html")) == (TEXT, MAIL.html)


def test_text_alone_is_a_simple_message() -> None:
    raw = compose(replace(MAIL, html=None), SENDER, NOON)
    assert read(raw).get_content_type() == "text/plain"
    assert body(read(raw), "plain") == TEXT
    assert raw.isascii()
    assert max(map(len, raw.partition(b"\r\n\r\n")[2].splitlines())) <= 76
    assert b"\n" not in raw.replace(b"\r\n", b"")


def test_the_same_mail_gives_the_same_bytes() -> None:
    assert compose(MAIL, SENDER, NOON) == compose(MAIL, SENDER, NOON)


@pytest.mark.parametrize("line_end", ["\r\n", "\n", "\r", "\x0b", "\x85", "\u2028", "\0"])
def test_nothing_in_a_mail_begins_another_header(line_end: str) -> None:
    evil = f"a{line_end}Bcc: all@pbem.test{line_end}{line_end}b"
    mail = replace(MAIL, subject=evil, in_reply_to=f"<a@b>{evil}", references=(evil,))
    message = read(compose(mail, FromAddress(address=GM, name=evil), NOON))
    assert message["Bcc"] is None
    assert (message["Subject"], message["In-Reply-To"]) == ("a Bcc: all@pbem.test b", "<a@b>")


NO_ADDRESSES = [
    f"{'x' * 300}@pbem.test",
    "anna@müller.test",
    "",
    "@",
    "anna",
    "a b@c",
    "a@b, c@d",
    "<a@b>",
    "ännä@pbem.test",
    "anna@=?utf-8?q?pbem.test?=",
    "a@b\r\nBcc: c@d",
]


@pytest.mark.parametrize("to", NO_ADDRESSES)
def test_what_is_no_address_is_refused(to: str) -> None:
    with pytest.raises(ValueError, match="is no address"):
        compose(replace(MAIL, to=to), SENDER, NOON)


def test_what_is_no_message_id_is_refused() -> None:
    with pytest.raises(ValueError, match="is no Message-ID"):
        compose(replace(MAIL, message_id="<a@b>\r\nBcc: all@pbem.test"), SENDER, NOON)


# -- what travels with it ---

PNG = bytes.fromhex("89504e470d0a1a0a") + bytes(range(256))
BOARD = Attachment(name="Spielplan, groß.png", type="image/png", data=PNG, cid="board.7@imp-1.pbem.test")
CHART = Attachment(name="chart.png", type="image/png", data=PNG[::-1], cid="chart@imp-1.pbem.test")
ICS = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
DATE = Attachment(name="frist.ics", type="text/calendar; method=PUBLISH; charset=utf-8", data=ICS)
LADEN = replace(MAIL, attachments=(BOARD, DATE, CHART))

Tree = str | tuple[str, list["Tree"]]


def tree(message: EmailMessage) -> Tree:
    """The media types of a message, each multipart with its parts."""
    if not message.is_multipart():
        return message.get_content_type()
    return message.get_content_subtype(), [tree(part) for part in message.iter_parts()]


def parts_of(message: EmailMessage, kind: str) -> list[EmailMessage]:
    return [part for part in message.walk() if part.get_content_type() == kind]


SHOWN: Tree = ("related", ["text/html", "image/png", "image/png"])


@pytest.mark.parametrize(
    ("mail", "expected"),
    [
        (LADEN, ("mixed", [("alternative", ["text/plain", SHOWN]), "text/calendar"])),
        (replace(LADEN, attachments=(BOARD, CHART)), ("alternative", ["text/plain", SHOWN])),
        (
            replace(LADEN, attachments=(DATE,)),
            ("mixed", [("alternative", ["text/plain", "text/html"]), "text/calendar"]),
        ),
        (replace(LADEN, html=None), ("mixed", ["text/plain", "image/png", "text/calendar", "image/png"])),
    ],
    ids=["both", "pictures", "file", "text alone"],
)
def test_pictures_go_with_the_html_and_files_with_the_whole(mail: Mail, expected: Tree) -> None:
    message = read(compose(mail, SENDER, NOON))
    assert tree(message) == expected
    assert body(message, "plain") == TEXT
    assert not [part.defects for part in message.walk() if part.defects]


def test_a_picture_is_shown_where_the_html_asks_for_it() -> None:
    message = read(compose(LADEN, SENDER, NOON))
    board, chart = parts_of(message, "image/png")
    assert board["Content-ID"] == f"<{BOARD.cid}>"
    assert (board.get_content_disposition(), board.get_filename()) == ("inline", BOARD.name)
    assert (board.get_content(), chart.get_content()) == (BOARD.data, CHART.data)
    assert parts_of(message, "multipart/related")[0].get_param("type") == "text/html"


def test_an_attached_file_arrives_as_it_was() -> None:
    (file,) = parts_of(read(compose(LADEN, SENDER, NOON)), "text/calendar")
    assert (file.get_content_disposition(), file.get_filename()) == ("attachment", DATE.name)
    assert file.get_payload(decode=True) == ICS
    assert dict(file["Content-Type"].params) == {"method": "PUBLISH", "charset": "utf-8"}


def test_a_laden_mail_gives_the_same_bytes_with_a_boundary_for_each_part() -> None:
    raw = compose(LADEN, SENDER, NOON)
    assert raw == compose(LADEN, SENDER, NOON)
    assert len({part.get_boundary() for part in read(raw).walk() if part.is_multipart()}) == 3
    assert raw.isascii()
    assert max(map(len, raw.partition(b"\r\n\r\n")[2].splitlines())) <= 76


@pytest.mark.parametrize("type_", ["", "png", "a/b/c", "image/png\r\nBcc: all@pbem.test", "image/pn\u0434"])
def test_what_is_no_media_type_is_refused(type_: str) -> None:
    with pytest.raises(ValueError, match="is no media type"):
        compose(replace(MAIL, attachments=(replace(DATE, type=type_),)), SENDER, NOON)


@pytest.mark.parametrize("cid", ["", "a b", "board>\r\nBcc: all@pbem.test"])
def test_what_is_no_content_id_is_refused(cid: str) -> None:
    with pytest.raises(ValueError, match="is no Content-ID"):
        compose(replace(MAIL, attachments=(replace(BOARD, cid=cid),)), SENDER, NOON)


def test_a_files_name_begins_no_header() -> None:
    evil = replace(DATE, name='a"\r\nBcc: all@pbem.test\r\n\r\nb')
    (file,) = parts_of(read(compose(replace(MAIL, attachments=(evil,)), SENDER, NOON)), "text/calendar")
    assert file["Bcc"] is None
    assert file.get_filename() == 'a" Bcc: all@pbem.test b'


# -- the contract on real servers ---


class Site:
    """A server with an account for Anna, our postman, and a look into her mailbox."""

    def __init__(self, host: str, port: int, letters: Callable[[], list[bytes]]) -> None:
        self.settings = SmtpSettings(host=host, port=port, sender=SENDER, security="none", timeout=5)
        self.letters = letters

    def wait_for(self, count: int) -> list[bytes]:
        end = time.monotonic() + 10
        while len(found := self.letters()) < count and time.monotonic() < end:
            time.sleep(0.02)
        return found


@contextmanager
def embedded(office: EmbeddedMailServer) -> Iterator[Site]:
    office.open_account(ANNA, "pw")
    settings = ImapSettings(host=office.host, port=office.imap_port, user=ANNA, password="pw", security="none")
    with closing(ImapMailbox(settings)) as mailbox:
        yield Site(office.host, office.smtp_port, lambda: [letter.raw for letter in mailbox.unread()])


@contextmanager
def on_postfix(postfix: servers.Postfix) -> Iterator[Site]:
    postfix.open_account(ANNA)
    yield Site(postfix.host, postfix.smtp_port, lambda: postfix.letters(ANNA))


@pytest.fixture(params=["embedded", pytest.param("postfix", marks=pytest.mark.mta)])
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    if request.param == "postfix":
        ground = on_postfix(request.getfixturevalue("postfix"))
    else:
        ground = embedded(request.getfixturevalue("post_office"))
    with ground as made:
        yield made


@pytest.fixture
def postman(site: Site, clock: FakeClock) -> Iterator[SmtpTransport]:
    with closing(SmtpTransport(site.settings, clock)) as made:
        yield made


def test_a_mail_arrives_as_it_was_composed(site: Site, postman: SmtpTransport, clock: FakeClock) -> None:
    clock.set(NOON)
    postman.send(MAIL)
    (raw,) = site.wait_for(1)
    message = read(raw)
    assert (body(message, "plain"), body(message, "html")) == (TEXT, MAIL.html)
    for name, value in read(compose(MAIL, SENDER, NOON)).items():
        assert message[name] == value
    assert message["Return-Path"] == f"<{GM}>"


def test_what_travels_with_a_mail_arrives_whole(site: Site, postman: SmtpTransport) -> None:
    postman.send(LADEN)
    (raw,) = site.wait_for(1)
    message = read(raw)
    assert tree(message) == ("mixed", [("alternative", ["text/plain", SHOWN]), "text/calendar"])
    assert [part.get_content() for part in parts_of(message, "image/png")] == [BOARD.data, CHART.data]


def test_an_unknown_recipient_is_refused_for_good_and_the_next_mail_goes(site: Site, postman: SmtpTransport) -> None:
    with pytest.raises(Undelivered, match="550") as refusal:
        postman.send(replace(MAIL, to="nobody@pbem.test"))
    assert refusal.value.permanent
    postman.send(MAIL)
    assert len(site.wait_for(1)) == 1


def test_a_repeated_mail_carries_the_same_id(site: Site, postman: SmtpTransport) -> None:
    postman.send(MAIL)
    postman.close()
    postman.send(MAIL)
    assert [read(raw)["Message-ID"] for raw in site.wait_for(2)] == [MAIL.message_id] * 2


def test_a_session_the_server_dropped_is_opened_again(site: Site, clock: FakeClock) -> None:
    with servers.wire(site.settings.port) as line:
        postman = SmtpTransport(replace(site.settings, port=line.port), clock)
        postman.send(MAIL)
        line.cut()
        postman.send(MAIL)
        postman.close()
    assert len(site.wait_for(2)) == 2


@pytest.mark.slow
@pytest.mark.dovecot
@pytest.mark.mta
def test_a_mail_goes_the_whole_round(real_mail: servers.RealMail, clock: FakeClock) -> None:
    real_mail.open_account(GM, "pw")
    settings = SmtpSettings(host=real_mail.host, port=real_mail.smtp_port, sender=SENDER, security="none")
    inbox = ImapSettings(host=real_mail.host, port=real_mail.imap_port, user=GM, password="pw", security="none")
    with closing(SmtpTransport(settings, clock)) as postman, closing(ImapMailbox(inbox)) as mailbox:
        assert list(mailbox.unread()) == []
        before = int(time.time())
        postman.send(replace(MAIL, to=GM))
        mailbox.wait(10)
        (letter,) = mailbox.unread()
        assert body(read(letter.raw), "plain") == TEXT
        assert before <= letter.arrived <= time.time()
        mailbox.shelve([(letter, MailFolder.done)])
        assert list(mailbox.unread()) == []
