"""Questions of games as letters ask them, with the link to the page to order from."""

from __future__ import annotations

from contextvars import copy_context

from pbem.adapters.mail_renderer.answering import ANSWERING, Answering
from pbem.adapters.mail_renderer.renderer import letter_filters
from pbem.adapters.mail_renderer.teller import Asked
from pbem.core.decision import Decision
from pbem.games import GAMES
from pbem.games.imperial.rules.game import Imperial
from pbem.games.imperial.rules.state import State
from pbem.host.commands.table import COMMANDS
from pbem.host.messages import parts
from pbem.render.wording import wording

PRESENTER = GAMES["imperial"].presenter
TOKEN = "6f1d3c0e9ab84752"


def link(game: Imperial, state: State, decision: Decision, language: str, pages: str) -> str:
    """What a letter links for a question; the address in it bears a token."""
    words = wording(PRESENTER.voice, language, html=False, commands=COMMANDS.sentences)
    page = letter_filters(PRESENTER)(words)["page"]
    answering = Answering(
        to=f"pbem+imp-1.{TOKEN}@pbem.example.org",
        subject="Re: [imp-1] Turn 12: Austria-Hungary: your move",
        pages=pages,
        position="imp-1/turn-0/position.json",
    )
    asked = Asked(
        awaited=parts.Awaited(seat=decision.seat, kind=decision.kind, about=decision.about, deadline=1_772_539_200),
        facts=game.ask(state, decision),
        choices=game.choices(state, decision),
    )
    return copy_context().run(lambda: (ANSWERING.set(answering), page(asked))[1])
