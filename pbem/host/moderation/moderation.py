"""The powers of a moderator over a game under way: each use is an act in its log, with who, what and why.

They work on a session and its record, so that letters, the command line and play files use the same ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pbem.core.refusal import Illegal, Unreadable
from pbem.core.seat import Seat
from pbem.host.clock.slots import note
from pbem.host.governance import petition_validity
from pbem.host.governance.remarks import rule
from pbem.host.moderation.course import Course, WholeLog
from pbem.host.moderation.impartial import awaited_seats, check_impartial
from pbem.host.moderation.in_place import InPlaceOfPlayers
from pbem.host.moderation.powers import use_powers
from pbem.host.moderation.timekeeping import Timekeeper
from pbem.host.play.results import Result
from pbem.host.session.acts.course import Announced
from pbem.host.session.budget import check_words
from pbem.host.session.session import Session
from pbem.host.session.terms import Terms
from pbem.language.powers import WITHOUT, Power, number_in
from pbem.language.words import PRESS_WORDS

UNEXPLAINED = ("announce", "act_for", "validate")  # powers that need no reason
_PARTS = re.compile(r"\s*;\s*")


class Moderation:
    """Somebody who presides over a game, for the length of one letter.

    `terms` are those in force, `log` tells the whole log with the blank position and the one after each entry; `seat`
    is where whoever presides plays.
    """

    def __init__(
        self,
        session: Session,
        terms: Callable[[], Terms],
        log: WholeLog,
        *,
        by: str,
        now: int,
        zone: str = "UTC",
        seat: str = "",
    ) -> None:
        self._session = session
        self._by = by
        self._now = now
        self._own = seat
        self._time = Timekeeper(session, by=by, now=now, zone=zone)
        self._in_place = InPlaceOfPlayers(session, by=by, now=now)
        self._course = Course(session, terms, log, by=by, now=now)

    def hear(self, lines: Sequence[str]) -> list[Result]:
        """Use the powers in these lines."""
        return use_powers(lines, self.do, self._session.reader.is_order)

    def do(self, power: Power) -> None:
        """Raises `Refusal`; then nothing has changed."""
        check_impartial(self._session, power, self._own)
        if not power.why and power.name not in UNEXPLAINED:
            raise Illegal("power.why")
        if self._session.has_ended and power.name != "announce":
            raise Illegal("game.over")
        do = self._powers.get(power.name)
        if do is None:
            raise Illegal("power.not_here")
        do(power)

    @property
    def _powers(self) -> Mapping[str, Callable[[Power], None]]:
        time, place, course = self._time, self._in_place, self._course
        return {
            "announce": self._announce,
            # the clock
            "pause": lambda p: time.pause(
                p.fields.get("length", ""), p.why, p.fields.get("start", ""), p.fields.get("until", "")
            ),
            "resume": lambda p: time.resume(p.why),
            "extend": lambda p: time.extend(self._seats(p), p.fields["length"], p.why),
            "deadline": lambda p: time.set_deadline(self._seats(p), p.fields["time"], p.why),
            # players
            "act_for": lambda p: place.act_for(self._seat(p), p.says, p.fields.get("reason", "")),
            "close": lambda p: place.close(int(p.fields["turn"]), p.why),
            "strike": lambda p: place.strike(self._seat(p), int(p.fields["turn"]), p.why),
            "bot": lambda p: place.seat_bot(self._seat(p), p.why),
            "no_bot": lambda p: place.dismiss_bot(self._seat(p), p.why),
            # what players ask
            "validate": self._validate,
            "reject": self._reject,
            "uphold": lambda p: self._rule(p, upheld=True),
            "dismiss": lambda p: self._rule(p, upheld=False),
            # the course of the game
            "rewind": lambda p: course.rewind(int(p.fields["turn"]), p.why),
            "forward": lambda p: course.forward(p.why),
            "correct": lambda p: course.correct(_PARTS.split(p.fields["given"]), p.why),
            "option": lambda p: course.set_option(
                p.fields["key"], p.fields["value"], p.why, p.fields.get("consent", "")
            ),
            "end": lambda p: course.end(p.why, scored=not p.fields.get("scoring", "").lower().startswith(WITHOUT)),
        }

    def _announce(self, power: Power) -> None:
        text = "\n".join(power.says)
        if not text.strip():
            raise Illegal("press.empty")
        check_words("press.too_long", text)
        note(self._session, self._now, Announced(by=self._by, text=text))

    def _validate(self, power: Power) -> None:
        petition_validity.validate(self._session, number_in(power.fields["petition"]), self._by, self._now)

    def _reject(self, power: Power) -> None:
        petition_validity.reject(self._session, number_in(power.fields["petition"]), self._by, self._now, power.why)

    def _rule(self, power: Power, *, upheld: bool) -> None:
        number = number_in(power.fields["objection"])
        rule(self._session, number, self._by, self._now, power.why, upheld=upheld)

    def _seats(self, power: Power) -> Sequence[Seat]:
        """One, or all whose time runs. Raises `Illegal`."""
        if power.fields["seat"].casefold() not in PRESS_WORDS["EVERYBODY"]:
            return (self._seat(power),)
        running = [Seat(seat) for seat in awaited_seats(self._session)]
        if not running:
            raise Illegal("deadline.nobody")
        return running

    def _seat(self, power: Power) -> Seat:
        try:
            return Seat(self._session.reader.seat(power.fields["seat"]))
        except Unreadable as problem:
            raise Illegal(problem.code, **problem.facts) from None
