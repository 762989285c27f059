"""Letters that nobody wrote: their headers as programs of every kind make them, and letters of people that look alike."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.adapters.mime import read_letter
from pbem.host.ports import Letter

SUBJECT = "Re: [imp-1] Turn 12: Austria-Hungary, your move"


def letter(fields: str) -> Letter:
    """A letter from Ann with those fields, one a line; From and Subject may be among them."""
    lines = fields.splitlines()
    given = {line.partition(":")[0].lower() for line in lines}
    usual = {"from": "From: Ann <ann@example.org>", "to": "To: pbem@pbem.example", "subject": f"Subject: {SUBJECT}"}
    head = [*lines, *(line for field, line in usual.items() if field not in given)]
    return read_letter("\r\n".join([*head, "", "austria: investor", ""]).encode())


# Out-of-office replies and their like: what is in them says so, or never reaches a person.
AUTOMATIC = {
    "rfc 3834 replied": "Auto-Submitted: auto-replied",
    "rfc 3834 generated": "Auto-Submitted: auto-generated",
    "rfc 3834 notified": "Auto-Submitted: auto-notified; owner-email=ann@example.org",
    "rfc 3834 unknown": "Auto-Submitted: x-something-new",
    "rfc 3834 in capitals": "AUTO-SUBMITTED: Auto-Replied (vacation)",
    "rfc 3834 after a comment": "Auto-Submitted: (I am away) auto-replied",
    "rfc 3834 twice": "Auto-Submitted: no\nAuto-Submitted: auto-replied",
    "gmail en": "Return-Path: <>\nSubject: Out of office Re: [imp-1] Turn 12\nPrecedence: bulk\nX-Autoreply: yes\nAuto-Submitted: auto-replied",
    "gmail de": "Subject: Abwesend Re: [imp-1] Zug 12\nPrecedence: bulk\nX-Autoreply: yes",
    "gmail fr": "Subject: Absent(e) Re: [imp-1]\nPrecedence: bulk\nX-Autoreply: yes",
    "gmail ja": "Subject: =?utf-8?b?5LiN5Zyo6YCa55+lIFJlOiBbaW1wLTFd?=\nPrecedence: bulk",
    "gmail it": "Subject: Fuori ufficio Re: [imp-1]\nPrecedence: bulk",
    "outlook.com": "Subject: Automatic reply: [imp-1] Turn 12\nX-Auto-Response-Suppress: All\nAuto-Submitted: auto-generated",
    "exchange 2016 de": "Subject: Automatische Antwort: [imp-1] Zug 12\nX-MS-Exchange-Inbox-Rules-Loop: ann@example.org",
    "exchange online fr": "Subject: =?utf-8?q?R=C3=A9ponse_automatique_:_=5Bimp-1=5D?=\nx-ms-exchange-generated-message-source: Mailbox Rules Agent",
    "exchange online ja": "Subject: =?iso-2022-jp?B?GyRCPCtGMDF+RXobKEI6IFtpbXAtMV0=?=\nX-Auto-Response-Suppress: All",
    "exchange 2007": "Subject: Out of Office: [imp-1]\nX-Auto-Response-Suppress: All",
    "exchange 2003": "Subject: Out of Office AutoReply: [imp-1]\nX-MimeOLE: Produced By Microsoft Exchange V6.5",
    "exchange 2003 de": "Subject: Abwesenheitsnotiz: [imp-1]\nContent-class: urn:content-classes:message",
    "exchange fr, bare": "Subject: =?iso-8859-1?q?R=E9ponse_automatique_d=27absence_du_bureau_:_=5Bimp-1=5D?=",
    "exchange 2003 it": "Subject: Fuori sede: [imp-1]",
    "exchange it, bare": "Subject: Risposta automatica: [imp-1]",
    "exchange es, bare": "Subject: Respuesta automática: [imp-1]",
    "exchange pt, bare": "Subject: Resposta automática: [imp-1]",
    "exchange nl, bare": "Subject: Automatisch antwoord: [imp-1]",
    "exchange sv, bare": "Subject: Autosvar: [imp-1]",
    "exchange da, bare": "Subject: Automatisk svar: [imp-1]",
    "exchange fi, bare": "Subject: Automaattinen vastaus: [imp-1]",
    "exchange pl, bare": "Subject: Odpowiedź automatyczna: [imp-1]",
    "exchange cs, bare": "Subject: Automatická odpověď: [imp-1]",
    "exchange hu, bare": "Subject: Automatikus válasz: [imp-1]",
    "exchange ru, bare": "Subject: Автоматический ответ: [imp-1]",
    "exchange el, bare": "Subject: Αυτόματη απάντηση: [imp-1]",
    "exchange tr, bare": "Subject: Otomatik yanıt: [imp-1]",
    "exchange ja, bare": "Subject: 自動応答: [imp-1]",
    "exchange zh, bare": "Subject: 自动答复: [imp-1]",
    "exchange zh wide colon": "Subject: 自动回复：[imp-1]",
    "exchange ko, bare": "Subject: 자동 회신: [imp-1]",
    "lotus notes 8": "Subject: AUTO: Ann Meier is out of the office (returning 05.11.2026)\nX-Mailer: Lotus Domino Web Server",
    "lotus notes 6": "Subject: Ann Meier/DE/ACME is out of the office.\nX-Mailer: Lotus Notes Release 6.5",
    "lotus notes de": "Subject: AUTO: Ann Meier ist außer Haus (Rückkehr am 05.11.2026)",
    "lotus notes fr": "Subject: AUTO : Ann Meier est absente (retour 05/11/2026)",
    "lotus notes it": "Subject: AUTO: Ann Meier è fuori sede (rientro 05/11/2026)",
    "icloud": "Subject: Auto: [imp-1]\nAuto-Submitted: auto-replied\nX-Sieve: Pigeonhole Sieve 0.5.21",
    "dovecot sieve": "Return-Path: <>\nX-Sieve: Pigeonhole Sieve 0.4\nAuto-Submitted: auto-replied (vacation)\nPrecedence: bulk\nX-Auto-Response-Suppress: All",
    "cyrus sieve": "X-Sieve: CMU Sieve 2.4\nAuto-Submitted: auto-replied (vacation)",
    "zimbra": "Precedence: bulk\nAuto-Submitted: auto-replied (zimbra; vacation)",
    "gmx": "Subject: Abwesenheitsnotiz\nAuto-Submitted: auto-replied\nX-Auto-Response-Suppress: All",
    "vacation(1)": "Subject: away from my mail\nPrecedence: bulk\nDelivered-By-The-Graces-Of: The Vacation program",
    "vacation(1), fields cut": "Subject: away from my mail\nPrecedence: bulk",
    "postfixadmin": "X-Loop: Postfix Admin Virtual Vacation\nPrecedence: junk\nSubject: Urlaub",
    "cpanel": "X-Autorespond: [imp-1] Turn 12\nSubject: I am away",
    "exim autoreply": "Auto-Submitted: auto-replied\nSubject: Re: your letter",
    "plesk": "X-Autoresponder: yes",
    "kerio": "X-Auto-Reply: true",
    "mail autoreply": "X-Mail-Autoreply: ann@example.org",
    "autoreply from": "X-AutoReply-From: ann@example.org",
    "confixx": "Precedence: auto_reply",
    "x-precedence": "X-Precedence: auto_reply",
    "preference": "Preference: auto_reply",
    "firstclass": "X-FC-MachineGenerated: true",
    "critical path": "X-POST-MessageClass: 9; Autoresponder",
    "mailenable": "Delivered-To: Autoresponder",
    "x-autogenerated": "X-Autogenerated: Reply",
    "yahoo": "Subject: Yahoo! Auto Response",
    "otrs": "X-Powered-By: OTRS\nAuto-Submitted: auto-replied\nPrecedence: bulk",
    "zendesk": "X-Auto-Response-Suppress: All\nX-Mailer: Zendesk Mailer",
    "suppressed in a list": "X-Auto-Response-Suppress: DR, OOF; AutoReply",
    "boxtrapper": "X-Boxtrapper: verify\nSubject: Your email requires verification",
    "read receipt": "Subject: Read: [imp-1]\nContent-Type: multipart/report; report-type=disposition-notification; boundary=b",
    "read receipt de": 'Subject: Gelesen: [imp-1]\nContent-Type: multipart/report;\n report-type="disposition-notification"; boundary=b',
    "complaint": "Content-Type: multipart/report; report-type=feedback-report; boundary=b\nFrom: fbl@isp.example",
    "appointment accepted": "Subject: Accepted: your move\nContent-Type: text/calendar; charset=utf-8; method=REPLY",
    "cron": "From: root@example.org\nX-Cron-Env: <SHELL=/bin/sh>",
    "shop": "From: no-reply@example.com",
    "shop 2": "From: orders.donotreply+17@example.com",
    "shop 3": "From: NoReply@example.com",
}

BOUNCES = {
    "null path": "Return-Path: <>",
    "null path with a blank": "Return-Path: < >",
    "mailer-daemon": "From: Mail Delivery Subsystem <MAILER-DAEMON@example.org>",
    "mailer-daemon at google": "From: mailer-daemon@googlemail.com",
    "postmaster": "From: postmaster@example.org",
    "bounces": "From: bounces@example.org",
    "verp": "From: bounces+ann=example.org@example.com",
    "list bounces": "From: games-bounces@lists.example",
    "among others": "From: ann@example.org, MAILER-DAEMON@example.org",
    "exim": "X-Failed-Recipients: ann@example.org",
    "dsn": "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "dsn without a type": "Content-Type: multipart/report; boundary=b",
}

LISTS = {
    "mailman": "List-Id: <games.lists.example>\nPrecedence: list\nX-BeenThere: games@lists.example",
    "mailman command": "From: games-request@lists.example",
    "owner": "From: owner-games@lists.example",
    "owner behind": "From: games-owner@lists.example",
    "path of the owner": "Return-Path: <owner-games@lists.example>",
    "path of bounces": "Return-Path: <games-bounces+ann=example.org@lists.example>",
    "majordomo": "From: Majordomo@lists.example",
    "listserv": "From: LISTSERV@lists.example",
    "google groups": "List-Post: <https://groups.google.com/group/games/post>, <mailto:games@googlegroups.com>",
    "yahoo groups": "Mailing-List: list games@yahoogroups.com; contact games-owner@yahoogroups.com",
    "newsletter": "List-Unsubscribe: <https://news.example/u?1>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click",
    "help": "List-Help: <mailto:games-request@lists.example>",
    "archive": "List-Archive: <https://lists.example>",
    "bulk": "Precedence: bulk",
    "junk": "Precedence: Junk",
    "list": "Precedence: list",
    "x-precedence": "X-Precedence: bulk",
    "second precedence": "Precedence: normal\nPrecedence: bulk",
}

LOOPS = {
    "our mark": "X-PBEM-Loop: pbem@pbem.example",
    "another one's mark": "X-PBEM-Loop: games@elsewhere.example",
    "our mark on an answer": "X-PBEM-Loop: pbem@pbem.example\nAuto-Submitted: auto-replied",
    "x-loop": "X-Loop: pbem@pbem.example",
    "x-loop in capitals": "X-Loop: PBEM@pbem.example",
    "x-loop where it was delivered": "Delivered-To: games@pbem.example\nX-Loop: games@pbem.example",
}

# Letters of people, who get an answer.
PEOPLE = {
    "plain": "",
    "said to be a person's": "Auto-Submitted: no",
    "said so with a comment": "Auto-Submitted: no (really)",
    "answer to a machine": "Subject: Re: Automatic reply: [imp-1] Turn 12",
    "answer to a machine de": "Subject: AW: Automatische Antwort: [imp-1]",
    "vacation": "Subject: Vacation in August",
    "urlaub": "Subject: Urlaub",
    "auto": "Subject: Auto: kaputt, bin später dran",
    "out of office as a word": "Subject: Out of office tomorrow",
    "out of office, as a person says it": "Subject: Out of the office: back on Monday",
    "absent": "Subject: Absence de Bert",
    "x-loop of her own": "X-Loop: ann@example.org",
    "receipts": "X-Auto-Response-Suppress: DR, RN, NRN",
    "no holidays": "X-Auto-Response-Suppress: OOF",
    "no holidays and no receipts": "X-Auto-Response-Suppress: DR, OOF",
    "no holidays about holidays": "Subject: Urlaub\nX-Auto-Response-Suppress: OOF",
    "suppress none": "X-Auto-Response-Suppress: None",
    "precedence": "Precedence: first-class",
    "importance": "Importance: high\nX-Priority: 1\nDisposition-Notification-To: ann@example.org",
    "return path": "Return-Path: <ann@example.org>",
    "forwarded": "Return-Path: <bounces+SRS=abcde=XY@example.org>",
    "srs": "Return-Path: <SRS0=HHH=TT=example.org=ann@relay.example>",
    "postman": "From: postman@example.org",
    "rootbeer": "From: rootbeer@example.org",
    "root": "From: root@example.org",
    "judge": "From: judgejudy@example.org",
    "owner in the name": "From: List owner <ann@example.org>",
    "anno reply": "From: anno.reply@example.org",
    "reno": "From: renoreply@example.org",
    "bouncer": "From: bouncer@example.org",
    "tag": "From: ann+imp-1@example.org",
    "o'brien": "From: o'brien@example.org",
    "spam filter": "X-Spam-Status: No\nX-Virus-Scanned: yes",
    "cloudmark": "X-CMAE-Analysis: v=2.4\nFeedback-ID: 1:2:3:x",
    "appointment": "Content-Type: text/calendar; method=REQUEST",
}


def cases(table: dict[str, str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("fields", table.values(), ids=table.keys())


@cases(AUTOMATIC)
def test_automatic_letters_are_not_answered(fields: str) -> None:
    assert letter(fields).ignored == "auto_submitted"


@cases(BOUNCES)
def test_bounces_are_not_answered(fields: str) -> None:
    assert letter(fields).ignored == "bounce"


@cases(LISTS)
def test_letters_of_lists_are_not_answered(fields: str) -> None:
    assert letter(fields).ignored == "list"


@cases(LOOPS)
def test_our_own_letters_are_not_answered(fields: str) -> None:
    assert letter(fields).ignored == "loop"


@cases(PEOPLE)
def test_people_are_answered(fields: str) -> None:
    assert letter(fields).ignored is None


def test_there_are_enough_of_them() -> None:
    assert len(AUTOMATIC) >= 60
    assert Counter(AUTOMATIC.values()).most_common(1)[0][1] == 1


def test_an_accepted_appointment_in_a_multipart() -> None:
    raw = b"""From: ann@example.org
Subject: Accepted: Austria-Hungary, your move
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

austria: investor
--b
Content-Type: TEXT/CALENDAR; charset=utf-8; Method="REPLY"

BEGIN:VCALENDAR
--b--
"""
    assert read_letter(raw).ignored == "auto_submitted"
    assert read_letter(raw.replace(b"REPLY", b"REQUEST")).ignored is None
