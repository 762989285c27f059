"""Letters that nobody wrote by hand, and that are never answered (RFC 3834 section 2)."""

from __future__ import annotations

import re
from email.message import Message

from pbem.adapters.letters import headers, people
from pbem.adapters.letters.phrases import ABSENT

LOOP = "x-pbem-loop"  # every letter of ours carries it

_AUTOMATIC_FIELDS = (
    "x-autoreply",
    "x-auto-reply",
    "x-autorespond",
    "x-autoresponder",
    "x-autoresponse",
    "x-autoreply-from",
    "x-mail-autoreply",
    "x-fc-machinegenerated",
    "x-vacation",
)
# Exchange's rules; RFC 3834 is not meant by them, so they count only beside a subject that says it
_HINTS = (
    "x-ms-exchange-generated-message-source",
    "x-ms-exchange-inbox-rules-loop",
    "x-auto-response-suppress",
)
_LIST_FIELDS = re.compile(
    "list-(?:id|post|unsubscribe|help|subscribe|owner|archive)|mailing-list|x-mailing-list|x-beenthere"
)

_BOUNCING = re.compile(r"(?:mailer-daemon|mail-daemon|maildaemon|postmaster|bounces?|.*-bounces)(?:\+.*)?")
_UNANSWERABLE = re.compile(r"(?:.*[-_.+])?(?:no|do[-_.]?not)[-_.]?reply(?:[-_.+].*)?")
_OF_A_LIST = re.compile(r"owner-.+|.+-request")
_ABSENT = re.compile(rf"(?:{'|'.join(ABSENT)})\b", re.IGNORECASE)


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
        _report_type(message) == "delivery-status"
        or "x-failed-recipients" in headers.names(message)
        or bool(_BOUNCING.fullmatch(_local_part(message)))
    )


def _is_automatic(message: Message) -> bool:
    """RFC 3834 section 5, and what was used before it or is used beside it."""
    return (
        _keyword(message, "auto-submitted") not in ("", "no")
        or any(_keyword(message, name) not in ("", "no", "false") for name in _AUTOMATIC_FIELDS)
        or any(_keyword(message, name) == "auto_reply" for name in ("precedence", "x-precedence", "preference"))
        or "autoresponder" in headers.value(message, "delivered-to").lower()
        or "autoresponder" in headers.value(message, "x-post-messageclass").lower()
        or _wants_no_answer(message)
        or _report_type(message) != ""
        or _is_vacation(message)
        or bool(_UNANSWERABLE.fullmatch(_local_part(message)))
    )


def _wants_no_answer(message: Message) -> bool:
    """Microsoft's [MS-OXCMAIL] 2.2.3.2.14; receipts and out-of-office replies are not what we send."""
    suppressed = re.split(r"[,;\s]+", headers.value(message, "x-auto-response-suppress").lower())
    return "all" in suppressed or "autoreply" in suppressed


def _is_vacation(message: Message) -> bool:
    """A subject alone proves nothing: a person may answer such a letter, or write one."""
    if not _ABSENT.match(headers.decoded(message, "subject")):
        return False
    hinted = any(name in headers.names(message) for name in _HINTS)
    return hinted or _keyword(message, "precedence") in ("bulk", "junk") or _has_no_return(message)


def _has_no_return(message: Message) -> bool:
    """The null reverse-path of RFC 5321 section 4.5.5."""
    return headers.value(message, "return-path").replace(" ", "") == "<>"


def _is_from_a_list(message: Message) -> bool:
    """RFC 2369, RFC 2919, and the older Precedence."""
    return (
        any(_LIST_FIELDS.fullmatch(name) for name in headers.names(message))
        or _keyword(message, "precedence") in ("bulk", "list", "junk")
        or bool(_OF_A_LIST.fullmatch(_local_part(message)))
    )


def _has_no_sender(message: Message) -> bool:
    return not people.is_writable(people.sender(message)[0])


def _report_type(message: Message) -> str:
    """What a multipart/report (RFC 6522) reports, or ""."""
    content_type = headers.value(message, "content-type").lower()
    if not content_type.startswith("multipart/report"):
        return ""
    told = re.search(r'report-type\s*=\s*"?([a-z-]+)', content_type)
    return told[1] if told else "delivery-status"


def _keyword(message: Message, name: str) -> str:
    """The first word of a field, without parameters and comments."""
    return re.split(r"[\s;(,]", headers.value(message, name).lower())[0]


def _local_part(message: Message) -> str:
    return people.sender(message)[0].rpartition("@")[0].lower()


_REASONS = (
    ("loop", _is_ours),
    ("bounce", _is_bounce),
    ("auto_submitted", _is_automatic),
    ("bounce", _has_no_return),
    ("list", _is_from_a_list),
    ("no_sender", _has_no_sender),
)
