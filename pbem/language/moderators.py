"""What a moderator writes: one power a line, its reason behind a colon, in English, German or Italian."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Refusal, Unreadable
from pbem.language.slips import respelled
from pbem.language.stretches import IsOrder
from pbem.language.tokens import fold, own_lines
from pbem.language.words import HEADS, TABLES, either, pattern

_FIELDS = {name: "|".join(ways) for name, ways in TABLES["fields"].items()}  # patterns
_FIRST = re.compile(r"(?P<word>\w+)\s*:?\s*(?P<rest>.*)")
_BEGINNING = 4  # letters of a word that may stand for it
_HEAD = pattern("moderator")


class ModeratorCommand(Struct, frozen=True, kw_only=True):
    """A power: how it is written. What it does belongs to the host, whose kinds of powers add that."""

    name: str
    forms: tuple[str, ...]  # the first is the one we use; a colon with a space behind it begins the reason
    does: str = ""  # in a sentence or two, in English, for the command line
    explained: Literal["", "running", "always"] = "always"  # does it need a reason: never, once the game runs, always?
    gives: Literal["", "orders", "text"] = ""  # what stands behind the colon and below, where that is no reason
    begins_prose: bool = False  # its first word is prose unless a colon or nothing stands behind

    @property
    def form(self) -> str:
        """How it is written, for those who try."""
        words = (word.split("|")[0] for word in self.forms[0].split())
        return " ".join(word.strip("{}").upper() if word.startswith("{") else word for word in words)

    @property
    def first_words(self) -> frozenset[str]:
        return frozenset(word.casefold() for form in self.forms for word in form.split(maxsplit=1)[0].split("|"))

    @property
    def fields(self) -> Mapping[str, bool]:
        """What may stand in its forms, and whether all of them need it."""
        asked = [_asked(form) for form in self.forms]
        return {name: all(name in form for form in asked) for form in asked for name in form}

    def written(self, fields: Mapping[str, str], why: str = "", below: Sequence[str] = ()) -> Power:
        """A power that nobody has written, as from a command line; without what is left empty in it."""
        told = {key: value for key, value in fields.items() if value}
        form = next(form for form in self.forms if _asked(form).keys() == told.keys() - {"reason"})
        words = " ".join(told[word[1:-1]] if word.startswith("{") else word.split("|")[0] for word in form.split())
        text = f"{words}: {why}" if why else words
        return Power(command=self, text=text, line=1, fields=told, why=why, below=tuple(below))


UNREAD = ModeratorCommand(name="", forms=())  # of what can't be read


class Power(Struct, frozen=True, kw_only=True):
    """One line of a moderator's letter, and what belongs to it."""

    command: ModeratorCommand = UNREAD
    text: str  # as written
    line: int  # in the letter, from 1
    fields: Mapping[str, str] = {}
    why: str = ""  # what stands behind the colon: the reason, or what the power gives
    below: tuple[str, ...] = ()  # what orders or an announcement go on with
    refusal: Refusal | None = None

    @property
    def says(self) -> tuple[str, ...]:
        """All that stands behind the colon."""
        return tuple(line for line in (self.why, *self.below) if line.strip())


class ModeratorCommands:
    """All powers of a host."""

    def __init__(self, commands: Iterable[ModeratorCommand]) -> None:
        self.by_name: Mapping[str, ModeratorCommand] = {each.name: each for each in commands}

    def read(self, lines: Sequence[str], is_order: IsOrder = lambda _: False) -> tuple[list[Power], list[str]]:
        """The powers in the order written, and the prose that was passed over.

        What would be mailed to all as text, and reads as a power or as an order, stops its power.
        """
        powers: list[Power] = []
        passed: list[str] = []

        def stops(said: str) -> bool:
            return self.reads(said) or is_order(said)

        for number, line in ((number, _without_head(line)) for number, line in own_lines(lines)):
            power = self._power(" ".join(line.split()), number)
            above = powers[-1].command.gives if powers else ""
            if above == "text" or (above and (power is None or power.refusal)):
                powers[-1] = self._with_line(powers[-1], line, number, stops)
            elif power is not None:
                powers.append(self._checked(power, stops))
            else:
                passed.append(line.strip())
        return powers, passed

    def named(self, text: str) -> str | None:
        """The power that a line is about, with what it is for; a word alone is prose."""
        power = self._power(" ".join(_without_head(text.partition("\n")[0]).split()), 1)
        asks = power is not None and not power.refusal and (power.fields or power.why)
        return power.command.name if power is not None and asks else None

    def reads(self, line: str) -> bool:
        """Would it be used, if it stood by itself in a moderator's letter?"""
        power = self._power(_without_head(line).strip(), 1)
        return power is not None and not power.refusal

    def respelled(self, line: str, names: Iterable[str]) -> Iterator[Sequence[str]]:
        """The lines that it may be meant for: with one word or name put right, then with two."""
        known = (word for form, _ in self._forms for each in form.split() if each[0] != "{" for word in each.split("|"))
        for lines in respelled(line, (*known, *names)):
            yield [each for each in lines if self.reads(each)]

    def part_preview(self, lines: Sequence[str]) -> tuple[tuple[str, ...], bool]:
        """A letter without the word that asks what it would do, and whether it was there: alone, or before a power."""
        parted = [self._behind_preview(line) for line in lines]
        asked = any(rest is not None for rest in parted)
        return tuple(line if rest is None else rest for line, rest in zip(lines, parted, strict=True)), asked

    def _behind_preview(self, line: str) -> str | None:
        """What follows the word; None where the line does not begin with it."""
        found = _FIRST.fullmatch(_without_head(line).strip())
        if found is None or len(found["word"]) < _BEGINNING:
            return None
        asks = any(fold(known).startswith(fold(found["word"])) for known in HEADS["preview"])
        return found["rest"] if asks and (not found["rest"] or self._power(found["rest"], 1) is not None) else None

    def _with_line(self, power: Power, line: str, number: int, stops: IsOrder) -> Power:
        """Orders or an announcement that go on with a line."""
        is_inside = not power.refusal and power.command.gives == "text" and stops(line)
        refusal = _inside(line, number) if is_inside else power.refusal
        return replace(power, below=(*power.below, line.rstrip()), refusal=refusal)

    def _checked(self, power: Power, stops: IsOrder) -> Power:
        """What it says on its own line: a reason has a colon in it where it is more than one."""
        is_for_player = power.command.gives == "orders"
        said = power.fields.get("reason", "") if is_for_player else power.why
        is_inside = (":" in said and stops(said)) or (is_for_player and bool(said) and self.reads(said))
        return replace(power, refusal=_inside(said, power.line)) if is_inside else power

    def _power(self, line: str, number: int) -> Power | None:
        """None: it begins like none of them."""
        for command, form in self._patterns if self._begins.match(line) else ():
            found = form.fullmatch(line)
            if found:
                facts = {key: value.strip() for key, value in found.groupdict(default="").items()}
                why = facts.pop("why")
                return Power(command=command, text=line, line=number, fields=facts, why=why)
        meant = self._meant(line)
        if meant is None:
            return None
        refusal = Unreadable("power.unreadable", line=number, column=1, read=line, form=meant.form)
        return Power(text=line, line=number, refusal=refusal)

    def _meant(self, line: str) -> ModeratorCommand | None:
        """The power whose first word the line begins with."""
        word = re.split(r"[\s:,]", line, maxsplit=1)[0].casefold()
        if word in self._prose:
            return None
        return self._beginnings.get(word)

    @cached_property
    def _beginnings(self) -> Mapping[str, ModeratorCommand]:
        """By their first words; a word of several means the first of them."""
        return {word: each for each in reversed([*self.by_name.values()]) for word in each.first_words}

    @cached_property
    def _prose(self) -> frozenset[str]:
        return frozenset(word for each in self.by_name.values() if each.begins_prose for word in each.first_words)

    @property
    def _forms(self) -> Iterator[tuple[str, ModeratorCommand]]:
        return ((form, each) for each in self.by_name.values() for form in each.forms)

    @cached_property
    def _begins(self) -> re.Pattern[str]:
        """How any of them begins, so that prose is asked once, and not for every form."""
        return re.compile("|".join({_word(form.split(maxsplit=1)[0]) for form, _ in self._forms}), re.IGNORECASE)

    @cached_property
    def _patterns(self) -> list[tuple[ModeratorCommand, re.Pattern[str]]]:
        return [(each, _pattern(each, form)) for form, each in self._forms]


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


def _inside(line: str, number: int) -> Unreadable:
    return Unreadable("power.inside", line=number, column=1, read=line.strip())


def _asked(form: str) -> Mapping[str, None]:
    """The fields that stand in it, in that order."""
    return dict.fromkeys(word[1:-1] for word in form.split() if word.startswith("{"))


def _pattern(command: ModeratorCommand, form: str) -> re.Pattern[str]:
    words = r"\s+".join(_word(word) for word in form.split()).replace(r"\s+=\s+", r"\s*=\s*")
    if command.gives == "orders":
        return re.compile(words + r"(?:\s*,\s*(?P<reason>[^:]+?))?\s*:\s*(?P<why>.*)", re.IGNORECASE)
    return re.compile(words + r"(?:\s*:(?:\s+|$)(?P<why>.*))?", re.IGNORECASE)


def _word(word: str) -> str:
    name = word.strip("{}")
    return either(word.split("|")) if name == word else f"(?P<{name}>{_FIELDS[name]})"
