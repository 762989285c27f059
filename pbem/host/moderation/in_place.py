"""What a moderator does in the place of players: gives orders, ends their time, lets a bot answer."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.refusal import DieNeeded, Illegal, NotAwaited, Refusal
from pbem.core.seat import Seat
from pbem.host.clock.time_sheet import sheet
from pbem.host.governance import silence, substitutes
from pbem.host.moderation.moderation import Moderation, game_power, of_time
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.executor import hear, rehearse
from pbem.host.play.results import Submission
from pbem.host.session.absences import held
from pbem.host.session.acts import ActedFor, Closed, Struck
from pbem.language.moderators import Power


@game_power("act for {seat}", "handle|ziehe für|fuer {seat}", "agisci per {seat}", gives="orders", explained="")
def act_for(m: Moderation, power: Power) -> None:
    """Give ORDERS, a line each, in the place of a player: all of them, or none. They get a copy."""
    seat, lines = m.seat(power), power.says
    refused = _tried(m, seat, lines)
    if isinstance(refused, NotAwaited):
        raise Illegal("act.not_awaited", seat=seat)
    if refused is not None:
        raise refused
    m.note(ActedFor(by=m.by, seat=seat, text="\n".join(lines), why=power.fields.get("reason", "")))
    hear(m.session, seat, lines, Submission(at=m.now, cause="moderator"))


def _tried(m: Moderation, seat: Seat, lines: Sequence[str]) -> Refusal | None:
    """What would be refused of these orders; those from the first die on are not tried."""
    verdicts = rehearse(m.session, seat, lines, m.now)
    if any(verdict.aside for verdict in verdicts):
        return Illegal("power.only_orders")
    refusal = next((verdict.refusal for verdict in verdicts if verdict.refusal), None)
    if isinstance(refusal, DieNeeded):
        return None
    played = any(verdict.outcome in ("played", "filed", "drafted", "withdrawn") for verdict in verdicts)
    return refusal or (None if played else Illegal("letter.empty"))


@game_power("close turn {turn}", "schließe|schliesse Zug {turn}", "chiudi il turno {turn}", "chiudi turno {turn}")
def close(m: Moderation, power: Power) -> None:
    """End the time of all that is awaited. The turn is named, so that none is closed that has just begun."""
    turn = int(power.fields["turn"])
    if turn != m.session.position.turn:
        raise Illegal("close.other_turn", read=turn, now=m.session.position.turn)
    m.note(Closed(by=m.by, turn=turn, why=power.why))
    adjudicator = Adjudicator(m.session)
    for decision in m.session.pending():
        adjudicator.lapse(decision, m.now, by=m.by, why=power.why)


@game_power("strike {seat} {turn}", "streiche {seat} {turn}", "cancella {seat} {turn}", parties=of_time)
def strike(m: Moderation, power: Power) -> None:
    """Let what the move order sheet tells of SEAT in a turn count for nothing."""
    seat, turn = m.seat(power), int(power.fields["turn"])
    rows = [row for row in sheet(m.session.position.done) if row.seat == seat and row.turn == turn]
    if not rows:
        raise Illegal("strike.nothing", seat=seat, turn=turn)
    if all(row.void for row in rows):
        raise Illegal("strike.void", seat=seat, turn=turn)
    m.note(Struck(by=m.by, seat=seat, turn=turn, why=power.why))
    silence.reconsider(m.session, m.now)


@game_power("bot {seat}", "Bot für|fuer {seat}", "bot per {seat}")
def bot(m: Moderation, power: Power) -> None:
    """Let a bot answer for a seat, till its player writes or somebody else sits down."""
    seat = m.seat(power)
    if seat in held(m.session.position.done):
        raise Illegal("bot.already", seat=seat)
    substitutes.seat_bot(m.session, seat, m.now, by=m.by, why=power.why)


@game_power(
    "no bot {seat}",
    "bot {seat} off",
    "kein|keinen Bot für|fuer {seat}",
    "niente|nessun bot per {seat}",
    begins_prose=True,
)
def no_bot(m: Moderation, power: Power) -> None:
    """Take the bot off a seat."""
    seat = m.seat(power)
    if seat not in held(m.session.position.done):
        raise Illegal("bot.none", seat=seat)
    substitutes.dismiss_bot(m.session, seat, m.now, by=m.by, why=power.why)
