"""An organiser rules on what entrants object to, and finds a petition out of order."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.refusal import Illegal
from pbem.host.governance.voting import REJECTED_WITHIN
from pbem.host.organising.organising import Organising, number_of, organiser_power
from pbem.language.moderators import Power
from pbem.league import acts
from pbem.league.calendar import HOUR
from pbem.league.council import check_open, name, petition_of
from pbem.league.powers import check_ruling


def _objection(_o: Organising, power: Power) -> Sequence[str]:
    return (f"O-{number_of(power, 'objection')}",)


@organiser_power(
    "uphold {objection}",
    "stattgeben {objection}",
    "gib {objection} statt",
    "accogli {objection}",
    about=_objection,
)
def uphold(o: Organising, power: Power) -> None:
    """Somebody’s objection is right; what follows from it is done by other powers."""
    o.enter(acts.Upheld(number=_open(o, power), why=power.why))


@organiser_power(
    "dismiss {objection}",
    "zurückweisen|zurueckweisen|abweisen {objection}",
    "weise {objection} zurück|ab",
    "rigetta {objection}",
    about=_objection,
)
def dismiss(o: Organising, power: Power) -> None:
    """Somebody’s objection is not right; what it was about stays as it is."""
    o.enter(acts.Dismissed(number=_open(o, power), why=power.why))


def _open(o: Organising, power: Power) -> int:
    """The number of an objection that waits for a ruling. Raises `Illegal`."""
    number = number_of(power, "objection")
    check_ruling(o.season, number)
    return number


@organiser_power("reject {petition}", "weise {petition} zurück", "respingi {petition}")
def reject(o: Organising, power: Power) -> None:
    """Take a petition that is not in order off the table, within a day of its posting."""
    petition = petition_of(o.season, number_of(power, "petition"))
    check_open(petition)
    if o.now > petition.at + REJECTED_WITHIN * HOUR:
        raise Illegal("petition.stands", name=name(petition.asked.number), hours=REJECTED_WITHIN)
    o.enter(acts.Rejected(number=petition.asked.number, why=power.why))
