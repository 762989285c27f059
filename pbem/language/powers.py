"""What a moderator writes: one power a line, its reason behind a colon, in English, German or Italian."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Refusal, Unreadable
from pbem.language.tokens import ends_letter, fold
from pbem.language.words import PREVIEW

# By power, what may be written for it; the first is the one we use. A colon with a space behind it begins the reason.
POWERS: Mapping[str, tuple[str, ...]] = {
    "close": ("close turn {turn}", "schließe|schliesse Zug {turn}", "chiudi il turno {turn}", "chiudi turno {turn}"),
    "pause": (
        "pause|pausa {length}",
        "pausiere {length}",
        "pause|pausiere|pausa {length} from|ab|von|da|dal|dalle {start}",
        "pause|pausiere|pausa from|von|vom|ab|da|dal|dalle {start} to|until|till|bis|a|al|alle {until}",
        "pause|pausiere until|till|bis {until}",
        "pausa fino a|al|alle {until}",
        "pause|pausiere|pausa",
    ),
    "resume": ("resume|weiter|riprendi",),
    "extend": ("extend {seat} {length}", "verlängere|verlaengere {seat} {length}", "prolunga {seat} {length}"),
    "deadline": ("deadline {seat} {time}", "Frist {seat} {time}", "scadenza {seat} {time}"),
    "strike": ("strike {seat} {turn}", "streiche {seat} {turn}", "cancella {seat} {turn}"),
    "act_for": ("act for {seat}", "handle|ziehe für|fuer {seat}", "agisci per {seat}"),
    "announce": ("announce", "Ansage", "annuncio"),
    "rewind": ("rewind to turn {turn}", "zurück|zurueck zu|auf Zug {turn}", "torna al turno {turn}"),
    "forward": ("roll forward", "wieder vor", "ripristina"),
    "correct": ("correct {given}", "korrigiere {given}", "correggi {given}"),
    "option": (
        "option {key} = {value} with consent of {consent}",
        "Option {key} = {value} mit Zustimmung von {consent}",
        "opzione {key} = {value} con il consenso di {consent}",
        "option|opzione {key} = {value}",
    ),
    "invite": (
        "invite|invita {address} as|come {name}",
        "invite|invita {address}",
        "lade {address} ein als {name}",
        "lade {address} ein",
    ),
    "seat": ("seat|setze|siedi {name} {address}",),
    "start": ("start|starte", "avvia"),
    "cancel": ("cancel the game", "sage die Partie ab", "annulla la partita"),
    "eject": ("eject {seat}", "entferne {seat}", "espelli {seat}"),
    "offer": ("offer {seat} to {whom}", "biete {seat} {whom} an", "offri {seat} a|ad {whom}", "offri {seat} {whom}"),
    "bot": ("bot {seat}", "Bot für|fuer {seat}", "bot per {seat}"),
    "no_bot": ("no bot {seat}", "bot {seat} off", "kein|keinen Bot für|fuer {seat}", "niente|nessun bot per {seat}"),
    "replace": (
        "replace {seat} by|with {address}",
        "ersetze {seat} durch {address}",
        "sostituisci {seat} con {address}",
    ),
    "reject": ("reject {petition}", "weise {petition} zurück", "weise {petition} zurueck", "respingi {petition}"),
    "validate": ("validate {petition}", "bestätige|bestaetige {petition}", "convalida {petition}"),
    "uphold": ("uphold {objection}", "gib {objection} statt", "accogli {objection}"),
    "dismiss": ("dismiss {objection}", "weise {objection} ab", "rigetta {objection}"),
    "promote": ("promote {who}", "ernenne {who}", "nomina {who}"),
    "hand_over": ("hand over to {who}", "übergib|uebergib an {who}", "cedi a|ad {who}"),
    "end": ("end", "end|beende|termina {scoring}", "beende", "termina"),
}
_LONG = ("act_for", "announce")  # what stands below these belongs to them
_ALONE = (
    "end",
    "start",
    "seat",
    "cancel",
    "pause",
    "resume",
    "no_bot",
)  # words that are prose unless a colon or nothing stands behind them
NEXT = ("next", "dem nächsten", "der nächsten", "nächsten", "al prossimo", "prossimo")  # of those who wait
WITHOUT = ("without", "ohne", "senza")  # of the scores
_FIELDS = {
    "seat": r"[^\s:,]+",
    "turn": r"\d{1,6}",
    "address": r"[^\s:,]+@[^\s:,]+",
    "whom": r"[^\s:,]+@[^\s:,]+|next|all|dem\s+nächsten|der\s+nächsten|nächsten|allen|al\s+prossimo|prossimo|tutti",
    "who": r"[^\s:,][^:,]*?",
    "name": r"[^\s:,@]+",
    "key": r"\w+",
    "petition": r"P\s*[-‐‑–—]?\s*\d{1,4}",
    "objection": r"O\s*[-‐‑–—]?\s*\d{1,4}",
    "time": r".+?",
    "length": r"\d(?:(?!\s(?:from|ab|von|da|dal|dalle)\s).)*?",
    "start": r".{1,80}?",
    "until": r".{1,80}?",
    "value": r".{1,200}?",
    "consent": r".{1,200}?",
    "scoring": (
        r"(?:with|without)(?:\s+(?:the|any))?\s+scores?|(?:mit|ohne)(?:\s+(?:den|die))?\s+Punkten?"
        r"|(?:con|senza)(?:\s+i)?\s+punti"
    ),
    "given": r".+?",
}
HEADS = ("moderator", "moderation", "moderatore")
_FIRST = re.compile(r"\s*(?P<word>\w+)\s*:?\s*(?P<rest>.*?)\s*")
_BEGINNING = 4  # letters of a word that may stand for it
_HEAD = re.compile(rf"\s*(?:{'|'.join(HEADS)})\s*(?::\s*(?P<rest>.*)|$)", re.IGNORECASE)


IsOrder = Callable[[str], bool]  # would the game's reader take the line for an order?


class Power(Struct, frozen=True, kw_only=True):
    """One line of a moderator's letter, and what belongs to it."""

    name: str  # one of `POWERS`; "" when it can't be read
    text: str  # as written
    line: int  # in the letter, from 1
    fields: Mapping[str, str] = {}
    why: str = ""  # what stands behind the colon: the reason; of `act_for` the orders
    below: tuple[str, ...] = ()  # what an order or an announcement goes on with
    refusal: Refusal | None = None

    @property
    def says(self) -> tuple[str, ...]:
        """All that stands behind the colon."""
        return tuple(line for line in (self.why, *self.below) if line.strip())


def power_of(name: str, fields: Mapping[str, str], why: str = "", below: Sequence[str] = ()) -> Power:
    """A power that nobody has written, as from a command line; without what is left empty in it."""
    told = {key: value for key, value in fields.items() if value}
    form_ = next(form for form in POWERS[name] if _asked(form) == told.keys() - {"reason"})
    words = " ".join(told[word[1:-1]] if word.startswith("{") else word.split("|")[0] for word in form_.split())
    return Power(name=name, text=f"{words}: {why}" if why else words, line=1, fields=told, why=why, below=tuple(below))


def _asked(form_: str) -> set[str]:
    return {word[1:-1] for word in form_.split() if word.startswith("{")}


def part_moderator(lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a letter says as a player, and from a line "moderator" on what it says as a moderator.

    Both are as long as the letter: what belongs to the other part is left empty, so that the lines keep their numbers.
    """
    place = next((n for n, line in enumerate(lines) if _HEAD.fullmatch(line)), None)
    if place is None:
        return tuple(lines), ()
    as_moderator = ("",) * place + tuple(_without_head(line) for line in lines[place:])
    return tuple(lines[:place]), as_moderator


def number_in(name: str) -> int:
    """That of a petition or an objection, such as "P-3"."""
    return int(re.sub(r"\D", "", name))


def _without_head(line: str) -> str:
    found = _HEAD.fullmatch(line)
    return line if found is None else (found["rest"] or "")


def read_powers(lines: Sequence[str], is_order: IsOrder | None = None) -> tuple[list[Power], list[str]]:
    """The powers in the order written, and the prose that was passed over.

    What would be mailed to all as text, and reads as a power or as an order, stops its power.
    """
    powers: list[Power] = []
    passed: list[str] = []
    for number, line in _lines(lines):
        power = _power(" ".join(line.split()), number)
        is_more = bool(powers) and powers[-1].name in _LONG
        if is_more and (powers[-1].name == "announce" or power is None or power.refusal):
            is_text = powers[-1].name == "announce"
            powers[-1] = _with_line(powers[-1], line, number, is_order if is_text else None, is_text=is_text)
        elif power is not None:
            powers.append(_checked(power, is_order))
        else:
            passed.append(line.strip())
    return powers, passed


def power_named(text: str) -> str | None:
    """The power that a line is about, with what it is for; a word alone is prose."""
    first = text.partition("\n")[0]
    power = _power(" ".join(_without_head(first).split()), 1)
    asks = power is not None and not power.refusal and (power.fields or power.why)
    return power.name if power is not None and asks else None


def reads_as_power(line: str) -> bool:
    """Would it be used, if it stood by itself in a moderator's letter?"""
    power = _power(_without_head(line).strip(), 1)
    return power is not None and not power.refusal


def _with_line(power: Power, line: str, number: int, is_order: IsOrder | None, *, is_text: bool) -> Power:
    """An order or an announcement that goes on with a line."""
    longer = replace(power, below=(*power.below, line.rstrip()))
    inside = is_text and (reads_as_power(line) or (is_order is not None and is_order(line)))
    return longer if power.refusal or not inside else replace(longer, refusal=_inside(line, number))


def _checked(power: Power, is_order: IsOrder | None) -> Power:
    """What it says on its own line: a reason has a colon in it where it is more than one."""
    said = power.fields.get("reason", "") if power.name == "act_for" else power.why
    inside = ":" in said and (reads_as_power(said) or (is_order is not None and is_order(said)))
    inside = inside or (power.name == "act_for" and bool(said) and reads_as_power(said))
    return replace(power, refusal=_inside(said, power.line)) if inside else power


def _inside(line: str, number: int) -> Unreadable:
    return Unreadable("power.inside", line=number, column=1, read=line.strip())


def part_preview(lines: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """A letter without the word that asks what it would do, and whether it was there: alone, or before a power."""
    parted = [_behind_preview(line) for line in lines]
    asked = any(rest is not None for rest in parted)
    return tuple(line if rest is None else rest for line, rest in zip(lines, parted, strict=True)), asked


def _behind_preview(line: str) -> str | None:
    """What follows the word; None where the line does not begin with it."""
    found = _FIRST.fullmatch(_without_head(line))
    if found is None or len(found["word"]) < _BEGINNING:
        return None
    asks = any(fold(known).startswith(fold(found["word"])) for known in PREVIEW)
    return found["rest"] if asks and (not found["rest"] or _power(found["rest"], 1) is not None) else None


def _lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        if ends_letter(line):
            return
        if line.strip() and not line.lstrip().startswith(">"):
            yield number, _without_head(line)


def _power(line: str, number: int) -> Power | None:
    """None: it begins like none of them."""
    for name, pattern in _patterns():
        found = pattern.fullmatch(line)
        if found:
            facts = {key: value.strip() for key, value in found.groupdict(default="").items()}
            why = facts.pop("why")
            return Power(name=name, text=line, line=number, fields=facts, why=why)
    meant = _meant(line)
    if meant is None:
        return None
    refusal = Unreadable("power.unreadable", line=number, column=1, hint=(), read=line, form=form(meant))
    return Power(name="", text=line, line=number, refusal=refusal)


def _meant(line: str) -> str | None:
    """The power whose first word the line begins with."""
    word = re.split(r"[\s:,]", line, maxsplit=1)[0].casefold()
    if word in _single():
        return None
    return next((name for name, forms in POWERS.items() if word in {w for f in forms for w in _first(f)}), None)


@cache
def _single() -> frozenset[str]:
    return frozenset(word for name in _ALONE for form_ in POWERS[name] for word in _first(form_))


def _first(written: str) -> list[str]:
    return [word.casefold() for word in written.split(maxsplit=1)[0].split("|")]


def form(name: str) -> str:
    """How a power is written."""
    words = (word.split("|")[0] for word in POWERS[name][0].split())
    return " ".join(word.strip("{}").upper() if word.startswith("{") else word for word in words)


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, _pattern(name, written)) for name, forms in POWERS.items() for written in forms]


def _pattern(name: str, written: str) -> re.Pattern[str]:
    words = r"\s+".join(_word(word) for word in written.split()).replace(r"\s+=\s+", r"\s*=\s*")
    reason = (
        r"(?:\s*,\s*(?P<reason>[^:]+?))?\s*:\s*(?P<why>.*)" if name == "act_for" else r"(?:\s*:(?:\s+|$)(?P<why>.*))?"
    )
    return re.compile(words + reason, re.IGNORECASE)


def _word(word: str) -> str:
    found = re.fullmatch(r"\{(\w+)\}", word)
    return f"(?P<{found[1]}>{_FIELDS[found[1]]})" if found else f"(?:{'|'.join(map(re.escape, word.split('|')))})"
