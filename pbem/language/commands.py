"""Words of the host itself, the same in every game."""

from __future__ import annotations

GRAMMAR = """
letter: K_DRAFT -> draft
      | K_PLAY -> play
      | K_SHOW -> show
      | K_CANCEL -> cancel
      | K_STANDING [standing] -> standing_order
      | K_STANDING K_NONE -> standing_none
      | K_ADVANCE turn -> advance
      | K_LANGUAGE [COLON] _anything -> language
      | K_ZONE [COLON] _anything -> zone
      | order -> order_now

_anything: (WORD | NUMBER | TO | PLUS | STRANGE)+
"""

# English, German, Italian; the first is the one we use.
WORDS = {
    "K_DRAFT": ("draft", "Entwurf", "bozza"),
    "K_PLAY": ("play", "rollout", "done", "spiele", "fertig", "gioca", "fatto"),
    "K_SHOW": ("show", "zeige", "mostra"),
    "K_CANCEL": ("cancel", "verwerfe", "annulla"),
    "K_STANDING": ("standing", "dauernd", "permanente"),
    "K_ADVANCE": ("advance", "vorab", "anticipo"),
    "K_LANGUAGE": ("language", "Sprache", "lingua"),
    "K_ZONE": ("zone", "Zeitzone", "fuso"),
    "K_NONE": ("none", "nothing", "nichts", "keine", "keiner", "nessuno", "nessuna", "niente"),
}

# Their beginnings yield to those of all other words ("ru" is Russia), and a line that only begins with one is prose.
MEEK = frozenset({"K_LANGUAGE", "K_ZONE"})

# The languages of our letters, and what a player may call them; the first is what a language calls itself.
LANGUAGES = {
    "en": ("English", "en", "Englisch", "inglese"),
    "de": ("Deutsch", "de", "German", "tedesco"),
    "it": ("italiano", "it", "Italian", "Italienisch"),
}
