"""A moderator's powers over a game of the books: who has them, and what uses them."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.host.moderation.moderation import Moderation
from pbem.host.moderation.powers import Use
from pbem.host.moderation.seats import Seats
from pbem.host.play.results import Outcome
from pbem.host.ports import Game, Person
from pbem.host.session.actors import OPERATOR
from pbem.host.session.anonymity import is_hidden
from pbem.host.session.unit_of_work import UnitOfWork, read_entries
from pbem.language.moderators import Power

ADDRESSED = ("address", "who", "whom")  # fields in which somebody may stand by their address


def powers_over(work: UnitOfWork, game: Game, by: str, now: int, person: Person | None = None) -> Use:
    """What uses a power over this game; the letters about it are for `publish`.

    It raises `Refusal`; then nothing has changed.
    """
    seats = Seats(work, game, by, now, person)

    def do(power: Power) -> Outcome | None:
        if by != OPERATOR:
            _check_hidden(work, work.game(game.id), power, person)
        if seats.takes(power):
            return seats.do(power)
        if work.game(game.id).status == "inviting":
            raise Illegal("letter.not_begun")
        _moderation(work, work.game(game.id), by, now, person).do(power)
        return None

    return do


def _check_hidden(work: UnitOfWork, game: Game, power: Power, person: Person | None) -> None:
    """In an anonymous game what becomes of an address would tell whoever plays who sits where. Raises `Illegal`."""
    plays = any(person and member.person.id == person.id for member in game.members)
    hidden = is_hidden(game, work.games.load(game).terms.anonymous)
    if plays and hidden and any("@" in power.fields.get(field, "") for field in ADDRESSED):
        raise Illegal("power.hidden")


def _moderation(work: UnitOfWork, game: Game, by: str, now: int, person: Person | None) -> Moderation:
    rules = work.games.load(game).rules
    own = next((member.seat for member in game.members if person and member.person.id == person.id), "")
    return Moderation(
        work.session(game),
        lambda: work.loaded(game).terms,
        lambda: (read_entries(rules, work.repository, game.id), work.games.positions(work.repository, game)),
        by=by,
        now=now,
        zone=person.zone if person else "UTC",
        seat=own,
    )
