"""Old entries decided once more: is the log what was written, and would today's rules do the same?

Facts are logged, so that a rule fixed later never rewrites a running game; here is what it would have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from pbem.core.chance import Chance, Draw, Lots, Scripted
from pbem.core.decision import Answer
from pbem.core.game import AnyEntry, AnyEvent, AnyOrder, AnyRules, AnyState
from pbem.core.log import START, BrokenLink, Count, check_link, write
from pbem.core.refusal import Refusal
from pbem.host.archive.replay import Replay
from pbem.host.clock.time_sheet import timed
from pbem.host.lobby.gathering import dealing
from pbem.host.ports import Game
from pbem.host.reporting.chapters import act_of, dealt_in, done_in, order_text
from pbem.host.session.acts import Done
from pbem.host.session.session import Equip, LoadedGame
from pbem.host.session.veils import counts_apart, resolve, veil_of

FAILS = (AssertionError, LookupError, TypeError, ValueError)  # of rules that can't make sense of an old entry


class Fault(Exception):
    """An entry is not what was written, or not what today's rules would make of it."""


class Finding(Struct, frozen=True, kw_only=True):
    """What came of one game or play file."""

    name: str
    entries: int
    versions: tuple[str, ...]  # of the rules that decided them
    today: str
    seq: int | None = None  # the first entry with a fault
    about: str = ""  # where in the game it stands
    fault: str = ""

    @property
    def honest(self) -> bool:
        return self.seq is None

    def __str__(self) -> str:
        rules = " and ".join(self.versions) or self.today
        decided = f"rules {rules}" if rules == self.today else f"rules {rules}, today's are {self.today}"
        if not self.entries:
            return f"{self.name}: has not begun"
        if self.honest:
            return f"{self.name}: {self.entries} entries, as today's rules would have it ({decided})"
        where = f" ({self.about})" if self.about else ""
        return f"{self.name}: entry {self.seq}{where}: {self.fault} ({decided})"


def verify_game(game: Game, raws: Sequence[bytes], equip: Equip) -> Finding:
    """A game of the books, down to the lots that follow from its secret."""
    loaded = equip(())
    setup = loaded.terms.setup

    def opening(entry: AnyEntry, state: AnyState, chance: Lots) -> Sequence[Any]:
        if not game.members:  # nobody was invited: the seats were given
            return loaded.rules.open(state, chance, {})
        deal = dealing(loaded.rules, setup, chance, dealt_in(entry))
        if deal.seats != setup.seats:
            raise Fault("the seats are not those that the game's secret gives")
        return loaded.rules.open(state, chance, deal.lots)

    return _Verification(name=game.id, raws=raws, equip=equip, loaded=loaded, secret=game.secret, opening=opening).run()


def verify_log(name: str, raws: Sequence[bytes], equip: Equip, secret: str) -> Finding:
    """A log whose opening was proved before, with the secret of its lots."""
    return _Verification(name=name, raws=raws, equip=equip, loaded=equip(()), secret=secret).run()


def verify_play(name: str, replay: Replay) -> Finding:
    """A play file that has been played: its opening and its given position are of today anyhow."""
    raws = [write(entry) for entry in replay.record.entries]
    return _Verification(name=name, raws=raws, equip=replay.equip, loaded=replay.equip(())).run()


class _Verification(Struct, kw_only=True):
    """One log on its way from its first entry to its last, or to its first fault."""

    name: str
    raws: Sequence[bytes]
    equip: Equip
    loaded: LoadedGame
    secret: str = ""
    opening: Callable[[AnyEntry, Any, Lots], Sequence[Any]] | None = None
    done: tuple[Done, ...] = ()
    states: list[AnyState] = []  # before each entry, and after the last
    versions: dict[str, None] = {}
    prev: str = START
    count: Count = Count()
    place: tuple[AnyEntry, AnyState] | None = None  # the entry that is looked at, and the position before it

    def __post_init__(self) -> None:
        self.states.append(self.rules.blank(self.loaded.terms.setup))

    @property
    def rules(self) -> AnyRules:
        return self.loaded.rules

    def run(self) -> Finding:
        seq = None
        fault = ""
        for seq, raw in enumerate(self.raws):
            try:
                self._check(seq, raw)
            except (Fault, BrokenLink) as found:
                fault = str(found)
                break
        return Finding(
            name=self.name,
            entries=len(self.raws),
            versions=tuple(self.versions),
            today=self.rules.version,
            seq=seq if fault else None,
            about=self._where() if fault else "",
            fault=fault,
        )

    def _check(self, seq: int, raw: bytes) -> None:
        self.place = None
        self.prev = check_link(raw, seq, self.prev)
        try:
            entry: AnyEntry = self.rules.decoder().decode(raw)
        except msgspec.MsgspecError as problem:
            raise Fault(f"today's rules can't read it: {problem}") from None
        self.versions[entry.rules_version] = None
        state = self.states[-1]
        self.place = entry, state
        if entry.act is not None:  # what is decided from here on is decided with the options that are in force then
            self.done += tuple(done_in([entry]))
            self.loaded = self.equip(self.done)
        count, self.count = self.count, self.count.after(entry)
        if entry.rewind_to is not None:
            self.states.append(self.states[entry.rewind_to + 1])
            return
        try:
            after, sealed = self._decided_again(entry, state, count)
            self._check_veil(entry, after)
        except Refusal as refusal:
            raise Fault(f"today's rules would refuse it: {refusal.code}") from None
        except FAILS as problem:
            raise Fault(f"today's rules fail on it: {type(problem).__name__}: {problem}") from None
        if entry.number is not UNSET and entry.number != count.next(sealed=sealed):
            raise Fault("today's rules would number it otherwise")
        self.states.append(after)

    def _decided_again(self, entry: AnyEntry, state: AnyState, count: Count) -> tuple[AnyState, bool]:
        """The position after the entry, and whether that counts apart.

        Raises `Fault` where today's rules would have anything else.
        """
        match entry.cause.kind:
            case "opening" if self.opening is not None:
                chance = Lots(self.secret, self.name)
                self._compare(entry, self.opening(entry, state, chance), chance.draws)
            case "stop":
                self._compare(entry, self.rules.stop(state))
            case "opening" | "given" | "act":
                pass  # what was asked for, or done beside the orders, stands
            case cause:
                self._check_awaited(state, entry.answers, addressed=cause in ("letter", "moderator"))
                answers = timed(entry.answers, act_of(entry))
                drawn = resolve(self.rules, state, answers, self._dice(entry, count))
                self._compare(entry, drawn.events, drawn.chance.draws)
                return drawn.state, drawn.sealed
        after = reduce(self.rules.apply, entry.events, state)
        return after, counts_apart(self.rules, state, after, entry.events)

    def _dice(self, entry: AnyEntry, count: Count) -> Callable[[bool], Chance]:
        """Of the game's secret; those of a play file are given."""

        def drawn(sealed: bool) -> Chance:
            number = entry.called if entry.number is UNSET else count.next(sealed=sealed)
            if self.secret:
                return Lots(self.secret, self.name, number)
            return Scripted([draw.result for draw in entry.draws], number)

        return drawn

    def _check_awaited(self, state: AnyState, answers: Sequence[Answer[AnyOrder]], *, addressed: bool) -> None:
        """Would these answers be awaited, and this order be taken for an answer to just these questions?"""
        pending = self.rules.pending(state)
        decisions = tuple(answer.decision for answer in answers if answer.decision is not None)
        for decision in decisions:
            if decision not in pending:
                about = f"{decision.kind} {decision.about or ''}".strip()
                raise Fault(f"today's rules would not await {decision.seat} here for: {about}")
        if addressed and answers and not self.rules.files.standing_in_position(answers[0].order):
            meant = tuple(self.rules.address(state, answers[0].seat, answers[0].order))
            if meant != decisions:
                raise Fault("today's rules would take the order for an answer to something else")

    def _compare(self, entry: AnyEntry, events: Sequence[AnyEvent], draws: Sequence[Draw] = ()) -> None:
        """Raises `Fault` for the first event or lot that would be another."""
        difference = next(_differences(draws, entry.draws), None)
        if difference:
            raise Fault(f"the game's secret gives other lots: {difference}")
        difference = next(_differences(events, entry.events), None)
        if difference:
            raise Fault(f"today's rules would have {difference}")

    def _check_veil(self, entry: AnyEntry, state: AnyState) -> None:
        """Was what all might know published, and no more, so that nobody could guess the rest?"""
        if not entry.veil:
            return
        salt = Lots(self.secret, self.name, entry.called).salt if self.secret else entry.veil.salt
        if entry.veil != veil_of(self.rules, state, entry.events, salt):
            raise Fault("today's rules would veil something else of it, or the game's secret gives another salt")

    # -- where an entry stands ---

    def _where(self) -> str:
        if self.place is None:
            return ""
        entry, state = self.place
        if not entry.seq:
            return "the opening"
        said = next((order_text(self.loaded, answer.order) for answer in entry.answers), "")
        what = said.partition("\n")[0] or entry.cause.kind
        return f"{self.rules.chapter(state)}: {what}"


# -- what differs ---


def _differences(today: Sequence[Any], logged: Sequence[Any]) -> Iterator[str]:
    for new, old in zip_longest(today, logged):
        if new != old:
            yield _difference(_plain(new), _plain(old))


def _difference(new: Mapping[str, Any] | None, old: Mapping[str, Any] | None) -> str:
    """In words, of what would be and what is."""
    if old is None:
        return f"one more: {_shown(new)}"
    if new is None:
        return f"nothing in place of {_shown(old)}"
    if new.get("type") != old.get("type"):
        return f"{_shown(new)} in place of {_shown(old)}"
    fields = [key for key in sorted({*new, *old}) if new.get(key) != old.get(key)]
    changed = ", ".join(f"{key} {_shown(new.get(key))} in place of {_shown(old.get(key))}" for key in fields)
    return f"{new.get('type', 'the lot')} with {changed}"


def _plain(value: Any) -> Mapping[str, Any] | None:
    plain: Mapping[str, Any] | None = msgspec.to_builtins(value, str_keys=True, order="sorted")
    return plain


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()
