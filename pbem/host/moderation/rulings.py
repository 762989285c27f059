"""What a moderator decides: what a game leaves to them, and of what players ask, whether it is in order or right."""

from __future__ import annotations

from pbem.core.decision import MODERATOR, TURN
from pbem.core.log import Cause
from pbem.core.refusal import Illegal
from pbem.host.clock.time_sheet import Ending, sheet
from pbem.host.governance import voting
from pbem.host.governance.remarks import objections, rule
from pbem.host.moderation.moderation import Moderation, game_power
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.session.petitions import petitions
from pbem.host.session.session import Session
from pbem.language.moderators import Power, number_in


def of_petition(session: Session, power: Power) -> tuple[str, ...]:
    """Who asks, and whom it is about."""
    number = number_in(power.fields["petition"])
    asked = (each.asked for each in petitions(session.position.done) if each.number == number)
    return tuple(seat for one in asked for seat in (one.by, one.seat))


def of_objection(session: Session, power: Power) -> tuple[str, ...]:
    """Who objects, and who had the move."""
    number = number_in(power.fields["objection"])
    said = (each.said for each in objections(session.position.done) if each.said.number == number)
    return tuple(seat for one in said for seat in (one.by, *_movers(session, one.turn)))


def _movers(session: Session, turn: int) -> list[str]:
    """Who had the move in a turn."""
    rows = sheet(session.position.done)
    return [row.seat for row in rows if row.turn == turn and row.kind == TURN]


@game_power(
    "reject {petition}",
    "weise {petition} zurück",
    "weise {petition} zurueck",
    "respingi {petition}",
    parties=of_petition,
)
def reject(m: Moderation, power: Power) -> None:
    """Take a petition that is not in order off the table, as in “P-1”; within a day of its posting."""
    voting.reject(m.session, number_in(power.fields["petition"]), m.by, m.now, power.why)


@game_power(
    "validate {petition}",
    "bestätige|bestaetige {petition}",
    "convalida {petition}",
    explained="",
    parties=of_petition,
)
def validate(m: Moderation, power: Power) -> None:
    """Find a petition in order, as in “P-1”, once and for all."""
    voting.validate(m.session, number_in(power.fields["petition"]), m.by, m.now)


@game_power("uphold {objection}", "gib {objection} statt", "accogli {objection}", parties=of_objection)
def uphold(m: Moderation, power: Power) -> None:
    """Decide that an objection to a report is right, as in “O-1”."""
    rule(m.session, number_in(power.fields["objection"]), m.by, m.now, power.why, upheld=True)


@game_power("dismiss {objection}", "weise {objection} ab", "rigetta {objection}", parties=of_objection)
def dismiss(m: Moderation, power: Power) -> None:
    """Decide that an objection to a report is wrong, as in “O-1”."""
    rule(m.session, number_in(power.fields["objection"]), m.by, m.now, power.why, upheld=False)


# -- what a game asks of them ---


def of_question(session: Session, _power: Power) -> tuple[str, ...]:
    """Whose cause it is that waits for a ruling."""
    asked = (each for each in session.pending() if each.seat == MODERATOR)
    return tuple(seat for each in asked for seat in session.rules.concerned(session.state, each))


@game_power("ruling {choice}", "Entscheid {choice}", "decisione {choice}", explained="", parties=of_question)
def ruling(m: Moderation, power: Power) -> None:
    """Answer what the game asks of you: CHOICE is one of those that its question names."""
    session = m.session
    if not any(each.seat == MODERATOR for each in session.pending()):
        raise Illegal("ruling.not_asked")
    order = session.parser.order(f"ruling {power.fields['choice']}")
    asked = session.rules.address(session.state, MODERATOR, order)
    adjudicator = Adjudicator(session)
    adjudicator.play(MODERATOR, order, asked, m.now, Cause(kind="moderator"), Ending(by=m.by))
    adjudicator.serve_filed(m.now)
