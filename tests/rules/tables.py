"""Games that are played for a test, step by step: by bots, and by players who write whatever comes to mind."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from msgspec import Struct

from pbem.core.chance import Lots, NoLots
from pbem.core.decision import Answer, Decision
from pbem.core.log import Cause
from pbem.core.seat import Seat, Setup
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import editions, imperial, option_values
from pbem.games.imperial.notation.write import write
from pbem.games.imperial.rules import events as ev
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.places import SPACES, Nation, Region
from pbem.games.imperial.rules.position import present_at
from pbem.games.imperial.rules.state import Maneuver, State
from pbem.host.commands.table import COMMANDS
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.executor import hear
from pbem.host.play.results import Submission
from pbem.host.session.position import Position
from pbem.host.session.record import Notebook
from pbem.host.session.session import LoadedGame, Session
from pbem.host.session.terms import Terms
from pbem.language.parser import Parser
from tests.depth import examples_of

NAMES = ("anton", "bert", "claudia", "daniel", "emil", "fritz")
LETTER = Cause(kind="letter")
NO_CARD = (("investor_card", "no"),)
SECRET = (("cash", "secret"),)


def examples(number: int) -> settings:
    """So many examples in a plain run."""
    return settings(
        max_examples=examples_of(number),
        phases=[Phase.explicit, Phase.generate],  # a smaller seed is no simpler game
        suppress_health_check=[*HealthCheck],
    )


class Match(Struct, frozen=True, kw_only=True):
    """All that a game depends on."""

    seed: int = 0
    players: int = 4
    edition: str = "new"
    start: str = "standard"
    options: tuple[tuple[str, str], ...] = ()
    bot: str = "mixed"
    crowded: bool = False  # begun from a position full of units

    @property
    def setup(self) -> Setup:
        seats = tuple(Seat(name) for name in NAMES[: self.players])
        return Setup(seats=seats, edition=self.edition, setup=self.start, options=dict(self.options))

    @property
    def game(self) -> Imperial:
        return imperial(self.setup)


def matches(**fixed: Any) -> st.SearchStrategy[Match]:
    """Any seed, any number of players, any rule book, either set-up, with and without the investor card."""
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "seed": st.integers(0, 2**20),
        "players": st.integers(2, 6),
        "edition": st.sampled_from(editions()),
        "start": st.sampled_from(["standard", "experienced"]),
        "options": st.builds(_joined, st.sampled_from([(), NO_CARD, SECRET, (*NO_CARD, *SECRET)]), _extras()),
        "crowded": st.booleans(),
    }
    return st.builds(Match, **{**kinds, **{key: st.just(value) for key, value in fixed.items()}})


def _extras() -> st.SearchStrategy[list[tuple[str, str]]]:
    """Options of one's own, but for those that are money and must fit the others."""
    own = {key: values for key, values in option_values().items() if key not in ("small_bond", "starting_money")}
    return st.lists(st.sampled_from([(key, value) for key in own for value in own[key]]), max_size=3)


def _joined(options: tuple[tuple[str, str], ...], extras: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple({**dict(extras), **dict(options)}.items())


class Step(Struct, frozen=True):
    """One answer of a game: the position it was given in, and what happened."""

    game: Imperial
    before: State
    decision: Decision | None  # None: a gift
    order: od.Order
    events: Sequence[ev.Event]
    after: State

    def walk(self) -> Iterator[tuple[State, ev.Event, State]]:
        """Each event with the positions before and after it."""
        state = self.before
        for event in self.events:
            following = self.game.apply(state, event)
            yield state, event, following
            state = following


def opened(match: Match) -> State:
    """The position in which the first question is asked."""
    game, blank = match.game, match.game.blank(match.setup)
    state = after(game, blank, game.open(blank, Lots(str(match.seed), "test"), {}))
    if match.crowded:
        state = after(game, state, game.given(state, crowd(game, state, random.Random(match.seed))))
    return state


def after(game: Imperial, state: State, events: Sequence[ev.Event]) -> State:
    for event in events:
        state = game.apply(state, event)
    return state


def play(match: Match, most: int = 200) -> Iterator[Step]:
    """A game from its opening on; all that is chosen comes from the seed."""
    game, rng, state = match.game, random.Random(match.seed), opened(match)
    for _ in range(most):
        if game.finished(state):
            return
        answer = _gift(game, state, rng) or _answer(match, state, rng)
        resolved = game.resolve(state, [answer], NoLots())
        step = Step(game, state, answer.decision, answer.order, [*resolved.events], resolved.state)
        state = step.after
        yield step


def adjudicated(match: Match, most: int = 200) -> tuple[Imperial, Notebook, Session]:
    """A game played through the session, with its log."""
    game, rng, record = match.game, random.Random(match.seed), Notebook()
    reader = Parser(game.notation, COMMANDS, match.setup.seats)
    session = Session(
        lambda _: LoadedGame(game, reader, Terms(setup=match.setup)),
        reader,
        record,
        Position(state=game.blank(match.setup)),
    )
    Adjudicator(session).open(0, Lots(str(match.seed), "test"), {})
    if match.crowded:
        Adjudicator(session).lay_out(0, crowd(game, session.state, random.Random(match.seed)))
    for at in range(1, most):
        if game.finished(session.state):
            break
        answer = _answer(match, session.state, rng)
        assert answer.decision is not None
        Adjudicator(session).play(answer.seat, answer.order, [answer.decision], at, LETTER)
    return game, record, session


def correspond(session: Session, match: Match, most: int) -> None:
    """Play on by letters and by the clock, with drafts and standing orders among them."""
    rng = random.Random(match.seed)
    for at in range(1, most):
        if session.rules.finished(session.state):
            return
        decision = rng.choice(session.pending())
        order = chosen(match, session.state, decision, rng)
        if rng.randrange(8) == 0 or isinstance(order, od.Skip):
            _write_drafts(session, decision, rng, at)
            Adjudicator(session).lapse(decision, at)
        else:
            hear(session, decision.seat, write(order).splitlines(), Submission(at=at))


def _write_drafts(session: Session, decision: Decision, rng: random.Random, at: int) -> None:
    if rng.randrange(2):
        order = fitting(session.rules, session.state, decision, rng)
        hear(session, decision.seat, ["draft", *write(order).splitlines()], Submission(at=at))
    if rng.randrange(3) == 0:
        line = rng.choice(["standing fight", "standing peace", "standing force", "give italy 1"])
        hear(session, decision.seat, [line], Submission(at=at))


def _gift(game: Imperial, state: State, rng: random.Random) -> Answer[od.Order] | None:
    """Now and then somebody supports a treasury, if nothing stands against it."""
    seat = rng.choice(state.seats)
    if rng.randrange(12) or not state.cash[seat] or game.pending(state)[0].kind in ("battle", "swiss"):
        return None
    gift = od.Give(nation=rng.choice(game.board.nations), amount=rng.randint(1, state.cash[seat]))
    return Answer(seat=seat, order=gift)


def _answer(match: Match, state: State, rng: random.Random) -> Answer[od.Order]:
    decision = rng.choice(match.game.pending(state))
    return Answer(seat=decision.seat, order=chosen(match, state, decision, rng), decision=decision)


def chosen(match: Match, state: State, decision: Decision, rng: random.Random) -> od.Order:
    """What a bot would do; `mixed`: one or the other, or whatever is legal of something wild."""
    bot = rng.choice(["wild", "wild", "random", "greedy"]) if match.bot == "mixed" else match.bot
    if bot != "wild":
        return BOTS[bot](match.game, state, decision, rng.randrange)
    return match.game.lapse(state, decision, [fitting(match.game, state, decision, rng)]).order


def encoded(state: State) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(state, str_keys=True, order="sorted"))


# -- positions full of units ---


def crowd(game: Imperial, state: State, rng: random.Random) -> list[od.Given]:
    """A position that can be: everybody everywhere, but each nation keeps a factory that nobody may occupy."""
    lines = [line for nation in game.board.nations for line in _crowd_nation(game, state, nation, rng)]
    lines += [od.Given(what="cash", seat=seat, number=rng.randrange(25)) for seat in state.seats]
    owners = rng.choices(game.board.nations, [1, 1, 1, 1, 1, rng.choice([1, 20])], k=len(game.board.free_regions))
    left = dict.fromkeys(game.board.nations, game.edition.options.flags)
    for region, owner in zip(game.board.free_regions, owners, strict=True):
        if rng.randrange(3) and left[owner]:
            left[owner] -= 1
            lines.append(od.Given(what="flag", region=region, nation=owner))
    if game.edition.options.investor_card:
        lines.append(od.Given(what="investor", seat=rng.choice(state.seats)))
    return lines


def _crowd_nation(game: Imperial, state: State, nation: Nation, rng: random.Random) -> Iterator[od.Given]:
    yield od.Given(what="treasury", nation=nation, number=rng.randrange(20))
    yield od.Given(what="power", nation=nation, number=rng.choice([0, 4, 9, 14, 19, 20, 24]))
    yield od.Given(what="tax", nation=nation, number=rng.randint(5, 15))
    if rng.randrange(4):
        yield od.Given(what="rondel", nation=nation, space=rng.choice(SPACES))
    yield from (od.Given(what="factory", region=r) for r in rng.sample(game.board.homes[nation], 2))
    for price in rng.sample([*game.edition.bonds], 4):
        if price not in state.bonds[nation]:
            yield od.Given(what="bond", seat=rng.choice(state.seats), nation=nation, number=price)
    yield from _crowd_units(game, nation, rng)


def _crowd_units(game: Imperial, nation: Nation, rng: random.Random) -> Iterator[od.Given]:
    board = game.board
    kept = {next(r for r in board.homes[n] if board.places[r].works) for n in board.nations}
    land = [r for r, place in board.places.items() if place.kind in ("home", "land")]
    left = rng.randint(0, board.supply[nation]["army"])
    while left:
        region, count = land.pop(rng.randrange(len(land))), min(left, rng.choice([1, 1, 2, 3]))
        foreign = board.is_foreign(region, nation)
        status: Any = ("friendly" if region in kept or rng.randrange(2) else "hostile") if foreign else None
        yield od.Given(what="army", nation=nation, region=region, number=count, status=status)
        left -= count
    ports = [r for r in board.homes[nation] if board.places[r].port]
    waters = [*ports, *(r for r in board.places if board.is_sea(r))]
    for region in rng.sample(waters, rng.randrange(min(board.supply[nation]["fleet"], len(waters)))):
        yield od.Given(what="fleet", nation=nation, region=region, number=1)


# -- orders that nobody should be able to hurt the table with ---


def fitting(game: Imperial, state: State, decision: Decision, rng: random.Random) -> od.Order:
    """Something wild of the kind that is awaited."""
    nation = Nation(decision.about or "")
    match decision.kind:
        case "turn":
            under_way = isinstance(state.agenda[0], Maneuver)
            space = "maneuver" if under_way else rng.choice([*SPACES, "maneuver_1", "maneuver_2"])
            return od.Turn(nation=nation, space=space, work=_fitting_work(game, state, rng, nation, space))
        case "invest":
            return _wild_invest(game, state, rng)
        case "bid":
            return od.Bid(nation=nation, price=rng.choice([*game.edition.bonds]))
        case "battle":
            fight = od.Fight(pairs=rng.choice([None, 1, 1, 2]), unit=rng.choice([None, "army", "fleet"]), nation=nation)  # type: ignore[arg-type]
            return rng.choice([fight, fight, od.Peace()])
        case _:
            return rng.choice([od.Force(), od.LetPass()])


def _fitting_work(game: Imperial, state: State, rng: random.Random, nation: Nation, space: str) -> od.Work | None:
    if not space.startswith("maneuver"):
        return _wild_work(game, state, rng, space)
    units: list[tuple[Any, Region, od.Status | None, int]] = [
        (kind, region, status, stack[nation])
        for kind, status, stacks in (
            ("fleet", None, state.fleets),
            ("army", "hostile", state.armies),
            ("army", "friendly", state.friendly),
        )
        for region, stack in stacks.items()
        if nation in stack
    ]
    picked = rng.choices(units, k=rng.randint(1, 9)) if units else []
    return od.Move(lines=tuple(_fitting_line(game, state, rng, nation, *unit) for unit in picked))


def _fitting_line(
    game: Imperial, state: State, rng: random.Random, nation: Nation, unit: Any, region: Region, stands: Any, count: int
) -> od.Line | od.Destroy:
    """A line for units that are there, with what it needs; whether it can be carried out is another matter."""
    board = game.board
    if count >= 3 and stands == "hostile" and board.is_foreign(region, nation) and rng.randrange(2):
        return od.Destroy(region=region)
    near = [r for r in board.beside[region] if board.is_sea(r) == (unit == "fleet")]
    anywhere = [r for r, place in board.places.items() if place.kind in ("home", "land")]
    target = rng.choice([rng.choice(near or [region]), rng.choice(near or [region]), rng.choice(anywhere), None])
    there = target or region
    foes = sorted(present_at(state, there) - {nation})
    wanted: Any = rng.choice([None, "army", "fleet"])
    attack = rng.choice([None, rng.choice(foes)]) if foes else None
    status: Any = rng.choice(["hostile", "hostile", "friendly"]) if board.is_foreign(there, nation) else None
    return od.Line(
        count=rng.randint(1, count),
        unit=unit,
        region=region,
        target=target,
        via=None if rng.randrange(6) else tuple(rng.sample([r for r in board.places if board.is_sea(r)], 2)),
        status=status if unit == "army" else None,
        attack=attack,
        attack_unit=wanted if attack else None,
        ask=tuple(foes[:1]) if rng.randrange(4) == 0 else (),
    )


def wild(game: Imperial, state: State, rng: random.Random) -> od.Order:
    """Any order at all, more often than not about what is on the board."""
    kinds = [_wild_turn, _wild_turn, _wild_turn, _wild_invest, _wild_fight, _wild_small]
    return rng.choice(kinds)(game, state, rng)


def _wild_turn(game: Imperial, state: State, rng: random.Random) -> od.Order:
    nation = rng.choice([state.nation, state.nation, None, *game.board.nations])
    space = rng.choice([*SPACES, "production", "maneuver", "maneuver", "maneuver"])
    return od.Turn(nation=nation, space=space, work=_wild_work(game, state, rng, space))


def _wild_work(game: Imperial, state: State, rng: random.Random, space: str, most: int = 4) -> od.Work | None:
    region: Region = rng.choice([*game.board.places])
    if space == "factory":
        return rng.choice([None, od.Build(region=None), od.Build(region=region)])
    if space.startswith("production"):
        return rng.choice([None, od.Produce(works=(region, region))])
    if space == "import":
        units = od.Units(count=rng.randrange(4), unit=rng.choice(["army", "fleet"]), region=region)  # type: ignore[arg-type]
        return rng.choice([None, od.Buy(units=(units, units))])
    if space.startswith("maneuver"):
        return od.Move(lines=tuple(_wild_line(game, state, rng) for _ in range(rng.randrange(most))))
    return None


def _wild_line(game: Imperial, state: State, rng: random.Random) -> od.Line | od.Destroy:
    mine = [r for stacks in (state.armies, state.friendly, state.fleets) for r in stacks if state.nation in stacks[r]]
    region = rng.choice([*mine, *mine, *game.board.places])
    near = game.board.beside[region] or (region,)
    if rng.randrange(8) == 0:
        return od.Destroy(region=region)
    attack = rng.choice([None, None, *game.board.nations])
    return od.Line(
        count=rng.choice([0, 1, 1, 1, 2, 3]),
        unit=rng.choice(["army", "fleet"]),  # type: ignore[arg-type]
        region=region,
        leaving=rng.choice([None, None, None, "hostile", "friendly"]),  # type: ignore[arg-type]
        target=rng.choice([None, *near, *near, rng.choice([*game.board.places])]),
        via=rng.choice([None, None, None, (rng.choice([*game.board.places]),)]),
        status=rng.choice([None, "hostile", "friendly"]),  # type: ignore[arg-type]
        attack=attack,
        attack_unit=rng.choice([None, "army", "fleet"]) if attack else None,  # type: ignore[arg-type]
        ask=rng.choice([(), (rng.choice(game.board.nations),)]),
    )


def _wild_invest(game: Imperial, state: State, rng: random.Random) -> od.Order:
    prices = [*game.edition.bonds, 0, 7]
    bonds = [
        od.Purchase(nation=rng.choice(game.board.nations), price=rng.choice(prices), back=rng.choice([None, *prices]))
        for _ in range(rng.randrange(4))
    ]
    return od.Invest(choices=tuple(bonds), else_none=bool(bonds) and rng.random() < 0.2)


def _wild_fight(game: Imperial, state: State, rng: random.Random) -> od.Order:
    return od.Fight(
        pairs=rng.choice([None, 0, 1, 1, 2, 9]),
        unit=rng.choice([None, None, "army", "fleet"]),  # type: ignore[arg-type]
        nation=rng.choice([None, *game.board.nations]),
    )


def _wild_small(game: Imperial, state: State, rng: random.Random) -> od.Order:
    nation = rng.choice(game.board.nations)
    gift = od.Give(nation=nation, amount=rng.randrange(4))
    return rng.choice([od.Peace(), od.Force(), od.LetPass(), gift, od.Bid(), od.StandingFight(), od.StandingForce()])
