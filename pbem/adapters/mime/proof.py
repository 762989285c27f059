"""Whether the mailbox's own server vouches for the writer (RFC 8601, with DMARC, RFC 7489, and DKIM, RFC 6376)."""

from __future__ import annotations

from collections.abc import Iterable
from email.message import Message
from functools import cache

from authres import AuthenticationResult, AuthenticationResultsHeader
from publicsuffixlist import PublicSuffixList

from pbem.adapters.mime import headers, people
from pbem.host.ports import Proof

_ENOUGH = 8_000  # characters; the library needs the square of their number


def proof(message: Message, authserv_id: str | None) -> Proof:
    """What speaks for the address in From: `pass`, `fail`, or `none` when nobody says anything.

    Anybody can write such a header. Believed is only the topmost one, and only if it is our server's, which
    takes out those from outside that bear its name (RFC 8601 section 5). A signature that is broken, or another
    domain's, is as good as none (RFC 6376 section 6.1): mailing lists and small providers make such.
    """
    authors = people.authors(message)
    if len(authors) != 1:
        return "fail"  # servers judge such a letter by one author or the other (RFC 7489 section 6.6.1)
    domain = authors[0].rpartition("@")[2]
    results = _results(message, authserv_id) if authserv_id else []
    policy = _by_policy(results, domain)
    if policy != "none":
        return policy
    return "pass" if any(_is_signed(result, domain) for result in results) else "none"


def _results(message: Message, authserv_id: str) -> list[AuthenticationResult]:
    field = headers.value(message, "authentication-results")
    if not field or len(field) > _ENOUGH:
        return []
    try:
        header = AuthenticationResultsHeader.parse(f"Authentication-Results: {field}")
    except Exception:  # noqa: BLE001 - its own errors and RecursionError; then nobody has said anything
        return []
    return list(header.results) if _is_ours(header.authserv_id.lower(), authserv_id.lower()) else []


def _is_ours(said: str, known: str) -> bool:
    """Providers with many servers sign by the one that was there, such as mx7.example.org."""
    return said == known or said.endswith(f".{known}")


def _by_policy(results: Iterable[AuthenticationResult], domain: str) -> Proof:
    """DMARC's word. It may have been about another From than we read: `header.from` tells."""
    told = [result for result in results if result.method.lower() == "dmarc"]
    verdicts = {each.result.lower() if set(_told(each, "from")) <= {domain} else "fail" for each in told}
    if "fail" in verdicts:
        return "fail"
    return "pass" if verdicts == {"pass"} else "none"


def _is_signed(result: AuthenticationResult, domain: str) -> bool:
    """By a domain of the same organisation; some (Gmail) tell only the identity, which lies in the domain."""
    if result.method.lower() != "dkim" or result.result.lower() != "pass":
        return False
    signers = _told(result, "d") or [identity.rpartition("@")[2] for identity in _told(result, "i")]
    return bool(signers) and all(_is_aligned(signer, domain) for signer in signers)


def _told(result: AuthenticationResult, name: str) -> list[str]:
    """What is told of the header field or tag of that name, in lower case."""
    said = ((each.type.lower(), each.name.lower(), each.value) for each in result.properties)
    return [str(value).lower() for kind, what, value in said if (kind, what) == ("header", name)]


def _is_aligned(signer: str, domain: str) -> bool:
    """In relaxed mode, RFC 7489 section 3.1.1: the domain under the public suffix is the same."""
    return signer == domain or _organisation(signer) == _organisation(domain) is not None


def _organisation(domain: str) -> str | None:
    found: str | None = _suffixes().privatesuffix(domain)
    return found


@cache
def _suffixes() -> PublicSuffixList:
    """The list that the library brings with it."""
    return PublicSuffixList()
