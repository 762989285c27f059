"""Letters that nobody wrote by hand, and that are never answered (RFC 3834 section 2)."""

from __future__ import annotations

import re
from email.message import Message
from itertools import islice

from pbem.adapters.mime import headers, people
from pbem.adapters.mime.phrases import PHRASES

LOOP = "x-pbem-loop"  # every letter of ours carries it

# Exchange's rules; RFC 3834 is not meant by them, so they count only beside a subject that says it
_HINTS = {"x-ms-exchange-generated-message-source", "x-ms-exchange-inbox-rules-loop"}
_LIST_FIELDS = re.compile(
    "list-(?:id|post|unsubscribe|help|subscribe|owner|archive)|mailing-list|x-mailing-list|x-beenthere"
)

_BOUNCING = re.compile(r"(?:mailer(?:-daemon)?|mail-?daemon|postmaster|bounces?|.*-bounces)(?:[+=].*)?")
_UNANSWERABLE = re.compile(r"(?:.*[-_.+])?(?:no|do[-_.]?not)[-_.]?reply(?:[-_.+].*)?")
_OF_A_LIST = re.compile(r"owner-.+|.+-(?:request|owner|relay)|listserv|majordomo")  # RFC 3834, RFC 5230 section 4.6
_ABSENT = re.compile(rf"(?:{'|'.join(PHRASES.absent)})\b", re.IGNORECASE)
_AUTOMATIC = re.compile(
    "|".join((rf"(?:{'|'.join(PHRASES.automatic)}) ?[:：].*", *PHRASES.automatic_whole)), re.IGNORECASE
)
# Of the path only what the RFC names: forwarders write paths such as bounces+srs=... for people's letters.
_OF_A_LIST_PATH = re.compile(rf"{_OF_A_LIST.pattern}|mailer-daemon|.+-bounces(?:[+=].*)?")
_PRECEDENCE = ("precedence", "x-precedence")
_MOST_PARTS = 20  # that are looked at
_CALENDAR_ANSWER = re.compile(r"text/calendar\b.*\bmethod\s*=\s*\"?(?:reply|counter|refresh)\b")


def reason_to_ignore(message: Message) -> str | None:
    """Why the letter is never answered, or None.

    The most telling sign comes first: our own letters and bounces are auto-submitted too.
    """
    for reason, shown in _REASONS:
        if shown(message):
            return reason
    return None


def _is_ours(message: Message) -> bool:
    """Our own mark, or an X-Loop that names an address this very letter was sent to."""
    looped = {value.lower() for value in headers.values(message, "x-loop")}
    return LOOP in headers.names(message) or bool(looped & {address.lower() for address in people.recipients(message)})


def _is_bounce(message: Message) -> bool:
    """A delivery status notification (RFC 3464), or a letter from where such things come from."""
    return (
        report_type(message) == "delivery-status"
        or "x-failed-recipients" in headers.names(message)
        or _is_from(message, _BOUNCING)
    )


def _is_automatic(message: Message) -> bool:
    """RFC 3834 section 5, and what was used before it or is used beside it."""
    return (
        any(keyword not in ("", "no") for keyword in _keywords(message, "auto-submitted"))
        or any(keyword not in ("", "no", "false") for keyword in _keywords(message, *PHRASES.automatic_fields))
        or "auto_reply" in _keywords(message, *_PRECEDENCE, "preference")
        or "autoresponder" in headers.value(message, "delivered-to").lower()
        or "autoresponder" in headers.value(message, "x-post-messageclass").lower()
        or _wants_no_answer(message)
        or report_type(message) != ""
        or _is_vacation(message)
        or _answers_an_appointment(message)
        or _is_from(message, _UNANSWERABLE)
    )


def _wants_no_answer(message: Message) -> bool:
    """Microsoft's [MS-OXCMAIL] 2.2.3.2.14; receipts and out-of-office replies are not what we send."""
    suppressed = re.split(r"[,;\s]+", headers.value(message, "x-auto-response-suppress").lower())
    return not {"all", "autoreply"}.isdisjoint(suppressed)


def _is_vacation(message: Message) -> bool:
    """Some say it in the subject alone, and of others the subject proves nothing: a person may write it."""
    subject = headers.decoded(message, "subject")
    if _AUTOMATIC.fullmatch(subject):
        return True
    if not _ABSENT.match(subject):
        return False
    return not _HINTS.isdisjoint(headers.names(message)) or _is_bulk(message) or _has_no_return(message)


def _answers_an_appointment(message: Message) -> bool:
    """A calendar's "accepted" (RFC 5546 section 3.2.3)."""
    kinds = (headers.value(part, "content-type").lower() for part in islice(message.walk(), _MOST_PARTS))
    return any(_CALENDAR_ANSWER.match(kind) for kind in kinds)


def _has_no_return(message: Message) -> bool:
    """The null reverse-path of RFC 5321 section 4.5.5."""
    return headers.value(message, "return-path").replace(" ", "") == "<>"


def _is_from_a_list(message: Message) -> bool:
    """RFC 2369, RFC 2919, and the older Precedence."""
    return (
        any(_LIST_FIELDS.fullmatch(name) for name in headers.names(message))
        or _is_bulk(message)
        or _is_from(message, _OF_A_LIST)
        or any(_OF_A_LIST_PATH.fullmatch(_local_part(path)) for path in people.addresses(message, "return-path"))
    )


def _is_bulk(message: Message) -> bool:
    return not {"bulk", "list", "junk"}.isdisjoint(_keywords(message, *_PRECEDENCE))


def _has_no_sender(message: Message) -> bool:
    return not people.is_writable(people.sender(message)[0])


def report_type(message: Message) -> str:
    """What a multipart/report (RFC 6522) reports, or ""."""
    content_type = headers.value(message, "content-type").lower()
    if not content_type.startswith("multipart/report"):
        return ""
    told = re.search(r'report-type\s*=\s*"?([a-z-]+)', content_type)
    return told[1] if told else "delivery-status"


def _keywords(message: Message, *names: str) -> list[str]:
    """The first words of fields, without parameters and comments."""
    fields = (field.lower() for name in names for field in headers.values(message, name))
    return [re.split(r"[\s;(,]", re.sub(r"^\([^()]*\)\s*", "", field))[0] for field in fields]


def _is_from(message: Message, whom: re.Pattern[str]) -> bool:
    return any(whom.fullmatch(_local_part(address)) for address in people.authors(message))


def _local_part(address: str) -> str:
    return address.rpartition("@")[0].lower()


_REASONS = (
    ("loop", _is_ours),
    ("bounce", _is_bounce),
    ("auto_submitted", _is_automatic),
    ("bounce", _has_no_return),
    ("list", _is_from_a_list),
    ("no_sender", _has_no_sender),
)
