"""Words for days, months and lengths of time in every language that our players write."""

from __future__ import annotations

from functools import cache

from pbem.language.tokens import fold

MONTHS = (
    ("January", "Januar", "Jänner", "gennaio"),
    ("February", "Februar", "Feber", "febbraio"),
    ("March", "März", "Mrz", "marzo"),
    ("April", "aprile"),
    ("May", "Mai", "maggio"),
    ("June", "Juni", "giugno"),
    ("July", "Juli", "luglio"),
    ("August", "agosto"),
    ("September", "settembre"),
    ("October", "Oktober", "ottobre"),
    ("November", "novembre"),
    ("December", "Dezember", "dicembre"),
)
WEEKDAYS = (
    ("Monday", "Montag", "lunedì"),
    ("Tuesday", "Dienstag", "martedì"),
    ("Wednesday", "Mittwoch", "mercoledì"),
    ("Thursday", "Donnerstag", "giovedì"),
    ("Friday", "Freitag", "venerdì"),
    ("Saturday", "Samstag", "sabato"),
    ("Sunday", "Sonntag", "domenica"),
)
SHORT_WEEKDAYS = ("mo", "di", "mi", "do", "fr", "sa", "so")  # German; in two letters nobody else has them
NEAR_DAYS = {0: ("today", "heute", "oggi"), 1: ("tomorrow", "morgen", "domani"), 2: ("übermorgen", "dopodomani")}
UNITS = {  # by their seconds
    60: ("m", "min", "mins", "minute", "minutes", "Minuten", "minuto", "minuti"),
    3_600: ("h", "hr", "hrs", "hour", "hours", "Std", "Stunde", "Stunden", "ora", "ore"),
    86_400: ("d", "day", "days", "Tag", "Tage", "Tagen", "g", "gg", "giorno", "giorni"),
    604_800: ("w", "week", "weeks", "Woche", "Wochen", "settimana", "settimane"),
}
SHORTEST = 3  # letters of a name that may stand for it


@cache
def month(word: str) -> int | None:
    """The month, 1 to 12, that a word or its beginning means."""
    found = _begun(word, MONTHS)
    return None if found is None else found + 1


@cache
def weekday(word: str) -> int | None:
    """The day of the week, 0 for Monday, that a word or its beginning means."""
    folded = fold(word).strip()
    if folded in SHORT_WEEKDAYS:
        return SHORT_WEEKDAYS.index(folded)
    return 5 if folded == "sonnabend" else _begun(word, WEEKDAYS)


def near_day(word: str) -> int | None:
    """How many days ahead today and tomorrow are."""
    return next((ahead for ahead, words in NEAR_DAYS.items() if fold(word) in map(fold, words)), None)


def unit(word: str) -> int | None:
    """The seconds of a unit of time."""
    return next((seconds for seconds, words in UNITS.items() if fold(word).strip() in map(fold, words)), None)


def _begun(word: str, names: tuple[tuple[str, ...], ...]) -> int | None:
    begin = fold(word).strip()
    found = [number for number, ways in enumerate(names) if any(fold(way).startswith(begin) for way in ways)]
    return found[0] if len(found) == 1 and len(begin) >= SHORTEST else None
