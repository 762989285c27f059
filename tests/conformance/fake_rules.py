"""The rules of Claims.

Three seats hold two claims each; the third sits down when the first round is over. On their turn players dig at each
claim once, may drill for a die, and may wager, in secret, then rest: a die for each claim says how much more is found.
The highest wager wins three, whatever it was for. Of one claim a turn they may have it surveyed: whoever leads the game
says how much is found there, and till then their time stands still. Anybody may praise another's claim at any time, or watch claims until
they say no more; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.bot import Pick, Reason
from pbem.core.chance import Chance
from pbem.core.choice import Choice, Step
from pbem.core.critic import Judged
from pbem.core.decision import MODERATOR, Answer, Decision
from pbem.core.filing import Drafts
from pbem.core.game import Deal, Resolved, Rules, Unheard
from pbem.core.log import Entry, Happened
from pbem.core.notation import Notation
from pbem.core.outcome import Result, ranks
from pbem.core.refusal import Illegal, NotAwaited
from pbem.core.seat import Seat, Setup, Sight, Viewer

CLAIMS = ("amber", "birch", "cedar", "dune", "ember", "fjord")
PLACES = ("begins", "follows", "waits")
ROUNDS = 2
MOST = 6  # that a survey finds


class Dig(Struct, frozen=True, kw_only=True, tag="Dig"):
    claim: str
    amount: int


class Wager(Struct, frozen=True, kw_only=True, tag="Wager"):
    amount: int


class Drill(Struct, frozen=True, kw_only=True, tag="Drill"):
    claim: str


class Survey(Struct, frozen=True, kw_only=True, tag="Survey"):
    claim: str


class Ruling(Struct, frozen=True, kw_only=True, tag="Ruling"):
    """Of the moderator: what a survey has found."""

    ore: int


class Undo(Struct, frozen=True, kw_only=True, tag="Undo"):
    pass


class Praise(Struct, frozen=True, kw_only=True, tag="Praise"):
    claim: str


class Watch(Struct, frozen=True, kw_only=True, tag="Watch"):
    claim: str


class WatchNone(Struct, frozen=True, kw_only=True, tag="WatchNone"):
    kind: str | None = None


class Rollout(Struct, frozen=True, kw_only=True, tag="Rollout"):
    """Rests; it is written as the host's word."""


class Rest(Struct, frozen=True, kw_only=True, tag="Rest"):
    pass


class Given(Struct, frozen=True, kw_only=True, tag="Given"):
    claim: str
    ore: int


Order: TypeAlias = Dig | Drill | Survey | Ruling | Wager | Undo | Praise | Watch | WatchNone | Rollout | Rest | Given


class Began(Struct, frozen=True, kw_only=True, tag="Began"):
    first: Seat  # drawn by lot
    marks: Mapping[Seat, str] = {}


class Surveyed(Struct, frozen=True, kw_only=True, tag="Surveyed"):
    claim: str


class OreFound(Struct, frozen=True, kw_only=True, tag="OreFound"):
    claim: str
    ore: int
    die: int | None = None


class DugBack(Struct, frozen=True, kw_only=True, tag="DugBack"):
    claim: str
    ore: int


class Praised(Struct, frozen=True, kw_only=True, tag="Praised"):
    seat: Seat
    claim: str


class Watched(Struct, frozen=True, kw_only=True, tag="Watched"):
    seat: Seat
    claims: tuple[str, ...]


class Wagered(Struct, frozen=True, kw_only=True, tag="Wagered"):
    seat: Seat
    amount: int


class TurnEnded(Struct, frozen=True, kw_only=True, tag="TurnEnded"):
    seat: Seat


class SeatTaken(Struct, frozen=True, kw_only=True, tag="SeatTaken"):
    seat: Seat


class Ended(Struct, frozen=True, kw_only=True, tag="Ended"):
    scores: Mapping[Seat, int]


Event: TypeAlias = Began | Surveyed | OreFound | DugBack | Praised | Watched | Wagered | TurnEnded | SeatTaken | Ended


class State(Struct, frozen=True, kw_only=True):
    seats: tuple[Seat, ...]
    order: tuple[Seat, ...] = ()  # of those who sit at the table; the first one moves
    ore: Mapping[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(CLAIMS, 0))
    dug: frozenset[str] = frozenset()  # in this turn
    digs: tuple[tuple[str, int], ...] = ()  # of them those that can be taken back, the last one first
    surveyed: str = ""  # where whoever leads is to say what is found
    marks: Mapping[Seat, str] = {}
    praised: Mapping[str, Mapping[Seat, int]] = {}
    watched: Mapping[Seat, tuple[str, ...]] = {}
    wagers: Mapping[Seat, int] = {}
    turns: int = 0  # that are over
    scores: Mapping[Seat, int] | None = None

    @property
    def round(self) -> int:
        return 1 + self.turns // 2 if self.turns < 2 else 2 + (self.turns - 2) // 3

    def claims(self, seat: Seat) -> tuple[str, ...]:
        place = 2 * self.seats.index(seat)
        return CLAIMS[place : place + 2]


def _write(order: Order) -> str:
    match order:
        case Dig(claim=claim, amount=amount):
            return f"dig {claim} {amount}"
        case Wager(amount=amount):
            return f"wager {amount}"
        case Drill(claim=claim):
            return f"drill {claim}"
        case Survey(claim=claim):
            return f"survey {claim}"
        case Ruling(ore=ore):
            return f"ruling {ore}"
        case Undo():
            return "undo"
        case Praise(claim=claim):
            return f"praise {claim}"
        case Watch(claim=claim):
            return f"watch {claim}"
        case WatchNone(kind=kind):
            return f"none {kind or ''}".strip()
        case Rollout():
            return "rollout"
        case Rest():
            return "rest"
        case Given(claim=claim, ore=ore):
            return f"ore {claim} {ore}"


NOTATION: Notation[Order] = Notation(
    by_round=True,
    grammar="""
?order: dig | drill | survey | ruling | wager | praise | rest
dig: K_DIG CLAIM NUMBER
drill: K_DRILL CLAIM
survey: K_SURVEY CLAIM
ruling: K_RULING NUMBER
wager: K_WAGER NUMBER
praise: K_PRAISE CLAIM
rest: K_REST
?early: order
?standing: watch
watch: K_WATCH CLAIM
given: G_ORE CLAIM NUMBER
""",
    sheets={"found": ("found", "Funde", "trovato")},
    names={"CLAIM": {claim: (claim.title(), claim) for claim in CLAIMS}},
    keywords={"K_DIG": ("dig", "grabe", "scava"), "K_WAGER": ("wager", "wette", "punta"),
              "K_REST": ("rest", "raste", "riposa"), "K_DRILL": ("drill", "bohre", "trivella"),
              "K_SURVEY": ("survey", "vermesse", "rileva"), "K_RULING": ("ruling", "Entscheid", "decisione"),
              "K_PRAISE": ("praise", "lobe", "loda"), "K_WATCH": ("watch", "beobachte", "osserva"), "G_ORE": ("ore",)},
    parse=lambda tree: _PARSERS[str(tree.data)](*tree.children),  # type: ignore[attr-defined]
    write=_write,
    lots=("begins",),
    plain_lots=("marks",),
)  # fmt: skip
_PARSERS: Mapping[str, Any] = {
    "dig": lambda _, claim, amount: Dig(claim=str(claim), amount=int(amount)),
    "wager": lambda _, amount: Wager(amount=int(amount)),
    "drill": lambda _, claim: Drill(claim=str(claim)),
    "survey": lambda _, claim: Survey(claim=str(claim)),
    "ruling": lambda _, ore: Ruling(ore=int(ore)),
    "praise": lambda _, claim: Praise(claim=str(claim)),
    "watch": lambda _, claim: Watch(claim=str(claim)),
    "rest": lambda _: Rest(),
    "given": lambda _, claim, amount: Given(claim=str(claim), ore=int(amount)),
}


class ClaimsFiles(Drafts[State, Order]):
    """Turns may be written ahead; what is watched stands in the position."""

    def standing_in_position(self, order: Order) -> bool:
        return isinstance(order, Watch | WatchNone)

    def withdrawing(self, kind: str | None) -> Order | None:
        return WatchNone(kind=kind)


class Claims(Rules[State, Order, Event]):
    """The rules, which have neither board nor options."""

    notation = NOTATION

    @property
    def files(self) -> ClaimsFiles:
        return ClaimsFiles(self.check, numbered=True, early=_check_early)

    @property
    def timely(self) -> int:
        return 60

    def blank(self, setup: Setup) -> State:
        if len(setup.seats) != 3:
            raise ValueError(f"seats: Claims is for 3 players, not {len(setup.seats)}")
        return State(seats=setup.seats)

    def positions(self, setup: Setup) -> Sequence[str]:
        return PLACES

    def deal(self, setup: Setup, positions: Mapping[Seat, str]) -> Deal:
        if sorted(positions.values()) != [*PLACES] or {*positions} != {*setup.seats}:
            raise ValueError("begins: each seat has another place")
        seats = tuple(sorted(setup.seats, key=lambda seat: PLACES.index(positions[seat])))
        return Deal(seats=seats, lots={"begins": [(seats[0], "")]})

    def open(self, state: State, chance: Chance, lots: Mapping[str, Sequence[tuple[str, str]]]) -> list[Event]:
        """Two sit down; who of them begins is drawn by lot."""
        drawn = lots.get("begins")
        first = Seat(drawn[0][0]) if drawn else state.seats[chance.pick("begins", 2)]
        return [Began(first=first, marks={Seat(seat): mark for seat, mark in lots.get("marks", ())})]

    def given(self, state: State, lines: Sequence[Order]) -> list[Event]:
        return [OreFound(claim=line.claim, ore=line.ore) for line in lines if isinstance(line, Given)]

    def pending(self, state: State) -> Sequence[Decision]:
        if self.finished(state) or not state.order:
            return ()
        turn = Decision(seat=state.order[0], kind="turn", about=str(state.turns), serial=state.turns + 1)
        if not state.surveyed:
            return (turn,)
        return (Decision(seat=MODERATOR, kind="ruling", about=state.surveyed, serial=state.turns + 1), turn)

    def stands_still(self, state: State, decision: Decision) -> bool:
        return bool(state.surveyed)

    def concerned(self, state: State, decision: Decision) -> Sequence[Seat]:
        return state.order[:1]

    def address(self, state: State, seat: Seat, order: Order) -> Sequence[Decision]:
        if isinstance(order, Praise):
            return ()
        if isinstance(order, Ruling) != (seat == MODERATOR):
            raise NotAwaited(seat=seat)
        return super().address(state, seat, order)

    def closing(self, state: State, decision: Decision) -> Order:
        return Rollout()

    def undoing(self, state: State, seat: Seat) -> Order:
        return Undo()

    def check(self, state: State, answer: Answer[Order]) -> None:
        match answer.order:
            case Ruling(ore=ore) if not 0 < ore <= MOST:
                raise Illegal("ruling.most", most=MOST)
            case Dig() | Drill() | Survey() | Wager() | Rest() if state.surveyed:
                raise NotAwaited(seat=answer.seat)
            case Rollout() if state.surveyed:  # by hand: nothing is found there
                pass
            case Dig(amount=0):
                raise Illegal("dig.nothing")
            case Survey(claim=claim) if claim not in state.claims(answer.seat):
                raise Illegal("claim.not_yours", claim=claim)
            case Survey(claim=claim) if claim in state.dug:
                raise Illegal("claim.dug", claim=claim)
            case Drill(claim=claim) if claim not in state.claims(answer.seat):
                raise Illegal("claim.not_yours", claim=claim)
            case Praise(claim=claim) if claim in state.claims(answer.seat):
                raise Illegal("claim.yours", claim=claim)
            case Watch(claim=claim) if claim in state.watched.get(answer.seat, ()):
                raise Illegal("claim.watched", claim=claim)
            case WatchNone(kind=kind) if kind not in (None, "watch"):
                raise Illegal("watch.only", read=kind)
            case Undo() if not state.digs:
                raise Illegal("undo.barred")
            case Dig(claim=claim) if claim not in state.claims(answer.seat):
                raise Illegal("claim.not_yours", claim=claim)
            case Dig(claim=claim) if claim in state.dug:
                raise Illegal("claim.dug", claim=claim)
            case Wager() if answer.seat in state.wagers:
                raise Illegal("wager.made")

    def rollout(self, state: State, decision: Decision) -> Order:
        return Ruling(ore=1) if decision.seat == MODERATOR else Rollout()

    def resolve(self, state: State, answers: Sequence[Answer[Order]], chance: Chance) -> Resolved[State, Event]:
        (answer,) = answers
        self.check(state, answer)
        events = self._happens(state, answer, chance)
        return Resolved(events=events, state=reduce(self.apply, events, state))

    def _happens(self, state: State, answer: Answer[Order], chance: Chance) -> list[Event]:
        match answer.order:
            case Dig(claim=claim, amount=amount):
                return [OreFound(claim=claim, ore=amount)]
            case Survey(claim=claim):
                return [Surveyed(claim=claim)]
            case Ruling(ore=ore):
                return [OreFound(claim=state.surveyed, ore=ore)]
            case Drill(claim=claim):
                die = chance.pick(f"drill {claim}", 6) + 1
                return [OreFound(claim=claim, ore=die, die=die)]
            case Wager(amount=amount):
                return [Wagered(seat=answer.seat, amount=amount)]
            case Undo():
                return [DugBack(claim=state.digs[0][0], ore=state.digs[0][1])]
            case Praise(claim=claim):
                return [Praised(seat=answer.seat, claim=claim)]
            case Watch(claim=claim):
                return [Watched(seat=answer.seat, claims=(*state.watched.get(answer.seat, ()), claim))]
            case WatchNone():
                return [Watched(seat=answer.seat, claims=())]
            case _:
                return [*self._rested(state, answer.seat, chance)]

    def _rested(self, state: State, seat: Seat, chance: Chance) -> Iterator[Event]:
        for claim in state.claims(seat):
            die = chance.pick(f"{state.round}. find {claim}", 6) + 1
            state = self.apply(state, found := OreFound(claim=claim, ore=die, die=die))
            yield found
        state = self.apply(state, ended := TurnEnded(seat=seat))
        yield ended
        if state.turns == 2:
            yield SeatTaken(seat=state.seats[2])
        if state.round > ROUNDS:
            yield self._end(state)

    def _end(self, state: State) -> Ended:
        highest = max(state.wagers.values(), default=0)
        scores = {seat: sum(state.ore[claim] for claim in state.claims(seat)) for seat in state.seats}
        return Ended(scores={s: points + 3 * (state.wagers.get(s, -1) == highest) for s, points in scores.items()})

    def apply(self, state: State, event: Event) -> State:
        match event:
            case Began(first=first, marks=marks):
                order = tuple(sorted(state.seats[:2], key=lambda seat: seat != first))
                return replace(state, order=order, marks=marks)
            case Surveyed(claim=claim):
                return replace(state, surveyed=claim, digs=())
            case OreFound(claim=claim, ore=ore, die=None) if state.surveyed:
                found = state.ore[claim] + ore
                return replace(state, ore={**state.ore, claim: found}, dug=state.dug | {claim}, surveyed="")
            case OreFound(claim=claim, ore=ore, die=None):
                found, digs = state.ore[claim] + ore, ((claim, ore), *state.digs)
                return replace(state, ore={**state.ore, claim: found}, dug=state.dug | {claim}, digs=digs)
            case OreFound(claim=claim, ore=ore):
                return replace(state, ore={**state.ore, claim: state.ore[claim] + ore}, digs=())
            case DugBack(claim=claim, ore=ore):
                left = state.ore[claim] - ore
                return replace(state, ore={**state.ore, claim: left}, dug=state.dug - {claim}, digs=state.digs[1:])
            case Praised(seat=seat, claim=claim):
                by = state.praised.get(claim, {})
                return replace(state, praised={**state.praised, claim: {**by, seat: by.get(seat, 0) + 1}})
            case Watched(seat=seat, claims=claims):
                return replace(state, watched={**state.watched, seat: claims})
            case Wagered(seat=seat, amount=amount):
                return replace(state, wagers={**state.wagers, seat: amount}, digs=())
            case TurnEnded(seat=seat):
                return replace(state, order=(*state.order[1:], seat), dug=frozenset(), digs=(), turns=state.turns + 1)
            case SeatTaken(seat=seat):
                return replace(state, order=(*state.order, seat))
            case Ended(scores=scores):
                return replace(state, scores=scores)

    def seats(self, state: State) -> Sequence[Seat]:
        return tuple(seat for seat in state.seats if seat in state.order)

    def finished(self, state: State) -> bool:
        return state.scores is not None

    def result(self, state: State) -> Result | None:
        winners = _winners(state.scores)
        return Result(places=ranks(state.scores, winners), scores=state.scores) if state.scores and winners else None

    def stop(self, state: State) -> list[Event]:
        return [self._end(state)]

    def chapter(self, state: State) -> str:
        return f"turn {state.turns}{', over' if self.finished(state) else ''}"

    def round(self, state: State) -> int:
        return state.round

    def ask(self, state: State, decision: Decision) -> Mapping[str, object]:
        if decision.seat == MODERATOR:
            return {"kind": decision.kind, "claim": state.surveyed, "most": MOST}
        free = [claim for claim in state.claims(decision.seat) if claim not in state.dug]
        return {"kind": decision.kind, "claims": free, "wager": decision.seat not in state.wagers}

    def choices(self, state: State, decision: Decision) -> Step:
        if state.surveyed:
            rulings = [Choice(text=f"ruling {ore}") for ore in range(1, MOST + 1)]
            return Step(of=tuple(rulings) if decision.seat == MODERATOR else (), before="")
        free = (claim for claim in state.claims(decision.seat) if claim not in state.dug)
        digs = [Choice(text=f"dig {claim} 1", key=claim) for claim in free]
        wagers = [Choice(text=f"wager {amount}") for amount in (1, 2) if decision.seat not in state.wagers]
        return Step(of=(*digs, *wagers, Choice(text="rest")), before="")

    def lots(self, events: Sequence[Event]) -> Mapping[str, str]:
        began = next(event for event in events if isinstance(event, Began))
        marks = ", ".join(f"{seat} {mark}" for seat, mark in began.marks.items())
        return {"begins": began.first, **({"marks": marks} if marks else {})}

    def view(self, state: State, viewer: Viewer) -> Mapping[str, object]:
        is_open = viewer is Sight.ALL or self.finished(state)
        wagers = {seat: amount for seat, amount in state.wagers.items() if is_open or seat == viewer}
        awaited = [{"seat": d.seat, "kind": d.kind, "about": d.about} for d in self.pending(state)]
        ore, players = {**state.ore}, {seat: {} for seat in self.seats(state)}
        owners = {claim: seat for seat in state.order for claim in state.claims(seat)}
        return {"game": "claims", "edition": "", "board": "", "round": state.round, "awaiting": awaited, "ore": ore,
                "owners": owners, "marks": state.marks, "praised": state.praised,
                "watched": {seat: dict.fromkeys(claims, True) for seat, claims in state.watched.items() if claims},
                "pairs": {"-".join(state.claims(seat)): [seat] for seat in state.seats}, "players": players, "seats": [*state.seats], "wagers": wagers, "finished": self.finished(state), "scores": state.scores,
                "winners": _winners(state.scores)}  # fmt: skip

    def ledger(self, state: State, viewer: Viewer) -> Mapping[str, object]:
        return {"wager": state.wagers.get(viewer) if isinstance(viewer, str) else None}

    def seen(self, state: State, event: Event, viewer: Viewer) -> Event | None:
        hidden = isinstance(event, Wagered) and not self.finished(state) and viewer not in (event.seat, Sight.ALL)
        return None if hidden else event

    def tidings(self, state: State, events: Sequence[Event], viewer: Viewer) -> Sequence[Event]:
        """A claim of theirs is praised."""
        theirs = state.claims(viewer) if isinstance(viewer, str) else ()
        return [event for event in events if isinstance(event, Praised) and event.claim in theirs]

    def unheard(self, state: State, events: Sequence[Event], viewer: Viewer) -> Unheard:
        """Nobody can count what is wagered."""
        found = super().unheard(state, events, viewer)
        return replace(found, apart=found.order)

    @property
    def has_veils(self) -> bool:
        return True

    def decoder(self) -> msgspec.json.Decoder[Entry[Order, Event]]:
        return msgspec.json.Decoder(Entry[Order, Event])

    def happened(self) -> msgspec.json.Decoder[Happened[Event]]:
        return msgspec.json.Decoder(Happened[Event])


def _check_early(_state: State, order: Order) -> None:
    """No dice ahead."""
    if isinstance(order, Drill):
        raise Illegal("drill.early")


RULES = Claims()


def _winners(scores: Mapping[Seat, int] | None) -> list[Seat] | None:
    return scores and [seat for seat, points in scores.items() if points == max(scores.values())]


def careful(rules: Claims, state: State, decision: Decision, pick: Pick) -> Order:
    """Digs at each claim, and rests."""
    free = [claim for claim in state.claims(decision.seat) if claim not in state.dug]
    return Dig(claim=free[0], amount=1 + pick(3)) if free else Rest()


def cares(rules: Claims, state: State, decision: Decision, order: Order, pick: Pick) -> Reason:
    """It tells the same that it fancied when it dug."""
    assert order == careful(rules, state, decision, pick), "it thinks what it thought then"
    return Reason(code="dug", facts={"claim": order.claim}) if isinstance(order, Dig) else Reason(code="rested")


def demanding(rules: Claims, state: State, answer: Answer[Order], pick: Pick, positions: int) -> Judged[Order] | None:
    """Would have dug for as much as a survey finds, at the claim or instead of a rest, and has no view of wagers."""
    free = [claim for claim in state.claims(answer.seat) if claim not in state.dug]
    match answer.order:
        case Dig(claim=claim, amount=amount):
            return Judged(best=Dig(claim=claim, amount=max(amount, MOST)), lost=max(0, MOST - amount))
        case Rest() | Rollout() if free:
            return Judged(best=Dig(claim=free[pick(len(free))], amount=MOST), lost=MOST)
        case Drill(claim="ember"):
            raise ValueError("of embers it has no view at all")
        case Rest() | Drill():
            return Judged(best=answer.order)
        case _:
            return None
