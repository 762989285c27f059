"""A game under way, in one transaction: its rules, its log and where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.chance import Chance, Dice, Withheld
from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyEntry, AnyEvent, AnyOrder, AnyRules, AnyState, Registry, load
from pbem.core.log import Cause, Entry, seal
from pbem.core.refusal import Illegal
from pbem.core.seat import Sight
from pbem.host.ports import FiledOrder
from pbem.host.session.acts import Act, Done, entered, read_act
from pbem.host.session.effect import since
from pbem.host.session.position import Position, advanced, reached, rewound, settled
from pbem.host.session.proposal import Proposal
from pbem.host.session.record import Notebook, Record
from pbem.host.session.terms import Terms
from pbem.host.session.veils import Drawn, counts_apart, veil_of
from pbem.language.command import Commands
from pbem.language.parser import Parser, parser_of


class LoadedGame(Struct, frozen=True):
    """The rules of one game and the parser of its letters; they never change."""

    rules: AnyRules
    parser: Parser[AnyOrder]
    terms: Terms


def load_game(games: Registry, commands: Commands, terms: Terms) -> LoadedGame:
    """Raises `ValueError` for a set-up that can't be."""
    rules = load(games, terms.setup)
    return LoadedGame(rules, parser_of(rules.notation, commands, terms.setup.seats), terms)


class Step(Struct, frozen=True, kw_only=True):
    """An entry that was just written, with the positions around it."""

    entry: AnyEntry
    before: Position
    after: Position

    @property
    def act(self) -> Act | None:
        """What it enters beside the orders."""
        return None if self.entry.act is None else self.after.done[-1].act


Equip = Callable[[Sequence[Done]], LoadedGame]  # the rules and terms that are in force after what was done


class Session:
    """One game as it stands. Whatever happens in it is entered here; what is to happen is decided above."""

    def __init__(
        self, equip: Equip, parser: Parser[AnyOrder], record: Record, position: Position, dice: Dice = Withheld
    ) -> None:
        self._equip = equip
        self._take(equip(position.done))
        self.parser = parser
        self.record = record
        self.position = position
        self._dice = dice
        self.steps: list[Step] = []  # what has been entered
        self.dropped: list[FiledOrder] = []  # what a rewinding has thrown away
        self.unused: list[tuple[FiledOrder, Illegal]] = []  # orders on file that were due and not possible
        self.proposal: Proposal | None = None  # to the writer of the letter that was heard last
        self.agreed = False  # was that letter a yes to what we had proposed?
        self.tried: Session | None = None  # the copy of the game on which the last preview was played

    @property
    def seats(self) -> Sequence[str]:
        """Who is in the game now, in turn order."""
        return self.rules.seats(self.state)

    @property
    def has_ended(self) -> bool:
        """By its rules, or because it was ended by hand."""
        return self.rules.finished(self.state) or self.position.ended

    @property
    def state(self) -> AnyState:
        return self.position.state

    @property
    def acts(self) -> Sequence[Act]:
        """What has been entered beside the orders."""
        return [read_act(step.entry.act) for step in self.steps if step.entry.act is not None]

    def pending(self) -> Sequence[Decision]:
        """What is awaited; nothing of a game that is over, however it ended."""
        return () if self.has_ended else self.rules.pending(self.state)

    def chance(self, sealed: bool = False) -> Chance:
        """What the next entry draws from; a copy draws nothing."""
        return self._dice(self.position.count.next(sealed=sealed))

    def document(self) -> Mapping[str, object]:
        """The state document; a game that was broken off awaits nobody either, and has no winners."""
        document = self.rules.view(self.state, Sight.ALL)
        return {**document, "awaiting": []} if self.has_ended else document

    def copy(self, seat: str) -> Session:
        """The same game and clock, with the filed orders of one seat alone."""
        copy = Session(self._equip, self.parser, Notebook(), self.position)
        for filed in self.record.filed():
            if filed.seat == seat:
                copy.record.file(filed)
        for slot in self.record.slots():
            copy.record.put_slot(slot)
        return copy

    # -- the log ---

    def enter(self, at: int, cause: Cause, **facts: Any) -> None:
        """Write the next entry. Slots are reckoned anew by `clock.slots` where an act may have moved them."""
        self.append(self.step(at, cause, **facts))

    def step(
        self,
        at: int,
        cause: Cause,
        *,
        answers: tuple[Answer[AnyOrder], ...] = (),
        events: Sequence[AnyEvent] = (),
        chance: Chance | None = None,
        act: Act | None = None,
        drawn: Drawn | None = None,
    ) -> Step:
        """What the next entry would be, and where the game would stand then; nothing is written yet.

        Its events, and what they were drawn from, are those of the answers where these have been resolved.
        """
        events, chance = (drawn.events, drawn.chance) if drawn else (events, chance)
        draws = tuple(chance.draws) if chance else ()
        done = entered(act) if act else None
        entry = self._next(at, cause, answers=answers, events=tuple(events), draws=draws, act=done)
        if drawn is None:
            return self._step(entry, advanced(self.rules, self.position, entry))
        return self._step(entry, reached(self.rules, self.position, entry, drawn.state), sealed=drawn.sealed)

    def append(self, step: Step) -> None:
        """Write the next entry."""
        self.record.append(step.entry)
        self.steps.append(step)
        self.position = step.after
        if step.entry.act is not None:
            self._take(self._equip(step.after.done))

    def stop(self, at: int) -> None:
        """End the game with the scores as they stand."""
        self.enter(at, Cause(kind="stop"), events=self.rules.stop(self.state))

    def go_back(self, at: int, then: Position, act: Act) -> None:
        """Enter that the game is taken to a position that it has been in."""
        entry = self._next(at, Cause(kind="act"), rewind_to=then.seq, act=entered(act))
        self.append(self._step(entry, rewound(self.position, then, entry)))

    def set_clock(self, at: int) -> None:
        """The log has instants that were not yet: from now on it goes by this one."""
        self.position = replace(self.position, at=at)

    def _next(self, at: int, cause: Cause, **facts: Any) -> AnyEntry:
        """The next entry of the log; its instant is never before that of the last one."""
        seq, prev, at = self.position.seq + 1, self.position.prev, since(at, self.position.at)
        return Entry(seq=seq, at=at, cause=cause, prev=prev, rules_version=self.rules.version, **facts)

    def _step(self, entry: AnyEntry, after: Position, *, sealed: bool | None = None) -> Step:
        """With that entry, its number and what is veiled of it, under its digest."""
        if self.rules.has_veils:
            if sealed is None:
                sealed = counts_apart(self.rules, self.state, after.state, entry.events)
            number = self.position.count.next(sealed=sealed)
            veil = veil_of(self.rules, after.state, entry.events, self._dice(number).salt)
            entry = replace(entry, veil=veil, number=number)
        entry = seal(entry)
        return Step(entry=entry, before=self.position, after=settled(self.position, after, entry))

    def _take(self, loaded: LoadedGame) -> None:
        """Go by the rules and the terms that are in force now."""
        self.rules, self.terms = loaded.rules, loaded.terms
