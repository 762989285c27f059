"""What a game is played by, as it is told: its rules, its hours, and what was ruled since."""

from __future__ import annotations

from typing import Any

from pbem.host.messages import parts, sections
from pbem.host.ports import Game
from pbem.host.reporting.tallies import register, remarks
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import UnitOfWork


def rules_in_force(work: UnitOfWork, game: Game) -> sections.RulesInForce:
    """What the game is played by."""
    terms = work.loaded(game).terms
    setup = terms.setup
    done = work.done(game)
    return sections.RulesInForce(
        title=setup.game,
        edition=setup.edition,
        setup=setup.setup,
        board=setup.board,
        players=setup.seats,
        options=setup.options,
        slot_hours=terms.slot_hours,
        remind_hours=terms.remind_hours,
        press=terms.press,
        hours=hours(terms),
        anonymous=terms.anonymous,
        rulings=register(done),
        remarks=remarks(done),
    )


def agreed(terms: Terms) -> dict[str, Any]:
    """What everybody is told of it who comes to a game."""
    setup = {"title": terms.setup.game, "edition": terms.setup.edition}
    return {**setup, "policy": terms.policy, "grace_hours": terms.grace_hours, "hold_minutes": terms.hold_minutes}


def hours(terms: Terms) -> parts.Hours:
    return parts.Hours(
        policy=terms.policy,
        grace_hours=terms.grace_hours,
        zone=terms.clock_zone,
        idle_days=terms.idle_days,
        holidays=terms.holidays,
        quiet_hours=terms.quiet_hours,
        bots=terms.bots,
        level=terms.level,
        bot_seats=terms.bot_seats,
        hold_minutes=terms.hold_minutes,
        away_days=terms.away_days,
    )
