"""What a moderator does with the course of a game: goes back, puts the position right, changes an option, ends it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.core.game import AnyEntry
from pbem.core.log import live
from pbem.core.refusal import Illegal, Impossible
from pbem.host.governance import silence
from pbem.host.moderation.moderation import Moderation, game_power
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.session.acts import Announced, Corrected, Ended, OptionSet, Rewound
from pbem.host.session.budget import check_words
from pbem.host.session.petitions import Petition, name, petitions
from pbem.host.session.position import Position
from pbem.host.session.session import Session
from pbem.host.session.terms import changed, value_now
from pbem.language.moderators import Power
from pbem.language.words import HEADS

_PARTS = re.compile(r"\s*;\s*")
RULING = ("change", "clarify")  # kinds of petitions that can set an option
_PETITION = re.compile(r"\bP\s*[-‐‑–—]?\s*(\d{1,4})\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:[,;+&]|\b(?:and|und|e|ed)\b)\s*", re.IGNORECASE)


@game_power("announce", "Ansage", "annuncio", gives="text", explained="", anytime=True)
def announce(m: Moderation, power: Power) -> None:
    """Tell all players something."""
    text = "\n".join(power.says)
    if not text.strip():
        raise Illegal("press.empty")
    check_words("press.too_long", text)
    m.note(Announced(by=m.by, text=text))


@game_power("rewind to turn {turn}", "zurück|zurueck zu|auf Zug {turn}", "torna al turno {turn}")
def rewind(m: Moderation, power: Power) -> None:
    """Go back to the beginning of a turn."""
    turn, (entries, positions) = int(power.fields["turn"]), m.log()
    now = m.session.position
    then = next((each for each in _begun(entries, positions) if each.turn == turn), None)
    if then is None or turn < 1:
        raise Illegal("rewind.unknown", read=turn, now=now.turn)
    if not _moves(entries, then.seq):
        raise Illegal("rewind.nothing", turn=turn)
    adjudicator = Adjudicator(m.session)
    adjudicator.rewind(m.now, then, Rewound(by=m.by, turn=turn, why=power.why))
    adjudicator.drop(entries[then.seq].at)
    silence.reconsider(m.session, m.now)


@game_power("roll forward", "wieder vor", "ripristina")
def forward(m: Moderation, power: Power) -> None:
    """Take the last rewinding back, unless something has been played since."""
    entries, positions = m.log()
    last = next((entry for entry in reversed(entries) if entry.rewind_to is not None or _is_move(entry)), None)
    if last is None or last.rewind_to is None or (last.act and last.act.get("forward")):
        raise Illegal("forward.nothing")
    then = positions[last.seq]
    Adjudicator(m.session).rewind(m.now, then, Rewound(by=m.by, turn=then.turn, why=power.why, forward=True))


@game_power("correct {given}", "korrigiere {given}", "correggi {given}")
def correct(m: Moderation, power: Power) -> None:
    """Put the position right: GIVEN are facts as in a play file, each in quotes."""
    lines = tuple(_PARTS.split(power.fields["given"]))
    given = [m.session.parser.given(line, 1) for line in lines]
    try:
        Adjudicator(m.session).correct(m.now, given, Corrected(by=m.by, lines=lines, why=power.why))
    except Impossible as impossible:
        raise impossible.refusal from None


@game_power(
    "option {key} = {value} with consent of {consent}",
    "Option {key} = {value} mit Zustimmung von {consent}",
    "opzione {key} = {value} con il consenso di {consent}",
    "option|opzione {key} = {value}",
)
def option(m: Moderation, power: Power) -> None:
    """Let an option of a running game have another value."""
    key, value = power.fields["key"], power.fields["value"]
    consent = power.fields.get("consent", "")  # of the players, on record
    if not consent:
        raise Illegal("option.consent", key=key, value=value)
    terms, rules = m.terms(), m.session.rules
    changed(terms, rules, key, value)
    agreed = _consent_of(m.session, consent, key, value)
    was = value_now(terms, rules, key)
    m.note(OptionSet(by=m.by, key=key, value=value, was=was, why=power.why, consent=agreed))


@game_power("end", "end|beende|termina {scoring}", "beende", "termina", begins_prose=True)
def end(m: Moderation, power: Power) -> None:
    """End a game before its end, with the scores as they stand."""
    scored = not power.fields.get("scoring", "").lower().startswith(HEADS["without"])
    m.note(Ended(by=m.by, why=power.why, scored=scored))
    if scored:
        m.session.stop(m.now)


def _begun(entries: Sequence[AnyEntry], positions: Sequence[Position]) -> list[Position]:
    """The positions in which a turn began that still counts, each once."""
    kept = [positions[entry.seq + 1] for entry in live(entries)]
    return [position for position in kept if position.since == position.seq + 1]


def _is_move(entry: AnyEntry) -> bool:
    return bool(entry.events) or bool(entry.answers)


def _moves(entries: Sequence[AnyEntry], after: int) -> bool:
    """Is there anything to take back behind this entry?"""
    return any(_is_move(entry) for entry in live(entries) if entry.seq > after)


# -- who has agreed to another option: a petition that has passed, or what the moderator says ---


def _consent_of(session: Session, said: str, key: str, value: str) -> str:
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
