"""Looks at the mailbox and the mail server, and sends itself a letter: the part of `pbem check` that talks."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from email import message_from_bytes

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError
from msgspec import Struct

from pbem.adapters.checks.findings import Check, broken, good, poor, remedy
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.adapters.smtp import SmtpSettings, SmtpTransport
from pbem.host.ports import Clock, Mail, MailboxDown, MailFolder, PostDown, Undelivered

LATE, TOO_LATE = 30, 300  # seconds by which two clocks may differ
FULL = 0.9  # of a quota
_LOOK = 2.0  # seconds between two looks whether a daemon has shelved our letter
_TLS = (993, 465)  # RFC 8314 section 3
_LOCAL = ("localhost", "127.0.0.1", "::1")
_PROBE = "Message-ID: <{id}>\r\nSubject: pbem check\r\n\r\nThis letter may be thrown away.\r\n"


class MailCheck(Struct, frozen=True, kw_only=True):
    """Whoever looks, and at what."""

    imap: ImapSettings
    smtp: SmtpSettings
    clock: Clock
    tags: bool  # do our letters count on addresses with a tag?

    def examine(self) -> Iterator[Check]:
        """What both servers say of themselves."""
        yield from self._mailbox()
        yield from self._post()

    # -- the mailbox ---

    def _mailbox(self) -> Iterator[Check]:
        settings = self.imap
        if settings.port in _TLS and settings.security != "tls":
            yield _speaks_tls("mailbox", settings.port)
            return
        if settings.security == "none" and settings.host not in _LOCAL:
            yield _in_clear("mailbox")
        with closing(ImapMailbox(settings)) as mailbox:
            try:
                with mailbox.connected() as client:
                    where = f"{settings.host}:{settings.port} ({settings.security})"
                    yield good("mailbox", f"{settings.user} is let in at {where}")
                    yield from _talents(client)
                    yield from _room(client, mailbox.folders[0])
                    yield from self._shelf(client, mailbox.folders[1][MailFolder.done])
            except MailboxDown as down:
                yield broken("mailbox", str(down), remedy(str(down)))

    def _shelf(self, client: IMAPClient, folder: str) -> Iterator[Check]:
        """Put a letter there and take it away again: its date is what the server's clock says."""
        before = self.clock.now()
        probe = f"check.{time.time_ns()}@pbem"
        try:
            client.append(folder, _PROBE.format(id=probe).encode())
            client.select_folder(folder)
            uids = client.search(["HEADER", "Message-ID", probe])
            dates = [part[b"INTERNALDATE"] for part in client.fetch(uids, ["INTERNALDATE"]).values()]
            client.delete_messages(uids, silent=True)
            if client.has_capability("UIDPLUS"):
                client.uid_expunge(uids)
        except IMAPClientError as refusal:
            mend = "see to the mailbox's quota and rights: letters that are dealt with have to go there"
            yield broken("mailbox", f"nothing can be put into {folder}: {refusal}", mend)
            return
        yield good("mailbox", f"letters can be put into {folder}")
        if dates:
            yield _clocks(int(dates[0].timestamp()), before, self.clock.now())

    # -- the mail server ---

    def _post(self) -> Iterator[Check]:
        settings = self.smtp
        if settings.port in _TLS and settings.security != "tls":
            yield _speaks_tls("post", settings.port)
            return
        if settings.security == "none" and settings.host not in _LOCAL and settings.user is not None:
            yield _in_clear("post")
        with closing(SmtpTransport(settings, self.clock)) as transport:
            try:
                smtp = transport.session()
            except PostDown as down:
                yield broken("post", str(down), remedy(str(down)))
                return
            who = settings.user or "anybody"
            yield good("post", f"{who} is let in at {settings.host}:{settings.port} ({settings.security})")
            yield from self._envelopes(smtp)

    def _envelopes(self, smtp: smtplib.SMTP) -> Iterator[Check]:
        """May we send in our own name, and in the way that the settings want?"""
        ours = self.smtp.sender.address
        local, _, domain = ours.rpartition("@")
        ways = {"from": ours, "nowhere": "", "tagged": f"{local}+bounce.check@{domain}"}
        mends = {"from": "write as smtp.from an address that this account may use"}
        for way in dict.fromkeys(("from", self.smtp.bounces)):
            code, words = smtp.mail(ways[way])
            said = words.decode("utf-8", "replace")
            with suppress(smtplib.SMTPException, OSError):
                smtp.rset()
            if code == 250:
                yield good("post", f"letters may come from <{ways[way]}>")
            else:
                mend = mends.get(way, "write smtp.bounces: from")
                yield broken("post", f"no letter may come from <{ways[way]}>: {code} {said}", mend)

    # -- a letter to ourselves ---

    def send_letters(self, patience: float) -> Iterator[Check]:
        """Send one letter to our address and one to it with a tag; see how long they take, for so many seconds."""
        ours = self.smtp.sender.address
        local, _, domain = ours.rpartition("@")
        stamp = time.time_ns()
        letters = {
            f"<check.plain.{stamp}@{domain}>": ours,
            f"<check.tagged.{stamp}@{domain}>": f"{local}+check@{domain}",
        }
        plain, tagged = letters
        refused: dict[str, str] = {}
        began = time.monotonic()
        with closing(SmtpTransport(self.smtp, self.clock)) as transport:
            for id_, to in letters.items():
                try:
                    transport.send(_letter(id_, to))
                except (Undelivered, PostDown) as failure:
                    refused[id_] = str(failure)
        try:
            with closing(ImapMailbox(self.imap)) as mailbox:
                found = _await(mailbox, [id_ for id_ in letters if id_ not in refused], patience)
        except MailboxDown as down:
            yield broken("letter", str(down), remedy(str(down)))
            return
        yield _arrival(plain, ours, refused, found, began)
        yield from _signature(found.get(plain))
        if plain in found:
            yield self._tagged(letters[tagged], refused.get(tagged), arrived=tagged in found)

    def _tagged(self, address: str, refusal: str | None, *, arrived: bool) -> Check:
        if arrived:
            return good("letter", f"the mailbox takes letters to {address}")
        told = f"a letter to {address} " + (f"was refused: {refusal}" if refusal else "did not arrive")
        if not self.tags and self.smtp.bounces != "tagged":
            return good("letter", f"{told}, and the settings do not count on it")
        return broken("letter", told, "write mailbox.tags: false and smtp.bounces: from, or let the mailbox take such")


def _speaks_tls(about: str, port: int) -> Check:
    """Either side would wait for the other to begin."""
    return broken(about, f"{port} is a port for TLS from the first byte on", "write security: tls")


class _Arrived(Struct, frozen=True):
    """A letter of ours that has come back to us."""

    raw: bytes
    at: float  # by the monotonic clock


def _talents(client: IMAPClient) -> Iterator[Check]:
    if client.has_capability("IDLE"):
        yield good("mailbox", "it tells of new letters at once (IDLE)")
    else:
        told = "it does not tell of new letters (no IDLE): they are noticed at the next look"
        yield poor("mailbox", told, "lower mailbox.poll_seconds, if that is too late")
    if client.has_capability("MOVE") or client.has_capability("UIDPLUS"):
        yield good("mailbox", "letters can be moved one by one")
    else:
        told = "it can't move letters one by one (neither MOVE nor UIDPLUS): what else is marked as deleted goes along"
        yield poor("mailbox", told, "use the mailbox for nothing else")


def _room(client: IMAPClient, inbox: str) -> Iterator[Check]:
    if client._imap.is_readonly:
        yield broken("mailbox", f"{inbox} can only be read", "let the account write there: letters have to be moved")
    quotas = client.get_quota_root(inbox)[1] if client.has_capability("QUOTA") else []
    for quota in quotas:
        if quota.limit and quota.usage > FULL * quota.limit:
            told = f"{quota.usage} of {quota.limit} are used up ({quota.resource.lower()})"
            yield poor("mailbox", told, "empty the folder of letters that are dealt with")


def _clocks(stamped: int, before: int, after: int) -> Check:
    """Orders are filed by the mailbox's clock and lapse by ours."""
    apart = max(before - stamped, stamped - after, 0)
    told = f"the mailbox's clock and ours are {apart} seconds apart"
    mend = "see to the clock of this machine (NTP), or tell your mail host: orders are filed by the mailbox's clock"
    if apart > TOO_LATE:
        return broken("mailbox", told, mend)
    return poor("mailbox", told, mend) if apart > LATE else good("mailbox", told)


def _in_clear(about: str) -> Check:
    return broken(about, "the password would go over the network in clear", "write security: tls, or starttls")


def _letter(id_: str, to: str) -> Mail:
    text = "pbem check has sent this letter to see whether it arrives. It may be thrown away.\n"
    return Mail(message_id=id_, to=to, subject="[pbem] check", text=text)


def _await(mailbox: ImapMailbox, wanted: Sequence[str], patience: float) -> dict[str, _Arrived]:
    """Those that have arrived; they are shelved. A daemon that is at work may have shelved them before us."""
    found: dict[str, _Arrived] = {}
    end = time.monotonic() + patience
    while len(found) < len(wanted):
        found |= _shelved(mailbox, [id_ for id_ in wanted if id_ not in found])
        for letter in mailbox.unread():
            id_ = _id(letter.raw)
            if id_ in wanted:
                found.setdefault(id_, _Arrived(letter.raw, time.monotonic()))
                mailbox.shelve([(letter, MailFolder.done)])
        left = end - time.monotonic()
        if left <= 0:
            break
        if len(found) < len(wanted):
            mailbox.wait(min(left, _LOOK))
    return found


def _shelved(mailbox: ImapMailbox, wanted: Sequence[str]) -> dict[str, _Arrived]:
    found: dict[str, _Arrived] = {}
    with mailbox.connected() as client:
        client.select_folder(mailbox.folders[1][MailFolder.done], readonly=True)
        for id_ in wanted:
            for part in client.fetch(client.search(["HEADER", "Message-ID", id_]), ["BODY.PEEK[HEADER]"]).values():
                found[id_] = _Arrived(part.get(b"BODY[HEADER]", b""), time.monotonic())
    return found


def _id(raw: bytes) -> str:
    return str(message_from_bytes(raw)["Message-ID"] or "").strip()


def _arrival(id_: str, address: str, refused: dict[str, str], found: dict[str, _Arrived], began: float) -> Check:
    if id_ in refused:
        return broken("letter", f"a letter to {address} was refused: {refused[id_]}", "players would fare no better")
    if id_ not in found:
        mend = "see whether letters to smtp.from come into this mailbox's inbox, or into a folder for spam"
        return broken("letter", f"a letter to {address} did not arrive in time", mend)
    return good("letter", f"a letter to {address} arrived after {found[id_].at - began:.0f} seconds")


def _signature(arrived: _Arrived | None) -> Iterator[Check]:
    """What the mailbox's server says of senders (RFC 8601), for whoever wants to count on it."""
    told = message_from_bytes(arrived.raw)["Authentication-Results"] if arrived else None
    if told is not None:
        name = str(told).split(";", 1)[0].split()[0]
        yield good("letter", f"the mailbox's server signs what it says of senders as {name} (mailbox.authserv_id)")
