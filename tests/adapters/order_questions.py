"""Questions of games as letters ask them, with the link to the page to order from."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import copy_context

from msgspec.structs import replace

from pbem.adapters.mail_renderer.answering import ANSWERING, Answering, order_file
from pbem.adapters.mail_renderer.renderer import letter_filters
from pbem.adapters.mail_renderer.teller import Asked
from pbem.core.decision import Decision
from pbem.games import GAMES
from pbem.games.imperial.rules import orders as od
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.state import State
from pbem.host.commands.table import COMMANDS
from pbem.host.messages import parts
from pbem.render.wording import Wording, wording
from tests.rules.tables import Match, Step, play

PRESENTER = GAMES["imperial"].presenter
TOKEN = "6f1d3c0e9ab84752"


POSITION = "imp-1/turn-0/position.json"


CROWDED = Match(seed=17, players=6, bot="random", crowded=True)
BIDDING = Match(seed=4, edition="first_2006", start="experienced")


def of_each_kind() -> Mapping[str, Step]:
    """An answer to a question of each kind there is."""
    found: dict[str, Step] = {}
    for step in (*play(CROWDED, most=12), *play(BIDDING, most=1)):
        if step.decision:
            found.setdefault(step.decision.kind, step)
    return found


def of_each_order() -> Mapping[str, Step]:
    """One of each space of the rondel, too."""
    found: dict[str, Step] = {}
    for step in play(CROWDED, most=90):
        if step.decision and isinstance(step.order, od.Turn):
            found.setdefault(step.order.space.rstrip("_12"), step)
    return {**of_each_kind(), **found}


def link(game: Imperial, state: State, decision: Decision, language: str, pages: str) -> str:
    """What a letter links for a question; the address in it bears a token."""
    page = letter_filters(PRESENTER)(_words(language))["page"]
    answering = replace(ANSWER, pages=pages)
    return str(copy_context().run(lambda: (ANSWERING.set(answering), page(_asked(game, state, decision)))[1]))


def letter_to(text: str, language: str) -> str:
    """The link that writes an order in a reader's words."""
    return ANSWER.link(_words(language).order(text))


def copy_of(game: Imperial, state: State, decision: Decision, language: str) -> bytes:
    """The page as it is attached."""
    view = game.view(state, decision.seat)
    return order_file(_asked(game, state, decision), ANSWER, view, PRESENTER, _words(language)).data


ANSWER = Answering(
    to=f"pbem+imp-1.{TOKEN}@pbem.example.org",
    subject="Re: [imp-1] Turn 12: Austria-Hungary: your move",
    position=POSITION,
)


def _words(language: str) -> Wording:
    return wording(PRESENTER.voice, language, html=False, commands=COMMANDS.sentences)


def _asked(game: Imperial, state: State, decision: Decision) -> Asked:
    return Asked(
        awaited=parts.Awaited(seat=decision.seat, kind=decision.kind, about=decision.about, deadline=1_772_539_200),
        facts=game.ask(state, decision),
        choices=game.choices(state, decision),
    )
