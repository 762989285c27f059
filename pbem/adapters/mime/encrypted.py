"""Letters in a wrapping: signed ones that can be opened, and those that can't be read at all.

S/MIME (RFC 8551), OpenPGP (RFC 3156, RFC 9580) and the winmail.dat of Outlook ([MS-OXTNEF]).
"""

from __future__ import annotations

from collections.abc import Iterable
from email.message import Message
from itertools import islice

from asn1crypto.cms import ContentInfo

from pbem.adapters.mime.parts import kind_of, name_of, parsed
from pbem.host.ports import Unreadable

_SMIME = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_OPENPGP = ("multipart/encrypted", "application/pgp-encrypted")
_ARMOUR = "-----BEGIN PGP MESSAGE-----"
_MOST_PARTS = 50  # that are looked at


def opened(part: Message) -> Message | None:
    """The letter inside a signature that wraps it (RFC 8551 section 3.5.2); None if there is none to be had."""
    if not _is_smime(part):
        return None
    try:
        content = ContentInfo.load(part.get_payload(decode=True))["content"]
        inner = content["encap_content_info"]["content"].native
        return parsed(inner)
    except Exception:  # noqa: BLE001 - encrypted, or no such thing at all: the library fails in many ways
        return None


def armoured(lines: Iterable[str]) -> Unreadable | None:
    """Whether the writer's own lines are encrypted."""
    return "encrypted" if _ARMOUR in lines else None


def why_unreadable(message: Message) -> Unreadable | None:
    """Why a letter without text has none."""
    for part in islice(message.walk(), _MOST_PARTS):
        if kind_of(part) in _OPENPGP or _is_smime(part):
            return "encrypted"
        if kind_of(part) == "application/ms-tnef" or name_of(part) == "winmail.dat":
            return "winmail"
    return None


def _is_smime(part: Message) -> bool:
    """Exchange says application/octet-stream."""
    return kind_of(part) in _SMIME or name_of(part) == "smime.p7m"
