"""What a moderator does with the course of a game: goes back, puts the position right, changes an option, ends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.core.log import Entry, live
from pbem.core.refusal import Illegal, Impossible
from pbem.host.clock.slots import note
from pbem.host.governance import silence
from pbem.host.moderation.consent import consent_of
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.session.acts import Corrected, Ended, OptionSet, Rewound
from pbem.host.session.position import Position
from pbem.host.session.session import Session
from pbem.host.session.terms import Terms, changed, value_now

WholeLog = Callable[[], tuple[Sequence[Entry[Any, Any]], Sequence[Position]]]


class Course:
    """Somebody who presides over a game, for the length of one letter.

    `terms` are those in force, `log` tells the whole log with the blank position and the one after each entry.
    """

    def __init__(self, session: Session, terms: Callable[[], Terms], log: WholeLog, *, by: str, now: int) -> None:
        self._session = session
        self._terms = terms
        self._log = log
        self._by = by
        self._now = now

    def rewind(self, turn: int, why: str) -> None:
        """Go back to the beginning of a turn. Raises `Illegal`."""
        entries, positions = self._log()
        now = self._session.position
        then = next((each for each in _begun(entries, positions) if each.turn == turn), None)
        if then is None or turn < 1:
            raise Illegal("rewind.unknown", read=turn, now=now.turn)
        if not _moves(entries, then.seq):
            raise Illegal("rewind.nothing", turn=turn)
        adjudicator = Adjudicator(self._session)
        adjudicator.rewind(self._now, then, Rewound(by=self._by, turn=turn, why=why))
        adjudicator.drop(entries[then.seq].at)
        silence.reconsider(self._session, self._now)

    def forward(self, why: str) -> None:
        """Take the last rewinding back, unless something has been played since. Raises `Illegal`."""
        entries, positions = self._log()
        last = next((entry for entry in reversed(entries) if entry.rewind_to is not None or _is_move(entry)), None)
        if last is None or last.rewind_to is None or (last.act and last.act.get("forward")):
            raise Illegal("forward.nothing")
        then = positions[last.seq]
        Adjudicator(self._session).rewind(self._now, then, Rewound(by=self._by, turn=then.turn, why=why, forward=True))

    def correct(self, lines: Sequence[str], why: str) -> None:
        """Put the position right, as lines of a play file's `given` do. Raises `Refusal`."""
        given = [self._session.parser.given(line, 1) for line in lines]
        try:
            Adjudicator(self._session).correct(self._now, given, Corrected(by=self._by, lines=tuple(lines), why=why))
        except Impossible as impossible:
            raise impossible.refusal from None

    def set_option(self, key: str, value: str, why: str, consent: str = "") -> None:
        """Let an option have another value from now on. A running game needs the players' consent, on record."""
        if not consent:
            raise Illegal("option.consent", key=key, value=value)
        terms, rules = self._terms(), self._session.rules
        changed(terms, rules, key, value)
        agreed = consent_of(self._session, consent, key, value)
        was = value_now(terms, rules, key)
        note(self._session, self._now, OptionSet(by=self._by, key=key, value=value, was=was, why=why, consent=agreed))

    def end(self, why: str, *, scored: bool) -> None:
        """End the game before its end, with the scores as they stand or without."""
        note(self._session, self._now, Ended(by=self._by, why=why, scored=scored))
        if scored:
            self._session.stop(self._now)


def _begun(entries: Sequence[Entry[Any, Any]], positions: Sequence[Position]) -> list[Position]:
    """The positions in which a turn began that still counts, each once."""
    kept = [positions[entry.seq + 1] for entry in live(entries)]
    return [position for position in kept if position.since == position.seq + 1]


def _is_move(entry: Entry[Any, Any]) -> bool:
    return bool(entry.events) or bool(entry.answers)


def _moves(entries: Sequence[Entry[Any, Any]], after: int) -> bool:
    """Is there anything to take back behind this entry?"""
    return any(_is_move(entry) for entry in live(entries) if entry.seq > after)
