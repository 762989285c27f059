"""Header fields of letters that need not be well-formed (RFC 5322, RFC 2047)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from email.message import Message
from email.policy import default
from functools import lru_cache
from hashlib import sha256
from weakref import WeakKeyDictionary

from pbem.adapters.mime.text import clean, decode

_MESSAGE_ID = re.compile(r"<[^<>]+>")
_OWN_ID = re.compile(r"<[^<>\s]+@[^<>\s]+>")
_BLANKS = re.compile(r"\s+")
_LONGEST_ID = 900  # bytes; it must fit into a line (RFC 5322 section 2.1.1) after "In-Reply-To: "
_MOST_REFERENCES = 100
_ASKED = 100  # fields that are remembered: those of one letter are asked for several times
_ENOUGH = 4000  # characters of a field; the standard parser needs the square of their number


def values(message: Message, name: str) -> list[str]:
    """All fields of that name, each on one line without invisible characters, topmost first."""
    return [one_line(field) for field in as_written(message, name)]


def as_written(message: Message, name: str) -> list[str]:
    """All fields of that name as they stand in the letter, unfolded, topmost first.

    Raw bytes, which the parser keeps as surrogates, are read as if RFC 6532 allowed them.
    """
    return [_unfolded(value) for value in _fields(message).get(name, ())]


_FIELDS: WeakKeyDictionary[Message, Mapping[str, Sequence[str]]] = WeakKeyDictionary()  # of letters being read


def _fields(message: Message) -> Mapping[str, Sequence[str]]:
    """By their names in small letters; a letter that is read is asked for dozens, and nobody changes it."""
    if (known := _FIELDS.get(message)) is None:
        fields: dict[str, list[str]] = {}
        for name, value in message.raw_items():
            fields.setdefault(name.lower(), []).append(str(value))
        known = _FIELDS[message] = fields
    return known


@lru_cache(_ASKED)
def _unfolded(value: str) -> str:
    return _BLANKS.sub(" ", decode(value.encode("utf-8", "surrogateescape"), None))


def value(message: Message, name: str) -> str:
    """The topmost field of that name; "" when there is none."""
    return next(iter(values(message, name)), "")


def names(message: Message) -> set[str]:
    return {*_fields(message)}


def decoded(message: Message, name: str) -> str:
    """An unstructured field with its encoded words (RFC 2047) read, on one line."""
    return _in_words(value(message, name)[:_ENOUGH])


@lru_cache(_ASKED)
def _in_words(raw: str) -> str:
    try:
        return one_line(str(default.header_factory("subject", raw)))
    except Exception:  # noqa: BLE001 - the standard parser fails in many ways on broken encoded words
        return raw


def identity(message: Message, raw: bytes) -> str:
    """The Message-ID, else a digest of the whole letter: the same letter twice has one identity.

    What many letters may bear, such as `<>`, is none.
    """
    given = value(message, "message-id")
    is_one = _OWN_ID.fullmatch(given) is not None and len(given.encode()) <= _LONGEST_ID
    return given if is_one else "sha256:" + sha256(raw).hexdigest()


def references(message: Message) -> tuple[str, ...]:
    """The letters this one answers (RFC 5322 section 3.6.4), oldest first."""
    fields = values(message, "references") + values(message, "in-reply-to")
    found = (_BLANKS.sub("", each) for field in fields for each in _MESSAGE_ID.findall(field))
    return tuple(dict.fromkeys(each for each in found if len(each) <= _LONGEST_ID))[-_MOST_REFERENCES:]


@lru_cache(_ASKED)
def one_line(text: str) -> str:
    """Without line breaks, and without what no writer typed on purpose."""
    return clean(_BLANKS.sub(" ", text)).strip()
