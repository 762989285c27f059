"""Words of the language itself, whatever the command: languages, fillers, numbers, and what stands around press."""

from __future__ import annotations

# Rules of the grammar that commands and games share.
GRAMMAR = """
press_head: K_PRESS [TO_WHOM] [EVERYBODY | _seats] COLON
_seats: SEAT ((COMMA | PLUS | ALSO) SEAT)*

_money: NUMBER _MILLION?

_anything: (WORD | NUMBER | TO | PLUS | STRANGE)+
_away: WORD | NUMBER | COLON | COMMA | TO | PLUS | STRANGE
_time: WORD | NUMBER | COLON | TO | PLUS | STRANGE
"""

# English, German, Italian; the first is the one we use.
NONE = ("none", "nothing", "nichts", "keine", "keiner", "nessuno", "nessuna", "niente")
WORDS = {
    "K_NONE": NONE,
    "_MILLION": ("m", "mio", "mln", "million", "millions", "Millionen", "milione", "milioni"),
}
PREVIEW = ("preview", "Vorschau", "anteprima")
TURN = ("turn", "Zug", "turno")

# The languages of our letters, and what a player may call them; the first is what a language calls itself.
LANGUAGES = {
    "en": ("English", "en", "Englisch", "inglese"),
    "de": ("Deutsch", "de", "German", "tedesco"),
    "it": ("italiano", "it", "Italian", "Italienisch"),
}

# Words around press only: to whom it goes, and where its text ends.
PRESS_WORDS = {
    "TO_WHOM": ("to", "an", "a", "ad"),
    "EVERYBODY": ("all", "alle", "tutti"),
    "ALSO": ("and", "und", "e", "ed"),
    "PRESS_END": ("end press", "Ende Presse", "fine stampa"),
}

# What stands around an order that somebody speaks of; an order may well be left when these are taken away.
FILLERS = (
    *("please", "also", "and", "then", "now", "so", "ok", "thanks", "i", "we", "id", "would", "like", "want", "to"),
    *("the", "a", "an", "lets", "just", "next", "finally", "plus", "or", "my", "our", "hi", "hello"),
    *(
        "bitte",
        "auch",
        "und",
        "dann",
        "noch",
        "nun",
        "jetzt",
        "danke",
        "ich",
        "wir",
        "mochte",
        "moechte",
        "mochten",
        "wollen",
    ),
    *(
        "will",
        "wurde",
        "gern",
        "gerne",
        "ausserdem",
        "danach",
        "zuletzt",
        "ein",
        "eine",
        "einen",
        "die",
        "der",
        "das",
        "hallo",
    ),
    *(
        "per",
        "favore",
        "anche",
        "e",
        "ed",
        "poi",
        "inoltre",
        "grazie",
        "vorrei",
        "vorremmo",
        "voglio",
        "vogliamo",
        "infine",
    ),
    *("adesso", "ora", "un", "una", "uno", "il", "la", "le", "ciao"),
)
