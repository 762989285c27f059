"""Notices of what was done beside the orders, and how the votes stand."""

from __future__ import annotations

import msgspec

from pbem.core.chance import commitment
from pbem.core.seat import Seat
from pbem.host.builder.occasion import Addressed, Occasion, place
from pbem.host.messages import letters
from pbem.host.messages.rows import NoticeJob
from pbem.host.reporting.chapters import seen
from pbem.host.reporting.tallies import still_open, told_of
from pbem.host.session.acts import BotLeft, Corrected, Ended, Rewound


def notice(of: Occasion, seat: str | None, job: NoticeJob) -> letters.Message:
    """What was done, to a seat or to a moderator without one."""
    position = of.work.games.positions(of.work.repository, of.game, job.seq)[-1]
    table, act = of.at(position), position.done[-1].act
    is_back = isinstance(act, BotLeft) and bool(job.starts)
    is_moved = is_back or isinstance(act, Rewound | Corrected)
    member = next((m for m in of.game.members if m.seat == seat), None)
    reader = Seat(member.seat) if member else None
    return letters.Notice(
        game=of.game.id,
        place=place(table.rules, position),
        seat=seat,
        kind=str(type(act).__struct_config__.tag),
        act=msgspec.to_builtins(seen(table.rules, position.state, position.done[-1]).act),
        dropped=job.dropped,
        after=table.rules.view(position.state, reader) if is_moved else None,
        awaited=of.awaited(table, position),
        facts=of.facts(table, position, member.seat) if member and is_moved else (),
        slot_hours=table.terms.slot_hours,
        petition=told_of(act, of.session.position.done, ended=of.session.has_ended),
        commitment=commitment(of.game.secret) if isinstance(act, Ended) else None,
        secret=of.game.secret if isinstance(act, Ended) else None,
    )


def tally(to: Addressed) -> letters.Message | None:
    session = to.session
    asked = () if session.has_ended else still_open(session.position.done)
    here = place(session.rules, session.position)
    return letters.Tally(game=to.game.id, place=here, seat=to.member.seat, petitions=asked) if asked else None
