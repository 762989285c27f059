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
      | order -> order_now
"""

# English, German, Italian; the first is the one we use.
WORDS = {
    "K_DRAFT": ("draft", "Entwurf", "bozza"),
    "K_PLAY": ("play", "rollout", "done", "spiele", "fertig", "gioca", "fatto"),
    "K_SHOW": ("show", "zeige", "mostra"),
    "K_CANCEL": ("cancel", "verwerfe", "annulla"),
    "K_STANDING": ("standing", "dauernd", "permanente"),
    "K_ADVANCE": ("advance", "vorab", "anticipo"),
    "K_NONE": ("none", "nothing", "nichts", "keine", "keiner", "nessuno", "nessuna", "niente"),
}
