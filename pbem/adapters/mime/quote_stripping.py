"""Which lines of a body are the writer's own, and what the others are.

The rules, where they are not plain from the functions:

- A marked line (">", "|", a quote in HTML) is never the writer's, wherever it stands; unmarked ones above,
  below and between are.
- An attribution ("On ... wrote:") shows whether its program marks quotes: if the next line is marked,
  unmarked lines further down are the writer's; if not, everything below is the quote. So what somebody
  writes right under an attribution whose quote they deleted is lost, and they are told: a quoted order played
  would be worse.
- Programs that write a block of From:, Sent:, To:, Subject: or "-----Original Message-----" do not mark
  quotes: everything below is the quote, even if the letter answered begins with a marked line of its own.
- "-- " (RFC 3676 section 4.3) ends the orders; quotes below it are counted as quotes all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pbem.adapters.mime.phrases import PHRASES, Phrases
from pbem.adapters.mime.text import Line

Lines = Sequence[Line]


class Span(NamedTuple):
    """Some lines of one kind."""

    why: str | None
    length: int = 1
    below: str | None = None  # what all the lines below are


Recogniser = Callable[[Lines, int], Span | None]

_OWN = Span(None)


def sort_out(lines: Lines) -> Iterator[tuple[str | None, str]]:
    """Each line that is not blank, with the reason to cut it or None; of the writer's own also what nobody sees."""
    at, signed = 0, False
    while at < len(lines):
        span = _span(lines, at)
        if signed and span.why not in ("quote", "attribution", "forward"):
            span = Span("signature", span.length)
        for line in lines[at : at + span.length]:
            yield from ((span.why, line.text),) if line.text else ()
            yield from line.unseen if span.why is None else ()
        at += span.length
        if span.below == "signature":
            signed = True
        elif span.below:
            yield from ((span.below, line.text) for line in lines[at:] if line.text)
            return


def _span(lines: Lines, at: int) -> Span:
    for recognise in _RECOGNISERS:
        if span := recognise(lines, at):
            return span
    return _OWN


def _blank(lines: Lines, at: int) -> Span | None:
    return None if lines[at].text else _OWN


_GROUPWISE = re.compile(r">>> ?[^>].*(?:@.*>|\d).*>>>")


def _groupwise(lines: Lines, at: int) -> Span | None:
    """It writes a line that looks marked, and does not mark the quote below it."""
    text = lines[at].text
    is_one = text.startswith(">>>") and _GROUPWISE.fullmatch(text)
    return Span("attribution", below="quote") if is_one else None


def _whole(pattern: str, span: Span) -> Recogniser:
    """A line that is all of that pattern."""
    found = re.compile(pattern)
    return lambda lines, at: span if found.fullmatch(lines[at].text) else None


def _marked(lines: Lines, at: int) -> Span | None:
    """All that are marked from here on, up to one of which something else is to be asked first."""
    if not lines[at].quoted:
        return None
    end = at + 1
    while end < len(lines) and lines[end].quoted and lines[end].text and not lines[end].text.startswith(">>>"):
        end += 1
    return Span("quote", end - at)


def _pgp(lines: Lines, at: int) -> Span | None:
    """The armour of a signed letter (RFC 9580 sections 6.2 and 7): its header, and its signature."""
    text = lines[at].text
    if text == "-----BEGIN PGP SIGNED MESSAGE-----":
        return Span("signature", _distance(lines, at, lambda each: not each))
    if text in ("-----BEGIN PGP SIGNATURE-----", "-----BEGIN PGP PUBLIC KEY BLOCK-----"):
        return Span("signature", _distance(lines, at, lambda each: each.startswith("-----END PGP ")))
    return None


def _distance(lines: Lines, at: int, reached: Callable[[str], bool]) -> int:
    """How many lines from this one to the one that is reached, or to the end."""
    return next((end - at + 1 for end in range(at, len(lines)) if reached(lines[end].text)), len(lines) - at)


# -- what stands between dashes ---

_DASHES = "-–—‐_=*> "
_BETWEEN_DASHES = re.compile(rf"[{_DASHES}]{{2,}}(\w.*\w)[{_DASHES}:]*|(\w.*\w) ?:?")


def _forwarded(lines: Lines, at: int) -> Span | None:
    is_one = _announces(lines[at].text, PHRASES.forward, PHRASES.forward_begins)
    return Span("forward", below="forward") if is_one else None


def _original(lines: Lines, at: int) -> Span | None:
    if not _announces(lines[at].text, PHRASES.original, PHRASES.original_begins):
        return None
    following = _next(lines, at + 1)
    block = _header_block(lines, following) if following is not None else None
    length = block.length + (following or 0) - at if block else 1
    return Span("attribution", length, below="quote")


def _announces(text: str, whole: Phrases, begins: Phrases) -> bool:
    """Is it a line such as "---- Forwarded message ----"? Only after dashes are the first words enough."""
    found = _BETWEEN_DASHES.fullmatch(text.lower()) if len(text) < 200 else None
    return found is not None and ((found[1] or found[2]) in whole or (found[1] or "").startswith(begins))


# -- headers of the letter answered ---

_ROLES = {label: role for role, labels in PHRASES.labels.items() for label in labels}
_LABEL = re.compile(r"\*{0,2}([^\W\d_][^:：*]{0,20}?)\s*\*{0,2}[:：]")
_MOST_HEADERS = 14  # lines, folded recipients included


def _header_block(lines: Lines, at: int) -> Span | None:
    """From, Sent, To, Subject in any order, bold or not, in one of the languages."""
    if _role(lines[at]) not in ("from", "sent", "subject"):
        return None
    roles = _roles(lines, at)
    if "from" not in roles or len(roles.keys() & {"sent", "to", "subject"}) < 2:
        return None
    return Span("attribution", max(roles.values()) - at + 1, below="quote")


def _roles(lines: Lines, at: int) -> dict[str, int]:
    """Where each label of the block stands; only a list of people is folded over several lines."""
    roles: dict[str, int] = {}
    last = None
    for number in range(at, min(at + _MOST_HEADERS, len(lines))):
        role = _role(lines[number])
        if role and (role not in roles or role == "other"):
            roles[role], last = number, role
        elif lines[number].text and last not in ("to", "other"):
            break
    return roles


def _role(line: Line) -> str | None:
    found = None if line.quoted else _LABEL.match(line.text)
    return _ROLES.get(found[1].lower()) if found else None


# -- attributions ---

_STARTS = "|".join(start for start, _ in PHRASES.writing.values())
_VERBS = "|".join(verb for _, verb in PHRASES.writing.values())
_WHEN = r"(?:(?<!\d)\d{4}(?!\d)|\d{1,2}[:.h]\d{2}(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2})"
_WHOM = r"[<(\[]?(?:mailto:)?[^\s<>()@:]+@[^\s<>()@:]+"

_STARTING = re.compile(rf"\W*(?:{_STARTS})\b.*{_WHEN}")
_WRITING = re.compile(rf".*(?:\b(?:{_VERBS})(?!\w)|{_WHOM}).*(?:[:：][*_]*|---?-?)")
# With verb and address a date is not needed; and Yahoo's telephones begin no new line after the colon.
_BY = rf"{_WHOM}\S{{0,3}}.{{0,20}}(?:{_VERBS})|\b(?:{_VERBS})\b.*{_WHOM}>?[)\]]?"
_ADDRESSED = re.compile(rf"(?=.*@).*(?:{_BY}) ?[:：](?:\s.*)?")
_DATED = re.compile(rf".{{1,80}}\b(?:{_VERBS}) (?:{_STARTS})\b.*{_WHEN}.*:")
_DATED_ADDRESS = re.compile(rf"(?=.*{_WHEN}).*{_WHOM}")
_DATED_AT_ALL = re.compile(rf".*{_WHEN}.*[:：]")  # in a language that we do not know; only above a marked line
_NAMED = re.compile(rf".{{1,80}}\b(?:{_VERBS}) ?:|(?:{'|'.join(PHRASES.quoting)})\b.*:")
_LONGEST = 500  # characters of an attribution that are looked at
_MOST_WRAPPED = 4


def _attribution(lines: Lines, at: int) -> Span | None:
    length = _attribution_length(lines, at)
    if not length:
        return None
    return Span("attribution", length, below=None if _is_marked(lines, at + length) else "quote")


def _attribution_length(lines: Lines, at: int) -> int:
    """Over how many lines an attribution runs that begins here; 0 if none does."""
    first = lines[at].text.lower()[:_LONGEST]
    if _ADDRESSED.fullmatch(first) or _DATED.fullmatch(first):
        return 1
    if _STARTING.match(first):
        return _wrapped(lines, at, _MOST_WRAPPED)
    if _DATED_ADDRESS.match(first):
        return _wrapped(lines, at, 2)
    is_named = _NAMED.fullmatch(first) or _DATED_AT_ALL.fullmatch(first)
    return 1 if is_named and _is_marked(lines, at + 1) else 0


def _wrapped(lines: Lines, at: int, most: int) -> int:
    joined = ""
    for length, line in enumerate(lines[at : at + most], start=1):
        if not line.text or line.quoted or (length > 1 and _STARTING.match(line.text.lower()[:_LONGEST])):
            return 0
        joined = f"{joined} {line.text.lower()}".strip()[:_LONGEST]
        if _WRITING.fullmatch(joined) or _ADDRESSED.fullmatch(joined):
            return length
    return 0


def _html_heading(lines: Lines, at: int) -> Span | None:
    """What the mail program itself has marked as the heading of its quote."""
    if not lines[at].attributed:
        return None
    end = at
    while end < len(lines) and (lines[end].attributed or not lines[end].text):
        end += 1
    return Span("attribution", end - at, below=None if _is_marked(lines, end) else "quote")


def _is_marked(lines: Lines, at: int) -> bool:
    following = _next(lines, at)
    return following is not None and lines[following].quoted


def _next(lines: Lines, at: int) -> int | None:
    """The next line that is not blank."""
    return next((number for number in range(at, len(lines)) if lines[number].text), None)


# -- footers ---

_FOOTER = re.compile("|".join(f"(?:{footer})" for footer in PHRASES.footers))
_WRAPPED_FOOTER = 3
_RULE = re.compile(r"[-_=*~–—]{2,}")


def _footer(lines: Lines, at: int) -> Span | None:
    joined = ""
    for length, line in enumerate(lines[at : at + _WRAPPED_FOOTER], start=1):
        if not line.text or line.quoted:
            return None
        joined = f"{joined} {line.text.lower()}".strip()
        if len(joined) <= _LONGEST and _FOOTER.fullmatch(joined.rstrip(" .!*")):
            return Span("footer", length)
    return None


def _rule(lines: Lines, at: int) -> Span | None:
    """A line of dashes belongs to the attribution or footer below it."""
    following = _next(lines, at + 1)
    if following is None or not _RULE.fullmatch(lines[at].text) or _RULE.fullmatch(lines[following].text):
        return None
    span = _span(lines, following)
    return span._replace(length=span.length + following - at) if span.why in ("attribution", "footer") else None


_RECOGNISERS: tuple[Recogniser, ...] = (
    _blank,
    _groupwise,
    _marked,
    # Beside END the German word; the Italian one only in capitals, for an English "Fine." begins many a letter.
    _whole(r"(?i:end|ende)\.?|FINE\.?", Span("end", below="end")),
    _forwarded,
    _html_heading,
    _original,
    _header_block,
    _attribution,
    _whole("--", Span("signature", below="signature")),
    _pgp,
    _footer,
    _rule,
)
