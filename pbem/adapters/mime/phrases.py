"""What mail programs write around a person's words, language by language: `templates/mail/programs.yaml`."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, convert

from pbem.files import read_yaml, resource

Phrases = tuple[str, ...]


class _Programs(Struct, frozen=True, forbid_unknown_fields=True):
    """All in lower case; the file tells which of them are regular expressions."""

    writing: Mapping[str, tuple[str, str]]  # by language: the first words and the verb of an attribution
    quoting: Phrases
    labels: Mapping[str, Phrases]  # by what they tell
    original: Phrases
    original_begins: Phrases
    forward: Phrases
    forward_begins: Phrases
    footers: Phrases
    absent: Phrases
    automatic: Phrases
    automatic_whole: Phrases
    automatic_fields: Phrases


_FILE = resource("templates/mail/programs.yaml")
PHRASES = convert(read_yaml(_FILE.read_text("utf-8"), _FILE.name).value, _Programs)
