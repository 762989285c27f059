"""What a moderator decides of what players ask: whether a petition is in order, and whether an objection is right."""

from __future__ import annotations

from pbem.host.governance import petition_validity
from pbem.host.governance.remarks import rule
from pbem.host.session.session import Session


class Rulings:
    """Somebody who presides over a game, for the length of one letter. All of it raises `Illegal`."""

    def __init__(self, session: Session, *, by: str, now: int) -> None:
        self._session = session
        self._by = by
        self._now = now

    def validate(self, petition: int) -> None:
        petition_validity.validate(self._session, petition, self._by, self._now)

    def reject(self, petition: int, why: str) -> None:
        petition_validity.reject(self._session, petition, self._by, self._now, why)

    def rule(self, objection: int, why: str, *, upheld: bool) -> None:
        rule(self._session, objection, self._by, self._now, why, upheld=upheld)
