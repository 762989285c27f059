"""Who has agreed to another option: a petition that has passed is looked up; all else is what the moderator says."""

from __future__ import annotations

import re

from pbem.core.refusal import Illegal
from pbem.host.session.petitions import Petition, name, petitions
from pbem.host.session.session import Session

RULING = ("change", "clarify")  # kinds of petitions that can set an option
_PETITION = re.compile(r"\bP\s*[-‐‑–—]?\s*(\d{1,4})\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:[,;+&]|\b(?:and|und|e|ed)\b)\s*", re.IGNORECASE)


def consent_of(session: Session, said: str, key: str, value: str) -> str:
    """As the log keeps it: a petition such as "P-3", or what was said. Raises `Illegal` for what there is not."""
    named = _PETITION.search(said)
    if named:
        return _checked(session, int(named[1]), key, value)
    if key in session.rules.options.needs_petition:
        raise Illegal("option.grave", key=key, value=value)
    _check_names(session, said)
    return said


def _checked(session: Session, number: int, key: str, value: str) -> str:
    """The name of a petition that has passed and is about just this."""
    known = petitions(session.position.done)
    petition = next((each for each in known if each.number == number), None)
    facts = {"name": name(number), "key": key, "value": value}
    if petition is None:
        raise Illegal("option.no_petition", **facts)
    if petition.status != "passed":
        raise Illegal("option.not_passed", status=petition.status, **facts)
    if not _is_about(session, petition, key, value):
        raise Illegal("option.other_petition", **facts)
    return name(number)


def _is_about(session: Session, petition: Petition, key: str, value: str) -> bool:
    """Does it set that option so, or ask for it in words?"""
    asked = petition.asked
    kinds = ("change",) if key in session.rules.options.needs_petition else RULING
    if asked.kind not in kinds:
        return False
    if any(one == key for one, _ in asked.sets):
        return (key, value) in asked.sets
    return re.search(rf"\b{re.escape(key)}\b", f"{asked.title}\n{asked.text}", re.IGNORECASE) is not None


def _check_names(session: Session, said: str) -> None:
    """Where a player is named, all who are named must be players."""
    parts, wrong = _BETWEEN.split(said), []
    for part in parts:
        try:
            session.parser.seat(part)
        except Illegal as problem:
            wrong.append(problem)
    if wrong and len(wrong) < len(parts):
        raise wrong[0]
