"""A message about a game, when it is delivered: to whom, when, and what every kind of it tells of a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from pbem.core.decision import MODERATOR, Answer, Decision
from pbem.core.game import AnyRules, AnyState
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat
from pbem.host.builder.memory import Chapters
from pbem.host.clock.timing import slot_key, timing_of
from pbem.host.messages import parts, replies
from pbem.host.ports import Game, Member
from pbem.host.reporting.answers import asks, in_slot, is_asked, plain
from pbem.host.session.absences import held
from pbem.host.session.identity import Place
from pbem.host.session.position import Position
from pbem.host.session.session import LoadedGame, Session
from pbem.host.session.unit_of_work import UnitOfWork


class Occasion(Struct, frozen=True, kw_only=True):
    """A game, and the moment at which something is told of it."""

    work: UnitOfWork
    game: Game
    now: int
    chapters: Chapters
    pictures: bool  # does each report tell the course of the game, for charts?

    @property
    def session(self) -> Session:
        return self.work.session(self.game)

    def at(self, position: Position) -> LoadedGame:
        """The game as it was played then."""
        return self.work.games.load(self.game, position.done)

    def to(self, member: Member, until: int | None) -> Addressed:
        return Addressed(**asdict(self), member=member, until=until)

    def awaited(self, loaded: LoadedGame, position: Position) -> tuple[parts.Awaited, ...]:
        """Deadlines that are running, and for what begins with this letter, a slot from now.

        What has been answered since is awaited no more.
        """
        slots = {slot.key: slot for slot in self.work.repository.slots(self.game.id)}
        timing = timing_of(self.session)
        asked = [(d, slots[slot_key(d)]) for d in loaded.rules.pending(position.state) if slot_key(d) in slots]
        begun = ((d, replace(slot, started=slot.started or self.now)) for d, slot in asked)
        bots = held(timing.done)
        return tuple(in_slot(decision, timing.reckoned(slot), bots) for decision, slot in begun)

    def questions(self, loaded: LoadedGame, position: Position, member: Member) -> tuple[parts.Asks, ...]:
        """What the game says about each question that is still open to somebody."""
        if member.seat in held(self.session.position.done):
            return ()
        open_ = {slot.key: slot for slot in self.work.repository.slots(self.game.id)}
        pending = [each for each in loaded.rules.pending(position.state) if slot_key(each) in open_]
        own = [d for d in pending if is_asked(loaded.rules, position.state, self.game, d, member)]
        late = [timing_of(self.session).late(open_[slot_key(decision)], self.now) for decision in own]
        return tuple(asks(loaded.rules, position.state, *each) for each in zip(own, late, strict=True))


class Addressed(Occasion, frozen=True, kw_only=True):
    """A message to a member."""

    member: Member
    until: int | None  # where somebody gets it who writes for another

    @property
    def eyes(self) -> Seat | None:
        """Whose secrets they see: a moderator nobody's."""
        return Seat(self.member.seat) if self.member.seat else None

    def asked(self, loaded: LoadedGame, position: Position) -> dict[str, Any]:
        """What a letter that asks something tells of a position, by the names that all of them have for it."""
        return {
            "game": self.game.id,
            "seat": self.member.seat,
            "place": place(loaded.rules, position),
            "awaited": self._awaited(loaded, position),
            "questions": self.questions(loaded, position, self.member),
            "slot_hours": loaded.terms.slot_hours,
        }

    def _awaited(self, loaded: LoadedGame, position: Position) -> tuple[parts.Awaited, ...]:
        """What the moderator is asked is their own question, where it is theirs to answer."""
        rules, state = loaded.rules, position.state
        asked = [each for each in rules.pending(state) if is_asked(rules, state, self.game, each, self.member)]
        mine = {(each.kind, each.about) for each in asked if each.seat == MODERATOR}
        return tuple(
            replace(each, seat=self.member.seat) if each.seat == MODERATOR and (each.kind, each.about) in mine else each
            for each in self.awaited(loaded, position)
        )

    def standing(self, loaded: LoadedGame, position: Position) -> dict[str, Any]:
        """What is on file for whatever will be asked; apart what is about an open question and can't answer it."""
        seat = self.member.seat
        texts = [p.text for p in self.work.repository.filed(self.game.id) if (p.seat, p.kind) == (seat, "standing")]
        asked = [decision for decision in loaded.rules.pending(position.state) if decision.seat == seat]
        flaws = {text: _why_idle(loaded, position.state, asked, text) for text in texts}
        idle = tuple(
            replies.Flaw(text=text, code=why.code, facts=plain(why.facts)) for text, why in flaws.items() if why
        )
        return {"standing": tuple(text for text, why in flaws.items() if why is None), "idle": idle}


def place(rules: AnyRules, position: Position) -> Place:
    """The moment of a position, as a letter tells it."""
    serials = [decision.serial for decision in rules.pending(position.state)]
    last = max(serials, default=0)
    return Place(turn=position.turn, seq=position.seq, serial=last, number=position.count.last)


def _why_idle(loaded: LoadedGame, state: AnyState, asked: Sequence[Decision], text: str) -> Illegal | None:
    """Why a standing order did not answer what is asked; None when it is about something else."""
    order = loaded.parser.order(f"standing {text}")
    for decision in asked:
        served = loaded.rules.files.serve(state, decision, [order])
        if served is not None:
            try:
                loaded.rules.check(state, Answer(seat=decision.seat, order=served[1], decision=decision))
            except Illegal as refusal:
                return refusal
    return None
