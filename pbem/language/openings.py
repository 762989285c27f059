"""How somebody asks for a game by mail, in English, German or Italian: a new one, or a seat in one that gathers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from pbem.core.refusal import Unreadable
from pbem.language.tokens import ends_letter, fold

Kind = Literal["new", "join", "wait", "leave"]

# As folded; by language, so that the answer is in the one that was written.
NEW = {"en": ("new game",), "de": ("neue partie", "neues spiel"), "it": ("nuova partita",)}
JOIN = {"en": ("join",), "de": ("mitspielen", "mitspielen bei"), "it": ("partecipo a", "partecipo")}
WAIT = {"en": ("waiting list",), "de": ("warteliste",), "it": ("lista d'attesa", "lista di attesa")}
LEAVE = {
    "en": ("leave the waiting list", "leave waiting list"),
    "de": ("warteliste verlassen",),
    "it": ("lascia la lista d'attesa", "lascio la lista d'attesa"),
}
GAMES = ("games", "Partien", "partite")  # which gather
# What a new game may be given, each with one value behind it; the first of each is the one we use.
KEYS = {
    "template": ("template", "vorlage", "modello"),
    "players": ("players", "player", "spieler", "giocatori"),
    "edition": ("edition", "ausgabe", "edizione"),
    "setup": ("setup", "aufbau", "preparazione"),
    "option": ("option", "opzione"),
    "hours": ("hours", "stunden", "ore"),
    "anonymous": ("anonymous", "anonym", "anonima"),
    "press": ("press", "presse", "stampa"),
}
NUMBERS = ("players", "hours")
_MEANT = {way: key for key, ways in KEYS.items() for way in ways}
_TAG = re.compile(r"\[?([a-z]+-\d+)\]?")


class Request(Struct, frozen=True, kw_only=True):
    """What somebody asks for."""

    kind: Kind
    text: str  # as written, on one line
    language: str  # in which it was written
    tag: str = ""  # the game to join
    wishes: Mapping[str, str] = {}  # by `KEYS`; of options only those beside them
    options: Mapping[str, str] = {}


def read_request(lines: Sequence[str]) -> Request | None:
    """None when the letter does not begin with one. Raises `Unreadable`."""
    own = list(_lines(lines))
    if not own:
        return None
    first, *more = own
    return _joining(first) or _waiting(first) or _new(first, more)


def _lines(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if ends_letter(line):
            return
        if line.strip() and not line.lstrip().startswith(">"):
            yield " ".join(line.split())


def _joining(line: str) -> Request | None:
    head, _, tag = line.rstrip(" .!").rpartition(" ")
    found = _TAG.fullmatch(tag.lower())
    language = _language(JOIN, fold(head).strip())
    if found is None or language is None:
        return None
    return Request(kind="join", text=line, language=language, tag=found[1])


def _waiting(line: str) -> Request | None:
    said = fold(line).strip(" .!")
    ways: tuple[tuple[Kind, Mapping[str, Sequence[str]]], ...] = (("wait", WAIT), ("leave", LEAVE))
    for kind, words in ways:
        language = _language({each: [fold(way) for way in forms] for each, forms in words.items()}, said)
        if language is not None:
            return Request(kind=kind, text=line, language=language)
    return None


def _new(line: str, more: Sequence[str]) -> Request | None:
    words = line.replace(",", " ").replace(":", " ").split()
    language = _language(NEW, fold(" ".join(words[:2])).strip(" !"))
    if language is None:
        return None
    told = words[2:]
    for other in more:
        if fold(other.split()[0]).strip(" ,") not in _MEANT:
            break
        told += other.replace(",", " ").replace(":", " ").split()
    wishes, options = _wishes(told)
    text = " ".join([*words[:2], *told])
    return Request(kind="new", text=text, language=language, wishes=wishes, options=options)


def _wishes(words: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    wishes: dict[str, str] = {}
    options: dict[str, str] = {}
    left = list(words)
    while left:
        key, value, left = _pair(left)
        if key == "option":
            name, _, said = value.partition("=")
            options[name.lower()] = said.lower()
        else:
            wishes[key] = value.lower()
    return wishes, options


def _pair(words: list[str]) -> tuple[str, str, list[str]]:
    """The next wish and what stands behind it; a number may stand before its word, as in “4 players”."""
    one, two, *rest = [*words, "", ""]
    rest = words[2:]
    if one.isdigit() and _MEANT.get(fold(two)) in NUMBERS:
        one, two = two, one
    key = _MEANT.get(fold(one))
    is_wrong = not two or (key in NUMBERS and not re.fullmatch(r"\d{1,4}", two))
    if key is None or is_wrong or (key == "option" and not re.fullmatch(r"\w+=\w+", two)):
        read = " ".join(words[:2])
        raise Unreadable("opening.unreadable", line=1, column=1, read=read)
    return key, two, rest


def _language(ways: Mapping[str, Sequence[str]], written: str) -> str | None:
    return next((language for language, forms in ways.items() if written in forms), None)
