"""What a moderator decides of what players ask: whether a petition is in order, and whether an objection is right."""

from __future__ import annotations

from pbem.host.governance import voting
from pbem.host.governance.remarks import rule
from pbem.host.moderation.impartial import of_objection, of_petition
from pbem.host.moderation.moderation import Moderation, game_power
from pbem.language.moderators import Power, number_in


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
