"""Words of the host itself, the same in every game."""

from __future__ import annotations

GRAMMAR = """
letter: K_DRAFT -> draft
      | K_PREVIEW -> preview
      | K_PLAY -> play
      | K_PLAY SEAT [COMMA? K_WITNESS SEAT] -> rollout
      | (K_SHOW | K_ORDERS) -> show
      | K_CANCEL -> cancel
      | K_STANDING [standing] -> standing_order
      | K_STANDING K_NONE -> standing_none
      | K_ADVANCE early -> advance
      | K_HELP [TOPIC] -> help
      | K_STATUS -> status
      | K_BOARD -> board
      | K_HISTORY [NUMBER] -> history
      | K_RULES -> rules
      | K_CLOCK -> clock
      | K_LANGUAGE [COLON] _anything -> language
      | K_ZONE [COLON] _anything -> zone
      | K_ADDRESS [COLON] _anything? -> address
      | K_PETITIONS -> petitions
      | K_RECORDS _anything? -> records
      | K_MOVEORDER [NUMBER] -> moveorder
      | K_AWAY _away* -> away
      | K_PRESS -> press
      | K_GAMES -> games
      | K_REPORTS _time* -> reports
      | K_CALENDAR [COLON] _anything? -> calendar
      | order -> order_now

press_head: K_PRESS [TO_WHOM] [EVERYBODY | _seats] COLON
_seats: SEAT ((COMMA | PLUS | ALSO) SEAT)*

_money: NUMBER _MILLION?

_anything: (WORD | NUMBER | TO | PLUS | STRANGE)+
_away: WORD | NUMBER | COLON | COMMA | TO | PLUS | STRANGE
_time: WORD | NUMBER | COLON | TO | PLUS | STRANGE
"""

# English, German, Italian; the first is the one we use.
WORDS = {
    "K_DRAFT": ("draft", "Entwurf", "bozza"),
    "K_PREVIEW": ("preview", "Vorschau", "anteprima"),
    "K_PLAY": ("play", "rollout", "done", "spiele", "fertig", "gioca", "fatto"),
    "K_WITNESS": ("witness", "Zeuge", "Zeugin", "testimone"),
    "K_SHOW": ("show", "zeige", "mostra"),
    "K_CANCEL": ("cancel", "verwerfe", "annulla"),
    "K_STANDING": ("standing", "dauernd", "permanente"),
    "K_ADVANCE": ("advance", "vorab", "anticipo"),
    "K_ORDERS": ("orders", "Befehle", "ordini"),
    "K_HELP": ("help", "Hilfe", "aiuto"),
    "K_STATUS": ("status", "Lage", "stato"),
    "K_BOARD": ("board", "Brett", "tabellone"),
    "K_HISTORY": ("history", "Verlauf", "cronaca"),
    "K_RULES": ("rules", "Regeln", "regole"),
    "K_CLOCK": ("clock", "Uhr", "orologio"),
    "K_LANGUAGE": ("language", "Sprache", "lingua"),
    "K_ZONE": ("zone", "Zeitzone", "fuso"),
    "K_ADDRESS": ("address", "Adresse", "indirizzo"),
    "K_PETITIONS": ("petitions", "Anträge", "petizioni"),
    "K_RECORDS": ("records", "record", "Unterlagen", "registri", "registro"),
    "K_MOVEORDER": ("move order", "moveorder", "Zeittafel", "tabella dei tempi"),
    "K_PRESS": ("press", "Presse", "stampa"),
    "K_GAMES": ("games", "Partien", "partite"),
    "K_REPORTS": ("reports", "Berichte", "resoconti", "report", "Bericht", "resoconto", "rapporti", "rapporto"),
    "K_CALENDAR": ("calendar", "Kalender", "calendario"),
    "K_AWAY": ("away", "abwesend", "assente"),
    "K_NONE": ("none", "nothing", "nichts", "keine", "keiner", "nessuno", "nessuna", "niente"),
    "_MILLION": ("m", "mio", "mln", "million", "millions", "Millionen", "milione", "milioni"),
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

# Their beginnings yield to those of all other words ("ru" is Russia), and a line that only begins with one is prose.
LOW_PRIORITY = frozenset(
    {
        "K_PREVIEW",
        "K_WITNESS",
        "K_AWAY",
        "K_ORDERS",
        "K_HELP",
        "K_STATUS",
        "K_BOARD",
        "K_HISTORY",
        "K_RULES",
        "K_CLOCK",
        "K_LANGUAGE",
        "K_ZONE",
        "K_ADDRESS",
        "K_PETITIONS",
        "K_RECORDS",
        "K_MOVEORDER",
        "K_PRESS",
        "K_GAMES",
        "K_REPORTS",
        "K_CALENDAR",
    }
)

# What of the records is asked for; the first is the word that we use.
SHEETS = {
    "orders": ("orders", "Befehle", "ordini"),
    "moves": ("move order", "moveorder", "Zeittafel", "tabella dei tempi"),
}
TURN = ("turn", "Zug", "turno")

# What there is help about beside the words.
TOPICS = {"moderator": ("moderator", "moderation", "Moderator", "Moderation", "moderatore")}

# Words around press only: to whom it goes, and where its text ends.
PRESS_WORDS = {
    "TO_WHOM": ("to", "an", "a", "ad"),
    "EVERYBODY": ("all", "alle", "tutti"),
    "ALSO": ("and", "und", "e", "ed"),
    "PRESS_END": ("end press", "Ende Presse", "fine stampa"),
}

# The languages of our letters, and what a player may call them; the first is what a language calls itself.
LANGUAGES = {
    "en": ("English", "en", "Englisch", "inglese"),
    "de": ("Deutsch", "de", "German", "tedesco"),
    "it": ("italiano", "it", "Italian", "Italienisch"),
}

# Which reports a player may choose; the first is the word that we use.
REPORTS = {
    "all": ("all", "alle", "alles", "tutti", "tutto"),
    "round": ("round", "rounds", "Runde", "Runden", "giro", "giri"),
    "mine": ("mine", "my", "own", "eigene", "meine", "miei", "mie"),
    "digest": ("digest", "daily", "täglich", "giornaliero", "giornalieri", "quotidiano"),
}
