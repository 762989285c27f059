"""What reports say of the letters of ours that they bring back, in the words of many mail servers."""

from __future__ import annotations

import pytest

from pbem.adapters.mime import read_letter
from pbem.host.ports import Bounce

OURS = "<imp-1.41.ann@pbem.example>"
TICKET = "imp-1.41.3.abcdefgh2345"
RETURNED = f"""\
Received: from pbem.example by mx.example.net; Tue, 3 Nov 2026 10:12:13 +0100
From: PBEM <pbem@pbem.example>
To: ann@example.org
Subject: [imp-1] Turn 12: Austria-Hungary, your move
Message-ID: {OURS}
Reply-To: pbem+{TICKET}@pbem.example
X-PBEM-Loop: pbem@pbem.example

austria: investor
"""
WORDS = """\
This is the mail system at host mx.example.net.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients.

<ann@example.org>: host mx.example.org[192.0.2.1] said: 550 5.1.1
    <ann@example.org>: Recipient address rejected: User unknown
"""


def read(text: str) -> Bounce | None:
    letter = read_letter(text.replace("\n", "\r\n").encode())
    assert (letter.lines, letter.ignored is None) == ((), False)
    return letter.bounce


def dsn(status: str, *, head: str = "", returned: str = RETURNED, kind: str = "message/rfc822") -> str:
    return f"""\
Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.example.net>
To: pbem@pbem.example
Subject: Undelivered Mail Returned to Sender
Message-ID: <20261103101213.1@mx.example.net>
{head}MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b/mx"

--b/mx
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

{WORDS}
--b/mx
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
Arrival-Date: Tue,  3 Nov 2026 10:12:13 +0100 (CET)

{status}
--b/mx
Content-Description: Undelivered Message
Content-Type: {kind}

{returned}
--b/mx--
"""


POSTFIX = """\
Final-Recipient: rfc822; ann@example.org
Original-Recipient: rfc822;Ann+games@example.org
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; 550 5.1.1 <ann@example.org>: Recipient address rejected
"""


def test_postfix() -> None:
    told = read(dsn(POSTFIX))
    assert told == Bounce(
        fate="refused", addresses=("Ann+games@example.org", "ann@example.org"), original=OURS, tickets=(TICKET,)
    )
    assert told.permanent


def status(action: str, code: str, recipient: str = "rfc822; ann@example.org") -> str:
    return f"Final-Recipient: {recipient}\nAction: {action}\nStatus: {code}\n"


# What stands in the report of RFC 3464, and what became of the letter.
STATUSES = {
    status("failed", "5.1.1"): "refused",
    status("Failed (user unknown)", "5.0.0 (permanent)"): "refused",
    status("error", "5.3.0"): "refused",  # OpenSMTPD
    status("failed", "4.4.7"): "expired",
    status("failed", "4.2.2") + "\n" + status("failed", "5.1.1", "rfc822; bert@example.org"): "refused",
    "Final-Recipient: rfc822; ann@example.org\nAction: failed\n": "refused",
    status("delayed", "4.4.1") + "Will-Retry-Until: Sun, 8 Nov 2026 10:12:13 +0100\n": "delayed",
    status("failed", "5.1.1") + "\n" + status("delayed", "4.4.1", "rfc822; bert@example.org"): "refused",
    status("delivered", "2.1.5"): None,
    status("relayed", "2.1.9"): None,
    status("expanded", "2.0.0"): None,
}


@pytest.mark.parametrize("blocks", STATUSES)
def test_fate_by_status(blocks: str) -> None:
    told = read(dsn(blocks))
    assert (told.fate if told else None) == STATUSES[blocks]
    assert told is None or told.original == OURS


def test_only_those_who_did_not_get_it_are_named() -> None:
    told = read(dsn(status("failed", "5.1.1") + "\n" + status("delayed", "4.4.1", "rfc822; bert@example.org")))
    assert told.addresses == ("ann@example.org",)


@pytest.mark.parametrize(
    "recipient", ["rfc822;ann@example.org", "RFC822; <ann@EXAMPLE.org>", "<ann@example.org>", "ann@example.org"]
)
def test_ways_to_write_the_recipient(recipient: str) -> None:
    assert read(dsn(status("failed", "5.1.1", recipient))).addresses == ("ann@example.org",)


def test_headers_alone_are_enough() -> None:
    assert read(dsn(POSTFIX, kind="text/rfc822-headers", returned=RETURNED.partition("\n\n")[0])).original == OURS


def test_without_a_copy_the_report_s_own_references_tell() -> None:
    head = f"In-Reply-To: {OURS}\nReferences: <imp-1@pbem.example> {OURS}\n"
    assert read(dsn(POSTFIX, head=head, kind="text/plain", returned="")).original == OURS
    assert read(dsn(POSTFIX, kind="text/plain", returned="")).original is None


EXCHANGE = f"""\
From: Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org>
To: <pbem@pbem.example>
Date: Tue, 3 Nov 2026 09:12:14 +0000
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="_0e1c2d_"
Content-Language: en-GB
Message-ID: <a1b2-c3d4@DB9PR02MB.eurprd02.prod.outlook.com>
In-Reply-To: {OURS}
References: {OURS}
Subject: Undeliverable: [imp-1] Turn 12
Auto-Submitted: auto-replied
X-MS-Exchange-Message-Is-Ndr:

--_0e1c2d_
Content-Type: multipart/alternative; differences=Content-Type; boundary="_alt_"

--_alt_
Content-Type: text/plain; charset="us-ascii"

Delivery has failed to these recipients or groups:
ann@example.org<mailto:ann@example.org>
The email address you entered couldn't be found.
Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found'
--_alt_
Content-Type: text/html; charset="us-ascii"

<p>Delivery has failed to these recipients or groups:</p>
--_alt_--
--_0e1c2d_
Content-Type: message/delivery-status

Reporting-MTA: dns;DB9PR02MB.eurprd02.prod.outlook.com

Final-recipient: RFC822;ann@example.org
Action: failed
Status: 5.1.10
Diagnostic-code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound
X-Display-Name: ann@example.org

--_0e1c2d_
Content-Type: message/rfc822

{RETURNED}
--_0e1c2d_--
"""

GMAIL = f"""\
Return-Path: <>
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: pbem@pbem.example
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
References: {OURS}
In-Reply-To: {OURS}
X-Failed-Recipients: ann@example.org
Message-ID: <65c1.170a0220.8b3a.GMR@mx.google.com>
Content-Type: multipart/report; boundary="000000b1"; report-type=delivery-status

--000000b1
Content-Type: multipart/related; boundary="000000b2"

--000000b2
Content-Type: multipart/alternative; boundary="000000b3"

--000000b3
Content-Type: text/plain; charset="UTF-8"

** Address not found **

Your message wasn't delivered to ann@example.org because the address couldn't be found.

The response was:
550 5.1.1 The email account that you tried to reach does not exist.
--000000b3--
--000000b2--
--000000b1
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
X-Original-Message-ID: {OURS}

Final-Recipient: rfc822; ann@example.org
Action: failed
Status: 5.1.1

--000000b1
Content-Type: message/rfc822

{RETURNED}
--000000b1--
"""

EXIM = f"""\
Return-path: <>
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.net>
To: pbem@pbem.example
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1kZ-0001@mx.example.net>
X-Failed-Recipients: ann@example.org

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@example.org
    SMTP error from remote mail server after RCPT TO:<ann@example.org>:
    550 5.1.1 unknown user

------ This is a copy of the message, including all the headers. ------

Return-path: <pbem@pbem.example>
{RETURNED}"""

EXIM_LATE = f"""\
Return-path: <>
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.net>
Subject: Warning: message 1kZ-0001 delayed 24 hours
Message-Id: <E1kZ-0002@mx.example.net>
Content-Type: multipart/report; report-type=delivery-status; boundary=1604-eximdsn-1
MIME-Version: 1.0

--1604-eximdsn-1
Content-type: text/plain; charset=us-ascii

A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on mx.example.net.
No action is required on your part.

--1604-eximdsn-1
Content-type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Action: delayed
Final-Recipient: rfc822;ann@example.org
Status: 4.0.0
--1604-eximdsn-1
Content-type: text/rfc822-headers

{RETURNED}
--1604-eximdsn-1--
"""

QMAIL = f"""\
Return-Path: <>
From: MAILER-DAEMON@mx.example.net
To: pbem@pbem.example
Subject: failure notice

Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.org>:
192.0.2.1 does not like recipient.
Remote host said: 550 5.1.1 unknown user
Giving up on 192.0.2.1.

--- Below this line is a copy of the message.

Return-Path: <pbem@pbem.example>
{RETURNED}"""

SENDMAIL = f"""\
From: Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>
Subject: Returned mail: see transcript for details
Auto-Submitted: auto-generated (failure)
Content-Type: multipart/report; report-type=delivery-status; boundary="m/mx"
MIME-Version: 1.0

--m/mx

The original message was received at Tue, 3 Nov 2026 10:12:13 +0100

   ----- The following addresses had permanent fatal errors -----
<ann@example.org>
    (reason: 550 5.1.1 <ann@example.org>... User unknown)

--m/mx
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: RFC822; ann@example.org
X-Actual-Recipient: RFC822; ann@inside.example.org
Action: failed
Status: 5.1.1

--m/mx
Content-Type: text/rfc822-headers

{RETURNED}
--m/mx--
"""

KUNDENSERVER = f"""\
Return-Path: <>
From: Mail Delivery System <mailer-daemon@kundenserver.example>
Subject: Mail delivery failed: returning message to sender
Auto-Submitted: auto-replied

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. The following addresses failed:

    <ann@example.org>

SMTP error from remote server for RCPT TO command, host: mx.example.org (192.0.2.1) reason: 552 5.2.2 mailbox full

--- The header of the original message is following. ---

{RETURNED}"""

YAHOO = f"""\
Return-Path: <>
From: MAILER-DAEMON@yahoo.example
Subject: Failure Notice
Content-Type: text/plain; charset=utf-8

Sorry, we were unable to deliver your message to the following address.

<ann@example.org>:
550: Requested action not taken: mailbox unavailable

--- Below this line is a copy of the message.

{RETURNED}"""

EXPIRED = f"""\
Return-Path: <>
From: MAILER-DAEMON@mx.example.net
Subject: failure notice

Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.

<ann@example.org>:
CNAME lookup failed temporarily. (#4.4.3)
I'm not going to try again; this message has been in the queue too long.

--- Below this line is a copy of the message.

{RETURNED}"""

REPORTS = {
    "exchange": (EXCHANGE, "refused"),
    "gmail": (GMAIL, "refused"),
    "exim": (EXIM, "refused"),
    "exim late": (EXIM_LATE, "delayed"),
    "qmail": (QMAIL, "refused"),
    "qmail expired": (EXPIRED, "expired"),
    "sendmail": (SENDMAIL, "refused"),
    "kundenserver": (KUNDENSERVER, "refused"),
    "yahoo": (YAHOO, "refused"),
}


@pytest.mark.parametrize("name", REPORTS)
def test_reports_as_servers_write_them(name: str) -> None:
    text, fate = REPORTS[name]
    assert read(text) == Bounce(fate=fate, addresses=("ann@example.org",), original=OURS, tickets=(TICKET,))


COMPLAINT = f"""\
From: <complaints@isp.example>
To: <abuse@pbem.example>
Subject: FW: [imp-1] Turn 12
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="part1"

--part1
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report for an email message received from IP 192.0.2.2.

--part1
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <pbem@pbem.example>
Original-Rcpt-To: <Ann+games@example.org>

--part1
Content-Type: message/rfc822
Content-Disposition: inline

{RETURNED}
--part1--
"""


@pytest.mark.parametrize("kind", ["message/rfc822", "text/rfc822-headers", "text/plain"])
@pytest.mark.parametrize(
    ("subject", "returned"),
    [
        ("[imp-1] Turn 12: Austria-Hungary, your move", f"Reply-To: pbem+{TICKET}@pbem.example"),
        (f"[{TICKET}] Turn 12: Austria-Hungary, your move", "Reply-To: pbem@pbem.example"),
        (f"[{TICKET}]\n Turn 12", "Reply-To: pbem@pbem.example"),
    ],
)
def test_what_only_our_letter_held_is_found_in_its_header(kind: str, subject: str, returned: str) -> None:
    copy = RETURNED.replace(f"Reply-To: pbem+{TICKET}@pbem.example", returned)
    copy = copy.replace("[imp-1] Turn 12: Austria-Hungary, your move", subject)
    assert read(dsn(POSTFIX, returned=copy, kind=kind)).tickets == (TICKET,)


def test_a_complaint() -> None:
    assert read(COMPLAINT) == Bounce(
        fate="complaint", addresses=("Ann+games@example.org",), original=OURS, tickets=(TICKET,)
    )
    redacted = COMPLAINT.replace("Original-Rcpt-To: <Ann+games@example.org>\n", "")
    assert read(redacted).addresses == ("ann@example.org",)


MDN = f"""\
From: Ann <ann@example.org>
Subject: Read: [imp-1] Turn 12
Content-Type: multipart/report; report-type=disposition-notification; boundary=b
Original-Message-ID: {OURS}

--b
Content-Type: text/plain

The message has been displayed.
--b
Content-Type: message/disposition-notification

Final-Recipient: rfc822; ann@example.org
Original-Message-ID: {OURS}
Disposition: manual-action/MDN-sent-manually; displayed

--b--
"""


def test_a_receipt_is_no_bounce() -> None:
    assert read(MDN) is None


def test_what_only_comes_from_nowhere_says_nothing() -> None:
    assert read("Return-Path: <>\nFrom: ann@example.org\n\naustria: investor\n") is None


def test_a_player_s_letter_is_no_bounce_whatever_is_in_it() -> None:
    letter = read_letter(f"From: ann@example.org\r\n\r\n{QMAIL}".encode())
    assert (letter.ignored, letter.bounce) == (None, None)


HOSTILE = {
    "long text": QMAIL + "<ann@example.org>:\n" * 200_000,
    "short lines": QMAIL + "\n" * 290_000,
    "many recipients": dsn(f"{POSTFIX}\n" * 5_000),
    "reports in reports": dsn(POSTFIX, returned=dsn(POSTFIX, returned=RETURNED)),
    "no status at all": dsn(""),
    "no block": dsn("").replace("message/delivery-status", "message/delivery-status; boundary=b"),
    "a broken address": dsn(status("failed", "5.1.1", "rfc822; \udcff<>@@,;;:")).encode("utf-8", "replace").decode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_reports_are_read_to_the_end(name: str) -> None:
    read(HOSTILE[name])
