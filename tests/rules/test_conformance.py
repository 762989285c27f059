"""What every game behind the door must be: a new game is registered, sampled here, and runs."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from pbem.core.bot import LEVELS, SUBSTITUTE, Pick
from pbem.core.chance import Lots
from pbem.core.choice import Step
from pbem.core.decision import Answer
from pbem.core.game import AnyGame, complete, load
from pbem.core.languages import LANGUAGES
from pbem.core.log import Entry, fold, write
from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Setup, Sight
from pbem.files import resource
from pbem.games import GAMES
from pbem.games.imperial.data.editions import display_names, editions
from pbem.host.archive.verify import verify_game
from pbem.host.commands.table import COMMANDS
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.ports import Game
from pbem.host.session.session import LoadedGame
from pbem.host.session.terms import Terms
from pbem.host.session.unit_of_work import Games
from pbem.language.parser import Parser
from pbem.render.wording import own_sentences
from tests.conformance.fake_game import CLAIMS_GAME, ClaimsMatch, others_wagers_changed, play_on
from tests.empire.sampled import EmpireMatch
from tests.empire.sampled import others_secrets_changed as empire_secrets_changed
from tests.empire.sampled import play_on as play_empire
from tests.fakes import MemoryStore, broken_link
from tests.rules.pointing import wandered
from tests.rules.tables import NO_CARD, SECRET, Match, correspond
from tests.rules.test_invariants import others_secrets_changed


class Sample(NamedTuple):
    """How a game is tried: set-ups, somebody to play it, and positions that differ only in others' secrets."""

    matches: Sequence[Any]  # each with its `seed` and `setup`
    play: Callable[[Any, Any, int], None]
    other_secrets: Callable[[Any, Seat | None], Any]
    has_secrets: Callable[[Setup], bool]


def every_match() -> Iterator[Match]:
    """Each edition from each start, with the options and without them."""
    kinds = itertools.product(enumerate(editions()), enumerate(("standard", "experienced")))
    for seed, ((one, edition), (other, start)) in enumerate(kinds):
        options = (*NO_CARD, *SECRET) if (one + other) % 2 else ()
        yield Match(seed=seed, players=2 + seed % 5, edition=edition, start=start, options=options)


SAMPLES = {
    "imperial": Sample(
        [*every_match()], correspond, others_secrets_changed, lambda s: s.options.get("cash") == "secret"
    ),
    "empire": Sample(
        [EmpireMatch(seed=seed, players=2 + seed) for seed in range(2)],
        play_empire,
        empire_secrets_changed,
        lambda _: True,
    ),
    "claims": Sample([ClaimsMatch(seed=seed) for seed in range(3)], play_on, others_wagers_changed, lambda _: True),
}
REGISTRY = {**GAMES, CLAIMS_GAME.id: CLAIMS_GAME}
CASES = [(game, match) for game, sample in SAMPLES.items() for match in sample.matches]


@dataclass
class Log:
    sample: Sample
    table: LoadedGame
    game: Game
    raws: Sequence[bytes]

    @cached_property
    def entries(self) -> list[Entry[Any, Any]]:
        return [self.table.rules.decoder().decode(raw) for raw in self.raws]

    @cached_property
    def states(self) -> list[tuple[Any, Entry[Any, Any]]]:
        """The position after each entry."""
        return [*self._states()]

    def _states(self) -> Iterator[tuple[Any, Entry[Any, Any]]]:
        state = self.table.rules.blank(self.table.terms.setup)
        for entry in self.entries:
            for event in entry.events:
                state = self.table.rules.apply(state, event)
            yield state, entry


def title(case: tuple[str, Any]) -> str:
    setup = case[1].setup
    return "-".join([case[0], str(case[1].seed), setup.edition, setup.setup, *setup.options.values()])


@pytest.fixture(params=CASES, ids=title, scope="module")
def log(request: pytest.FixtureRequest) -> Log:
    name, match = request.param
    games = Games(MemoryStore(), REGISTRY, COMMANDS)
    setup = msgspec.structs.replace(match.setup, game=name)
    game = Game(
        id="x-1",
        status="running",
        setup=msgspec.json.encode(Terms(setup=setup)),
        secret=str(match.seed),
        created=0,
        members=(),
    )
    with games.work() as desk:
        desk.repository.add_game(game)
        session = desk.session(game)
        Adjudicator(session).open(0, Lots(game.secret, game.id), {})
        SAMPLES[name].play(session, match, 80)
        return Log(SAMPLES[name], games.load(game), game, desk.repository.entries(game.id))


def reads_back(reader: Parser[Any], text: str, order: object) -> bool:
    """What closes a turn, and what takes back, are words of the house: they have no order of the game's."""
    (statement,) = reader.read(text.splitlines()).statements
    return statement.order == order if statement.order is not None else statement.command.name in ("rollout", "undo")


# -- games that were played ---


def test_the_log_reads_back_and_is_written_alike(log: Log) -> None:
    assert [write(entry) for entry in log.entries] == [*log.raws]
    assert broken_link(map(write, log.entries)) is None


def test_the_log_folds_to_the_position(log: Log) -> None:
    rules = log.table.rules
    *_, (state, _) = log.states
    assert fold(rules.blank(log.table.terms.setup), log.entries, rules.apply) == state


def test_the_log_verifies(log: Log) -> None:
    assert verify_game(log.game, log.raws, lambda _: log.table).honest


def test_every_tag_is_a_name_of_its_own(log: Log) -> None:
    """A class may be renamed, what is stored may not: each event and order says what it is."""
    for entry in log.entries:
        for thing in (*entry.events, *(answer.order for answer in entry.answers)):
            assert msgspec.to_builtins(thing)["type"] == thing.__struct_config__.tag


def test_somebody_is_awaited_until_the_end(log: Log) -> None:
    rules = log.table.rules
    for state, _ in log.states:
        pending = rules.pending(state)
        assert bool(pending) != rules.finished(state)
        assert [*pending] == sorted(pending, key=lambda d: (d.seat, d.kind, d.about or ""))
        assert len({(d.seat, d.kind, d.about) for d in pending}) == len(pending)
        assert all(rules.ask(state, decision)["kind"] == decision.kind for decision in pending)


def test_silence_is_legal(log: Log) -> None:
    rules = log.table.rules
    for state, _ in log.states:
        for decision in rules.pending(state):
            order = rules.lapse(state, decision).order
            answer = Answer(seat=decision.seat, order=order, decision=decision)
            rules.check(state, answer)
            resolved = rules.resolve(state, [answer], Lots("", "", 0))
            assert resolved.events
            assert decision not in rules.pending(resolved.state)


def test_after_the_end_nothing_is_taken(log: Log) -> None:
    rules = log.table.rules
    for state, entry in log.states:
        if rules.finished(state):
            for answer in entry.answers:
                with pytest.raises(Illegal, match=r"game\.over"):
                    rules.address(state, answer.seat, answer.order)


def test_orders_read_back_as_they_are_written(log: Log) -> None:
    reader: Parser[Any] = log.table.parser
    for entry in log.entries:
        if entry.cause.kind == "letter":
            for answer in entry.answers:
                assert reads_back(reader, log.table.rules.notation.write(answer.order), answer.order)


def test_others_secrets_are_not_seen(log: Log) -> None:
    rules = log.table.rules
    for state, _ in log.states:
        if rules.finished(state) or not log.sample.has_secrets(log.table.terms.setup):
            continue
        for seat in (*log.table.terms.setup.seats, None):
            assert rules.view(state, seat) == rules.view(log.sample.other_secrets(state, seat), seat)


def test_choices_are_data_and_every_whole_one_is_accepted(log: Log) -> None:
    """And they rest on nothing that only another seat knows."""
    rules, dice = log.table.rules, random.Random(log.game.secret)
    for state, _ in log.states[::2]:
        for decision in rules.pending(state):
            offered = rules.choices(state, decision)
            assert offered == rules.choices(log.sample.other_secrets(state, decision.seat), decision)
            assert msgspec.json.decode(msgspec.json.encode(offered), type=Step) == offered
            for text in [wandered(offered, dice) for _ in offered.of[:2]]:
                order = log.table.parser.order(text)
                assert decision in rules.address(state, decision.seat, order)
                rules.check(state, Answer(seat=decision.seat, order=order, decision=decision))


def test_a_bot_answers_legally_by_what_its_seat_may_see(log: Log) -> None:
    """Now and then one of another level is asked. What is open may count for it: the cash of others, where it is told."""
    secret = log.sample.has_secrets(log.table.terms.setup)
    first: Pick = lambda _: 0  # noqa: E731
    rules, bots = log.table.rules, REGISTRY[log.table.terms.setup.game].bots
    for number, (state, _) in enumerate(log.states[::2]):
        level = SUBSTITUTE if number % 20 else LEVELS[number // 20 % len(LEVELS)]
        for decision in rules.pending(state):
            bot = bots[level]
            order = bot(rules, state, decision, first)
            if secret:
                assert order == bot(rules, log.sample.other_secrets(state, decision.seat), decision, first)
            assert reads_back(log.table.parser, rules.notation.write(order), order)
            assert decision in rules.address(state, decision.seat, order)
            rules.check(state, Answer(seat=decision.seat, order=order, decision=decision))


def test_documents_are_json_and_say_whose_they_are(log: Log) -> None:
    rules, setup = log.table.rules, log.table.terms.setup
    for state, _ in log.states:
        document = rules.view(state, Sight.ALL)
        assert msgspec.json.decode(msgspec.json.encode(document)) == document
        assert (document["game"], document["edition"], document["board"]) == (setup.game, setup.edition, setup.board)
        awaited = [(d.seat, d.kind, d.about) for d in rules.pending(state)]
        assert [tuple(each.values()) for each in document["awaiting"]] == awaited


def test_the_same_calls_give_the_same(log: Log) -> None:
    """`resolve` draws nothing it is not given, and asking changes nothing; it tells where its events lead."""
    rules, state = log.table.rules, None
    for following, entry in log.states:
        if state is not None and entry.answers:
            dice, again = (Lots(log.game.secret, log.game.id, entry.called) for _ in range(2))
            first = rules.resolve(state, entry.answers, dice)
            rules.view(state, Sight.ALL), rules.view(state, None), rules.pending(state)
            second = rules.resolve(state, entry.answers, again)
            assert [*second.events] == [*first.events] == [*entry.events]
            assert second.state == first.state == following
            assert dice.draws == again.draws == [*entry.draws]
        state = following


def test_positions_can_be_dealt_elsewhere(log: Log) -> None:
    """Whoever has what: the game opens with it, and says so in a play file."""
    rules, setup = log.table.rules, log.table.terms.setup
    positions = rules.positions(setup)
    assert len(positions) == len({*positions}) >= len(setup.seats)
    opened = set()
    for turn in range(len(positions)):
        turned = [*positions[turn:], *positions[:turn]]
        deal = rules.deal(setup, dict(zip(setup.seats, turned, strict=False)))
        assert sorted(deal.seats) == sorted(setup.seats)
        dice = Lots("", "")
        events = rules.open(rules.blank(msgspec.structs.replace(setup, seats=deal.seats)), dice, deal.lots)
        assert dice.draws == []
        for word, line in rules.lots(events).items():
            assert line == ", ".join(" ".join(filter(None, each)) for each in deal.lots[word])
        opened.add((deal.seats, str(deal.lots)))
    assert len(opened) == len(positions)
    for wrong in ({}, dict.fromkeys(setup.seats, positions[0]), dict.fromkeys(setup.seats, "x")):
        with pytest.raises(ValueError):  # noqa: PT011
            rules.deal(setup, wrong)


def test_standing_and_result(log: Log) -> None:
    """A result comes with the end, and is what the document tells; the standing counts every seat, or nothing."""
    rules, seats = log.table.rules, {*log.table.terms.setup.seats}
    for state, _ in log.states:
        standing, result = rules.standing(state), rules.result(state)
        assert standing is None or {*standing} == seats
        assert (result is not None) == rules.finished(state)
        for event in () if result else rules.stop(state):
            state = rules.apply(state, event)
        ended, document = rules.result(state), rules.view(state, Sight.ALL)
        assert {*ended.places} == seats
        assert (dict(ended.scores), [*ended.winners]) == (document["scores"], sorted(document["winners"]))
        assert standing in (None, ended.scores)


# -- material ---


def test_every_game_is_sampled() -> None:
    assert {*SAMPLES} == {*REGISTRY}


def test_a_game_there_is_not() -> None:
    with pytest.raises(ValueError, match="there is no chess"):
        load(GAMES, Setup(game="chess", seats=(Seat("anton"), Seat("bert"))))


@pytest.mark.parametrize("game", [*REGISTRY.values()], ids=lambda game: game.id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_there_in_every_language(game: AnyGame, language: str) -> None:
    """And none is left over; the forms that names take are each language's own."""
    folder = f"{game.presenter.voice.folder}/sentences"
    said, english = (
        {key for key in own_sentences(folder, each) if not key.startswith("forms.")} for each in (language, "en")
    )
    assert said == english


@pytest.mark.parametrize("game", [*GAMES.values()], ids=lambda game: game.id)
def test_whatever_may_be_expected_in_an_order_has_words(game: AnyGame) -> None:
    """Names and patterns; a keyword is told as it is written."""
    seats = (Seat("anton"), Seat("bert"))
    notation = load(GAMES, complete(GAMES, Setup(game=game.id, seats=seats))).notation
    known = {*own_sentences("templates/mail", "en"), *own_sentences(f"{game.presenter.voice.folder}/sentences", "en")}
    assert {kind for kind in (*notation.names, *notation.patterns) if f"expected.{kind}" not in known} == set()


def test_a_game_says_what_the_templates_of_all_games_ask_of_it() -> None:
    """Those keys that are not in the sentences of the house."""
    files = [file for folder in ("mail", "site") for file in Path(str(resource(f"templates/{folder}"))).rglob("*.*")]
    texts = [file.read_text("utf-8") for file in files if file.suffix in {".j2", ".yaml"}]
    asked = {key for text in texts for key in re.findall(r"say\('([a-z_]+\.[a-z_]+)'[,)]", text)}
    house = {*own_sentences("templates/mail", "en"), *own_sentences("templates/site", "en")}
    assert asked - house
    for game in REGISTRY.values():
        assert asked - house <= {*own_sentences(f"{game.presenter.voice.folder}/sentences", "en")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_has_a_name_in_every_language(language: str) -> None:
    """Each of its own kind has another name; the names are those of the things there are."""
    game, names = Match().game, display_names(language)
    kinds = [
        kind for kind in display_names("en") if kind != "spoken"
    ]  # of what is said for a word, a language may lack
    assert {kind: {*names[kind]} for kind in kinds} == {kind: {*display_names("en")[kind]} for kind in kinds}
    assert names.keys() == {*kinds, "spoken"}
    assert {*names["nations"]} == {*game.board.nations}
    assert {*names["regions"]} == {*game.board.places}
    for kind in ("nations", "regions"):
        assert len({*names[kind].values()}) == len(names[kind])
