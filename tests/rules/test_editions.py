"""Rule books are checked whole, and a game's own options with them; secret cash stays secret."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.core.chance import Lots, NoLots
from pbem.core.decision import Answer
from pbem.core.seat import Seat, Setup
from pbem.files import ConfigError
from pbem.games import GAMES
from pbem.games.imperial.bots import BOTS
from pbem.games.imperial.data.editions import editions, imperial, load_edition, option_values
from pbem.games.imperial.presentation.tables import standings
from pbem.games.imperial.rules.game import SETUPS, Imperial
from pbem.games.imperial.rules.position import credit_of, flags_of
from pbem.games.imperial.rules.state import State
from pbem.host.archive.replay import Replay

SEATS = tuple(Seat(name) for name in ("anton", "bert", "claudia", "daniel", "emil", "fritz"))
OLD = {  # games/imperial/RULINGS.md, R1: the first edition
    "bonds_up_to": 25,
    "small_bond": 4,
    "flags": 10,
    "swiss_bank": False,
    "force_stop": False,
    "taxation": "money_first",
    "status_change": False,
}
NEW = {
    "bonds_up_to": 30,
    "small_bond": 2,
    "flags": 15,
    "investor_card": True,
    "swiss_bank": True,
    "force_stop": True,
    "taxation": "points_first",
    "status_change": True,
    "uncovered_investor": "refuse",
    "card_fallback": "italy",
    "challenger_tie": "card_order",
    "compensation": 0,
    "cash": "open",
    "finality": "at_once",
    "lapse": "skip",
    "lateness": "ledger",
}
VALUES = {
    "new": NEW,
    "third_2010": NEW,
    "first_2006": {**NEW, **OLD},
    "manual": {**NEW, **OLD, "status_change": True, "card_fallback": "russia", "challenger_tie": "first_buyer"},
}
MONEY = {
    "new": {2: 35, 3: 24, 4: 13, 5: 13, 6: 13},
    "third_2010": {2: 35, 3: 24, 4: 13, 5: 13, 6: 13},
    "first_2006": {2: 39, 3: 26, 4: 13, 5: 13, 6: 13},
    "manual": {2: 39, 3: 26, 4: 13, 5: 13, 6: 13},
}
# The options of games/imperial/RULINGS.md: each with exactly these values
KEYS = {
    "investor_card": "yes no",
    "swiss_bank": "yes no",
    "force_stop": "yes no",
    "bonds_up_to": "25 30",
    "small_bond": "2 4",
    "flags": "10 15",
    "taxation": "points_first money_first",
    "status_change": "yes no",
    "uncovered_investor": "refuse allow",
    "card_fallback": "italy russia",
    "challenger_tie": "card_order first_buyer",
    "compensation": "0 1",
    "cash": "open secret",
    "lapse": "skip free_step",
    "finality": "at_once on_rollout",
    "lateness": "ledger fee bonus",
}


def table(edition: str = "new", players: int = 6, setup: str = "standard", **options: str) -> tuple[Imperial, State]:
    """A game, opened."""
    chosen = Setup(edition=edition, setup=setup, seats=SEATS[:players], options=options)
    game = imperial(chosen)
    state = game.blank(chosen)
    return game, after(game, state, game.open(state, Lots("1", "test"), {}))


def after(game: Imperial, state: State, events: Any) -> State:
    for event in events:
        state = game.apply(state, event)
    return state


def option(key: str, value: str) -> Any:
    return getattr(imperial(Setup(options={key: value})).edition.options, key)


def problems(text: str, options: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_edition(text, "mine.yaml", options)
    return [*caught.value.problems]


# -- the four of them ---


def test_there_are_four() -> None:
    assert editions() == ("first_2006", "manual", "new", "third_2010")


@pytest.mark.parametrize("edition", editions())
def test_each_has_its_values(edition: str) -> None:
    book = imperial(Setup(edition=edition)).edition
    assert {key: getattr(book.options, key) for key in VALUES[edition]} == VALUES[edition]
    assert book.starting_money == MONEY[edition]
    assert book.experienced_money == {2: 40, 3: 28, 4: 22, 5: 18, 6: 15}
    interest = {2: 1, 4: 2, 6: 3, 9: 4, 12: 5, 16: 6, 20: 7, 25: 8, 30: 9}
    assert book.bonds == {p: i for p, i in interest.items() if p <= VALUES[edition]["bonds_up_to"]}


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_small_bonds_are_paid_and_the_rest_is_kept(edition: str, players: int) -> None:
    _, state = table(edition, players)
    assert {*state.cash.values()} == {2 if VALUES[edition]["small_bond"] == 2 else 0}


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("card", ["yes", "no"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_anything_legal_goes_on(edition: str, setup: str, card: str, players: int) -> None:
    """Money comes from the bank only; supplies hold; a government has lent most; somebody is awaited until the end."""
    game, state = table(edition, players, setup, investor_card=card, compensation="1", lapse="free_step")
    pick = random.Random(players)
    for _ in range(200):
        if state.finished:
            return
        decision = game.pending(state)[0]
        order = game.lapse(state, decision).order
        if pick.randrange(10):
            order = BOTS["random"](game, state, decision, pick.randrange)
        answer = Answer(seat=decision.seat, order=order, decision=decision)
        state = game.resolve(state, [answer], NoLots()).state
        check_position(game, state)
    assert state.round > 1


def check_position(game: Imperial, state: State) -> None:
    options = game.edition.options
    assert state.finished or game.pending(state)
    assert min((*state.cash.values(), *state.treasury.values())) >= 0
    bidding = any(decision.kind == "bid" for decision in game.pending(state))
    assert (state.investor is None) == (bidding or not options.investor_card)
    for nation, seat in state.government.items():
        assert flags_of(state, nation) <= options.flags
        assert seat is None or credit_of(state, nation, seat) > 0
        assert {*state.lenders.get(nation, ())} == {*state.bonds[nation].values()}
    if not options.swiss_bank and options.investor_card:
        assert not state.swiss


# -- options ---


def test_the_keys_are_those_of_the_rulings() -> None:
    assert {key: " ".join(sorted(values)) for key, values in option_values().items() if values} == {
        key: " ".join(sorted(values.split())) for key, values in KEYS.items()
    }
    assert {key for key, values in option_values().items() if not values} == {"starting_money"}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key in KEYS for value in KEYS[key].split()])
def test_each_value_is_accepted(key: str, value: str) -> None:
    wanted = {"yes": True, "no": False}.get(value, int(value) if value.isdecimal() else value)
    assert option(key, value) == wanted


def test_money_is_any_amount() -> None:
    book = imperial(Setup(options={"starting_money": "44"})).edition
    assert {*book.starting_money.values(), *book.experienced_money.values()} == {44}


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("flags", "12", "option flags: should be 10 or 15, but is '12'"),
        ("flags", "", "option flags: should be 10 or 15, but is ''"),
        ("swiss_bank", "true", "option swiss_bank: should be yes or no, but is 'true'"),
        ("swiss_bank", "Yes", "option swiss_bank: should be yes or no, but is 'Yes'"),
        ("card_fallback", "france", "option card_fallback: should be italy or russia, but is 'france'"),
        ("compensation", "2", "option compensation: should be 0 or 1, but is '2'"),
        ("lateness", "fine", "option lateness: should be ledger or fee or bonus, but is 'fine'"),
        ("starting_money", "much", "option starting_money: should be an amount in millions, but is 'much'"),
        ("starting_money", "-5", "option starting_money: should be an amount in millions, but is '-5'"),
        ("starting_money", "²", "option starting_money: should be an amount in millions, but is '²'"),
    ],
)
def test_other_values_are_refused(key: str, value: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        option(key, value)
    assert caught.value.problems == (told,)


def test_all_wrong_options_are_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        imperial(Setup(options={"colour": "red", "flags": "12", "cash": "none"}))
    told = [problem.partition(":")[0] for problem in caught.value.problems]
    assert told == ["option cash", "option colour", "option flags"]
    assert caught.value.problems[1].startswith("option colour: there is no such option; there are bonds_up_to, ")


@pytest.mark.parametrize(
    ("setup", "players", "options", "told"),
    [
        ("standard", 2, {"starting_money": "32"}, "2 players each pay 33 for their flag cards, and have 32"),
        ("standard", 3, {"small_bond": "4"}, "3 players each pay 26 for their flag cards, and have 24"),
        ("standard", 6, {"starting_money": "10"}, "6 players each pay 11 for their flag cards, and have 10"),
        ("experienced", 6, {"starting_money": "1"}, "the cheapest bond costs 2, and everybody has 1"),
    ],
)
def test_money_must_pay_for_the_beginning(setup: str, players: int, options: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=f"starting_money: {told}"):
        table("new", players, setup, **options)


def test_the_final_letter_counts_bonds_of_thirty_in_any_edition() -> None:
    text = (
        "edition first_2006\noption bonds_up_to 30\nseats anton bert\nflags anton austria_hungary, bert italy\n"
        "given bond bert austria_hungary 30\ngiven power austria_hungary 24\n"
        "given flag romania austria_hungary\ngiven flag bulgaria austria_hungary\nbert> austria: taxation\n"
    )
    replay = Replay(text, GAMES, str)
    replay.run()
    bert = standings(replay.session.rules.view(replay.session.state, None))[0]
    assert (bert.seat, bert.points, bert.cash) == ("bert", 46, 1)  # nine times five, and a million of success bonus
    assert sum(share.worth for share in bert.shares) == 45


# -- secret cash (R26) ---


def cash_seen(game: Imperial, state: State, seat: str | None) -> dict[str, int | None]:
    view: Any = game.view(state, None if seat is None else Seat(seat))
    return {name: player["cash"] for name, player in view["players"].items()}


def test_secret_cash_is_seen_by_its_owner_only() -> None:
    game, state = table("new", 3, cash="secret")
    assert cash_seen(game, state, "bert") == {"anton": None, "bert": 2, "claudia": None}
    assert cash_seen(game, state, None) == dict.fromkeys(("anton", "bert", "claudia"))
    assert game.view(state, Seat("bert"))["running"] is None


def test_open_cash_is_seen_by_everybody() -> None:
    game, state = table("new", 3)
    assert cash_seen(game, state, None) == {"anton": 2, "bert": 2, "claudia": 2}


def test_another_seats_cash_changes_nothing_in_the_view() -> None:
    game, state = table("new", 3, "experienced", cash="secret")
    richer = after(game, state, game.given(state, [given_cash("claudia", 20)]))
    assert game.view(richer, Seat("anton")) == game.view(state, Seat("anton"))
    assert game.view(richer, Seat("claudia")) != game.view(state, Seat("claudia"))


def given_cash(seat: str, amount: int) -> Any:
    from pbem.games.imperial.rules.orders import Given

    return Given(what="cash", seat=Seat(seat), number=amount)


def test_secret_cash_is_told_at_the_end() -> None:
    game, state = table("new", 2, cash="secret")
    pick = random.Random(1)
    while not state.finished:
        assert game.view(state, Seat("anton"))["running"] is None
        decision = game.pending(state)[0]
        order = BOTS["greedy"](game, state, decision, pick.randrange)
        answer = Answer(seat=decision.seat, order=order, decision=decision)
        state = game.resolve(state, [answer], NoLots()).state
    assert cash_seen(game, state, None) == state.cash


# -- mistakes in a file ---


def test_a_book_of_ones_own() -> None:
    book = load_edition("id: mine\nextends: first_2006\noptions:\n  flags: 15\nfactory_cost: 6\n", "mine.yaml")
    assert (book.id, book.options.flags, book.options.small_bond, book.factory_cost) == ("mine", 15, 4, 6)


def test_the_games_options_go_before_the_books() -> None:
    text = "id: mine\nextends: new\noptions:\n  flags: 10\n"
    assert load_edition(text, "mine.yaml", {"flags": "15"}).options.flags == 15


def test_all_mistakes_of_kind_at_once_with_file_line_and_column() -> None:
    text = (
        "id: mine\nextends: new\noptions:\n  flags: 12\n  card_fallback: france\n  colour: red\n"
        "bonds: {30: nine}\nexperienced_money: []\nfactory_cost: -1\n"
    )
    told = problems(text)
    assert told[0] == "mine.yaml:4:10: options.flags: should be 10 or 15, but is 12"
    assert told[1].startswith("mine.yaml:5:18: options.card_fallback: should be 'italy' or 'russia'")
    assert told[2].startswith("mine.yaml:6:3: options.colour: is not known here")
    assert told[3].startswith("mine.yaml:7:13: bonds.30: should be a whole number")
    assert told[4].startswith("mine.yaml:8:20: experienced_money: should be a section")
    assert told[5] == "mine.yaml:9:15: factory_cost: should be at least 0, but is -1"
    assert len(told) == 6


def test_all_mistakes_of_sense_at_once() -> None:
    text = (
        "id: mine\nextends: new\n"
        "flag_card: {large: 10, small_bond_of: {italy: italia, france: france}}\n"
        "starting_cards: {2: {italia: [russia]}}\n"
        "bonds: {4: 0}\n"
        "starting_money: {2: 36, 7: 13}\n"
        "taxes: {marker: [5, 5]}\n"
    )
    assert problems(text) == [
        "mine.yaml:3:47: flag_card.small_bond_of.italy: should name a nation and another one",
        "mine.yaml:3:63: flag_card.small_bond_of.france: should name a nation and another one",
        "mine.yaml:4:21: starting_cards.2: italia is no nation",
        "mine.yaml:3:20: flag_card.large: there is no bond of 10",
        "mine.yaml:5:12: bonds.4: price and interest should be at least 1",
        "mine.yaml:6:17: starting_money: should tell the money of 2, 3, 4, 5 and 6 players",
        "mine.yaml:7:17: taxes.marker: the lowest space comes first, then the highest",
    ]


def test_money_that_leaves_players_in_debt_is_a_mistake() -> None:
    text = "id: mine\nextends: manual\nstarting_money:\n  2: 35\n  3: 24\n"  # the manual's own, R1
    assert problems(text) == [
        "mine.yaml:4:6: starting_money.2: should pay for the flag cards, 39, but is 35",
        "mine.yaml:5:6: starting_money.3: should pay for the flag cards, 26, but is 24",
    ]


def test_a_missing_section() -> None:
    told = problems("id: mine\nbonds: {2: 1}\n")
    assert "mine.yaml:1:1: flag_card: is missing" in told
    assert "mine.yaml:1:1: options: is missing" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id: mine\nextends: nova\n", "mine.yaml:2:10: extends: nova is none of first_2006, manual, new, third_2010"),
        ("extends: new\nextends: manual\n", "mine.yaml:2:1: extends: stands here a second time"),
        (
            "options: yes\nextends: new\n",
            'mine.yaml:1:10: options: should be a section with keys of its own, but is the text "yes"',
        ),
        ("options: [\n", "mine.yaml:2:1: "),
    ],
)
def test_what_can_not_be_extended(text: str, told: str) -> None:
    assert problems(text)[0].startswith(told)


def test_no_book_extends_itself() -> None:
    with pytest.raises(ConfigError, match=r"new.yaml:2:10: extends: new is extended by itself"):
        load_edition("id: new\nextends: new\n", "new.yaml")
