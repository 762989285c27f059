"""`pbem check`: what it finds in good servers and bad ones, and that it says how each thing is mended."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from imapclient import IMAPClient

from pbem.adapters.checks.findings import remedy
from pbem.adapters.clock import SystemClock
from pbem.adapters.embedded_server import EmbeddedMailServer
from pbem.adapters.store.sql import SqlStore
from pbem.cli.main import main
from pbem.demo import HOST, PASSWORD
from tests import servers
from tests.scripted import Line, SmtpScript
from tests.scripted_imap import ImapScript

SETTINGS = """\
mailbox: {{host: 127.0.0.1, port: {imap}, security: none, user: pbem@pbem.test, password_file: secret}}
smtp: {{host: 127.0.0.1, port: {smtp}, security: none, from: pbem@pbem.test}}
operator: operator@pbem.test
"""


class Found(NamedTuple):
    code: int
    text: str

    def lines(self, verdict: str) -> list[str]:
        return [line.partition(" ")[2].strip() for line in self.text.splitlines() if line.startswith(verdict)]

    @property
    def broken(self) -> str:
        """What is broken, and that each of it can be mended."""
        told = self.lines("broken")
        assert self.text.count("to mend it: ") == len(told) + len(self.lines("poor"))
        assert (self.code, bool(told)) in ((0, False), (1, True)), self.text
        return "\n".join(told)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the server lives; its mail servers are not there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    (tmp_path / "secret").write_text(PASSWORD)
    (tmp_path / "secret").chmod(0o600)
    imap, smtp = servers.free_ports(2)
    write(tmp_path, imap, smtp)
    return tmp_path


@pytest.fixture
def office(folder: Path) -> Iterator[EmbeddedMailServer]:
    """A server whose mail servers are there."""
    with EmbeddedMailServer({HOST: PASSWORD}, SystemClock()) as made:
        write(folder, made.imap_port, made.smtp_port)
        yield made


def write(folder: Path, imap: int, smtp: int, **more: str) -> None:
    text = SETTINGS.format(imap=imap, smtp=smtp)
    for old, new in more.items():
        text = text.replace(f"{old}:", f"{new}, {old}:")
    (folder / "pbem.yaml").write_text(text)


def check(*options: str) -> Found:
    result = CliRunner().invoke(main, ["check", *options])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return Found(result.exit_code, result.output)


# -- good servers ---


def test_where_all_is_well_nothing_is_left_to_mend(office: EmbeddedMailServer) -> None:
    found = check("--letter")
    assert found.broken == ""
    assert found.lines("poor") == []
    told = "\n".join(found.lines("good"))
    for word in (
        "secret is read by nobody else",
        "whole",
        "MB are free",
        "IDLE",
        "0 seconds apart",
        "arrived",
        "+check",
    ):
        assert word in told
    assert found.text.rstrip().endswith("0 poor, 0 broken")


def test_nothing_is_left_behind_but_letters_that_are_dealt_with(office: EmbeddedMailServer) -> None:
    check("--letter")
    with client_of(office) as client:
        counts = {name: client.folder_status(name)[b"MESSAGES"] for _, _, name in client.list_folders()}
    assert counts["INBOX"] == 0
    assert counts["pbem-done"] == 2


def client_of(office: EmbeddedMailServer) -> IMAPClient:
    client = IMAPClient(office.host, office.imap_port, ssl=False, timeout=600)
    client.plain_login(HOST, PASSWORD)
    return client


@pytest.mark.dovecot
@pytest.mark.mta
def test_over_dovecot_and_postfix_all_is_well(folder: Path, real_mail: servers.RealMail) -> None:
    real_mail.open_account(HOST, PASSWORD)
    write(folder, real_mail.imap_port, real_mail.smtp_port)
    found = check("--letter")
    assert found.broken == ""
    assert any("arrived after" in line for line in found.lines("good"))


def test_a_database_of_ours_is_read_by_nobody_else(tmp_path: Path) -> None:
    store = SqlStore(f"sqlite:///{tmp_path / 'new.sqlite'}")
    store.close()
    assert {file.stat().st_mode & 0o077 for file in tmp_path.glob("new.sqlite*")} == {0}


# -- servers that are not there, or don't let us in ---


def test_servers_that_are_not_there(folder: Path) -> None:
    found = check("--letter")
    assert found.code == 1
    assert found.broken.count("Connection refused") == 3
    assert "see to host and port" in found.text


def test_a_wrong_password(office: EmbeddedMailServer, folder: Path) -> None:
    (folder / "secret").write_text("sesame")
    found = check()
    assert "refuses the login" in found.broken
    assert "app password" in found.text
    assert "sesame" not in found.text


def test_a_port_that_speaks_tls_is_not_waited_for(folder: Path) -> None:
    text = (folder / "pbem.yaml").read_text()
    ports = re.sub(r"port: \d+", "port: 993", text, count=1)
    (folder / "pbem.yaml").write_text(re.sub(r"(smtp: .*)port: \d+", r"\1port: 465", ports))
    found = check()
    assert "993 is a port for TLS" in found.broken
    assert "465 is a port for TLS" in found.broken
    assert "write security: tls" in found.text


def test_a_certificate_that_has_run_out() -> None:
    told = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)"
    assert "have it renewed" in remedy(told)
    assert "the name that the certificate is made out to" in remedy(told.replace("has expired", "is self-signed"))


def test_what_helps_is_not_read_out_of_a_path() -> None:
    assert "app password" in remedy("(535, b'5.7.8 authentication failed')")
    assert "the last copy that is whole" in remedy("sqlite:////tmp/run-535/pbem.sqlite: file is not a database")


def test_passwords_in_clear(folder: Path) -> None:
    text = (folder / "pbem.yaml").read_text()
    (folder / "pbem.yaml").write_text(text.replace("127.0.0.1", "localhost.invalid"))
    found = check()
    assert "in clear" in found.broken
    assert "there is no such host" in found.text


# -- what the settings and the files are like ---


def test_settings_that_were_not_filled_in(office: EmbeddedMailServer, folder: Path) -> None:
    text = (folder / "pbem.yaml").read_text()
    text = text.replace("from: pbem@pbem.test", "from: pbem@example.org, bounces: tagged")
    text = text.replace("operator@pbem.test", "pbem@example.org").replace("mailbox: {", "mailbox: {tags: false, ")
    (folder / "pbem.yaml").write_text(text)
    found = check().broken
    assert "our letters would come from pbem@example.org" in found
    assert "alarms would be taken for letters gone round" in found
    assert "what can't be delivered would be lost" in found


def test_an_address_that_no_letter_can_come_from(office: EmbeddedMailServer, folder: Path) -> None:
    text = (folder / "pbem.yaml").read_text()
    (folder / "pbem.yaml").write_text(text.replace("from: pbem@pbem.test", "from: 'pb,em@pbem.test'"))
    assert "no letter can be written" in check().broken


def test_files_that_others_can_read_or_write(office: EmbeddedMailServer, folder: Path) -> None:
    check()
    for name, mode in (("secret", 0o644), ("pbem.yaml", 0o666), ("pbem.sqlite", 0o644)):
        (folder / name).chmod(mode)
    found = check()
    assert f"{folder}/secret holds a secret, and others on this machine can read it" in found.broken
    assert "can write pbem.yaml" in found.broken
    assert "every sealed order" in "".join(found.lines("poor"))
    assert f"chmod 600 {folder}/secret" in found.text


def test_a_database_that_is_damaged(office: EmbeddedMailServer, folder: Path) -> None:
    check()
    file = folder / "pbem.sqlite"
    raw = bytearray(file.read_bytes())
    raw[4096 * 3 : 4096 * 5] = os.urandom(4096 * 2)
    file.write_bytes(raw)
    found = check()
    assert "database" in found.broken
    file.write_text("This is no database, but a rather long text. " * 100)
    found = check()
    assert "not a database" in found.broken
    assert "put back the last copy that is whole" in found.text


def test_a_database_in_a_folder_that_is_not_there(office: EmbeddedMailServer, folder: Path) -> None:
    with (folder / "pbem.yaml").open("a") as settings:
        settings.write("database: nowhere/pbem.sqlite\n")
    assert "can't be opened" in check().broken


@pytest.mark.parametrize(("free", "verdict"), [(10_000_000, "broken"), (400_000_000, "poor"), (10**10, "good")])
def test_a_disk_with_little_room(
    office: EmbeddedMailServer, monkeypatch: pytest.MonkeyPatch, free: int, verdict: str
) -> None:
    usage = type(shutil.disk_usage("/"))(10**12, 0, free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert f"{free // 1_000_000} MB are free" in "".join(check().lines(verdict))


# -- mailboxes with faults ---


def look_at(folder: Path, imap: ImapScript, smtp: SmtpScript, *options: str) -> Found:
    write(folder, imap.port, smtp.port)
    return check(*options)


def test_a_mailbox_of_few_talents(folder: Path) -> None:
    with ImapScript(capabilities="IMAP4rev1 AUTH=PLAIN") as imap, SmtpScript() as smtp:
        found = look_at(folder, imap, smtp)
    assert found.broken == ""
    assert len(found.lines("poor")) == 2
    assert "no IDLE" in found.text
    assert "neither MOVE nor UIDPLUS" in found.text


def test_a_mailbox_that_can_only_be_read(folder: Path) -> None:
    with ImapScript() as imap, SmtpScript() as smtp:
        imap.writable = False
        imap.always("APPEND", "NO [CANNOT] not here")
        found = look_at(folder, imap, smtp)
    assert "INBOX can only be read" in found.broken
    assert "nothing can be put into pbem-done" in found.broken


@pytest.mark.parametrize(("apart", "verdict"), [(3_600, "broken"), (-100, "poor"), (0, "good")])
def test_a_mailbox_whose_clock_is_wrong(folder: Path, apart: int, verdict: str) -> None:
    with ImapScript() as imap, SmtpScript() as smtp:
        imap.fast = apart
        found = look_at(folder, imap, smtp)
        assert imap.inbox == []
    assert any("seconds apart" in line for line in found.lines(verdict)), found.text


def test_a_mailbox_that_is_almost_full(folder: Path) -> None:
    def quota(line: Line, tag: str, arguments: str) -> None:
        line.say(f'* QUOTAROOT INBOX ""\r\n* QUOTA "" (STORAGE 950 1000)\r\n{tag} OK done')

    with ImapScript(capabilities="IMAP4rev1 AUTH=PLAIN IDLE MOVE QUOTA") as imap, SmtpScript() as smtp:
        imap.always("GETQUOTAROOT", quota)
        found = look_at(folder, imap, smtp)
    assert "950 of 1000 are used up" in "".join(found.lines("poor"))


# -- mail servers with faults ---


def test_a_mail_server_that_knows_another_sender(folder: Path) -> None:
    with ImapScript() as imap, SmtpScript({"mail": "550 5.7.60 not as that sender"}) as smtp:
        found = look_at(folder, imap, smtp)
    assert "no letter may come from <pbem@pbem.test>: 550 5.7.60" in found.broken


@pytest.mark.parametrize(("bounces", "path"), [("nowhere", "<>"), ("tagged", "<pbem+bounce.check@pbem.test>")])
def test_a_mail_server_that_takes_no_other_return_path(folder: Path, bounces: str, path: str) -> None:
    with ImapScript() as imap, SmtpScript({"mail": [None, "501 no"]}) as smtp:
        write(folder, imap.port, smtp.port, **{"from": f"bounces: {bounces}"})
        found = check()
    assert f"no letter may come from {path}" in found.broken
    assert "smtp.bounces: from" in found.text


def test_letters_that_do_not_arrive(folder: Path) -> None:
    with ImapScript() as imap, SmtpScript() as smtp:
        found = look_at(folder, imap, smtp, "--letter", "--patience", "1")
    assert "a letter to pbem@pbem.test did not arrive in time" in found.broken
    assert "a folder for spam" in found.text
    assert len(smtp.letters) == 2


@pytest.mark.parametrize("tags", [True, False])
def test_a_mailbox_that_takes_no_tags(office: EmbeddedMailServer, folder: Path, tags: bool) -> None:
    with SmtpScript({"rcpt": [None, "550 no such user"]}) as smtp:
        letters = smtp.letters
        settings = {} if tags else {"user": "tags: false"}
        write(folder, office.imap_port, smtp.port, **settings)
        smtp.on_delivery = lambda: forward(office, letters[-1].raw)
        found = check("--letter", "--patience", "5")
    told = "a letter to pbem+check@pbem.test was refused"
    assert told in (found.broken if tags else "".join(found.lines("good")))
    assert ("mailbox.tags: false" in found.text) == tags


def forward(office: EmbeddedMailServer, raw: bytes) -> None:
    """What came in by our scripted server comes into the mailbox, with what its server says of the sender."""
    with client_of(office) as client:
        client.append("INBOX", b"Authentication-Results: mx.pbem.test; dkim=pass\r\n" + raw)
