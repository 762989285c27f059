"""What may be read again, or for the first time: `help`, `rules`, `games` that gather, the last `press`."""

from __future__ import annotations

from pbem.host.commands.aside import Query
from pbem.host.lobby.open_games import gathering
from pbem.host.messages.sections import Help
from pbem.host.reporting.press import last_press
from pbem.host.reporting.rules_in_force import rules_in_force

HELP = Query(
    name="help",
    words=("help", "Hilfe", "aiuto"),
    behind="[TOPIC]",
    anytime=True,
    tell=lambda context: Help(topic=context.rest or None),
)
RULES = Query(
    name="rules",
    words=("rules", "Regeln", "regole"),
    anytime=True,
    tell=lambda context: rules_in_force(context.work, context.game),
)
GAMES = Query(
    name="games",
    words=("games", "Partien", "partite"),
    kept_from_deputies="own",
    anytime=True,
    tell=lambda context: gathering(context.work),
)
PRESS = Query(  # with somebody behind it, it is passed on to them: `pbem/language/press.py`
    name="press",
    kind="aside",
    words=("press", "Presse", "stampa"),
    kept_from_deputies="press",
    anytime=True,
    tell=lambda context: last_press(context.work, context.game, context.seat),
)
