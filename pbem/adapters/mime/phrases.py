"""What mail programs write around a person's words, language by language: `templates/mail/programs.yaml`."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, convert

from pbem.files import read_yaml, resource

Phrase = tuple[str, ...]


class _Phrases(Struct, frozen=True, forbid_unknown_fields=True):
    """All in lower case; the file tells which of them are regular expressions."""

    writing: Mapping[str, tuple[str, str]]  # by language: the first words and the verb of an attribution
    quoting: Phrase
    labels: Mapping[str, Phrase]  # by what they tell
    original: Phrase
    original_begins: Phrase
    forward: Phrase
    forward_begins: Phrase
    footers: Phrase
    absent: Phrase
    automatic: Phrase
    automatic_whole: Phrase
    automatic_fields: Phrase


_FILE = resource("templates/mail/programs.yaml")
PHRASES = convert(read_yaml(_FILE.read_text("utf-8"), _FILE.name).value, _Phrases)
