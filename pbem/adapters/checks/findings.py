"""What `pbem check` finds, one thing at a time, and how each is mended."""

from __future__ import annotations

import re
from enum import StrEnum

from msgspec import Struct


class Status(StrEnum):
    """How much a finding matters."""

    good = "good"
    poor = "poor"  # it works, but could do better
    broken = "broken"


class Check(Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    about: str  # settings files database mailbox post letter
    verdict: Status
    told: str  # what was found, a sentence without its end
    mend: str = ""  # what to do about it


def good(about: str, told: str) -> Check:
    return Check(about=about, verdict=Status.good, told=told)


def poor(about: str, told: str, mend: str) -> Check:
    return Check(about=about, verdict=Status.poor, told=told, mend=mend)


def broken(about: str, told: str, mend: str) -> Check:
    return Check(about=about, verdict=Status.broken, told=told, mend=mend)


_REASONS = {
    "certificate has expired": "the certificate has run out: have it renewed on the server",
    "certificate is not yet valid": "the certificate is not valid yet: see to the clocks of both machines",
    "CERTIFICATE_VERIFY_FAILED": (
        "write as host the name that the certificate is made out to; "
        "where an authority of your own has signed it, name its certificate as ca_file"
    ),
    "STARTTLS": "the server offers no STARTTLS: try security: tls, and its port",
    "WRONG_VERSION_NUMBER": "this port speaks no TLS: try security: starttls, or another port",
    # its code (RFC 4954 section 6), not a part of some path
    r"refuses the login|(?<![\w/.-])53[45](?![\w/.-])": (
        "see to user and password; large mail hosts want an app password, or oauth"
    ),
    "refused": "nobody listens there: see to host and port",
    "timed out": "nobody answers there: see to host and port, and to firewalls on the way",
    "malformed|not a database": "stop the server, and put back the last copy that is whole",
    "not known|resolution": "there is no such host: see to its name, and to the name server of this machine",
}


def remedy(reason: str, otherwise: str = "see to host, port, security and user") -> str:
    """What helps, by what the other side or the system said."""
    return next((mend for words, mend in _REASONS.items() if re.search(words, reason)), otherwise)
