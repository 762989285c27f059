"""The words of our letters: sentences of a language, filled with facts, as plain text or as HTML.

Sentences are small templates in `templates/*/LANGUAGE.yaml`; what a language lacks is worded in English. Names that
change with their place in a sentence have their forms there, too: `{{ nation|nation('of') }}`; `The` is `the` with a
capital letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from pbem.files import read_yaml, resource
from pbem.games.imperial.data.editions import display_names, words
from pbem.games.imperial.presentation.tables import Stack
from pbem.render.times import Times

Sentences = Mapping[str, str]  # by dotted key
ORDERS = "en"  # the language whose words stand in the orders that we keep
MANY = 5  # things that could stand at a place of an order; no more than these are named
SIGNS = ("COMMA", "PLUS", "COLON")  # what joins the parts of an order


@cache
def sentences(folder: str, language: str) -> Sentences:
    """All sentences of a folder in a language, English where it has none, by dotted key."""
    return {**own_sentences(folder, "en"), **own_sentences(folder, language)}


@cache
def own_sentences(folder: str, language: str) -> Sentences:
    """Those that the language itself has."""
    file = resource("templates") / folder / f"{language}.yaml"
    return dict(_flat(read_yaml(file.read_text("utf-8"), file.name).value, "")) if file.is_file() else {}


def _flat(section: Mapping[str, Any], before: str) -> Iterable[tuple[str, str]]:
    for key, value in section.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", str(value if value is not None else "")


class Wording:
    """How a game is spoken about in one language, in text or in HTML; `site` tells whether the archive speaks."""

    def __init__(self, game: str, language: str, *, html: bool, site: bool = False) -> None:
        self._game = sentences(game, language)
        self._mail = {**sentences("mail", language), **(sentences("site", language) if site else {})}
        self._names = display_names(language)
        self._html = html
        self._compiled: dict[str, Template] = {}
        self.times = Times(self.say, self.knows)
        self._environment = self._made()
        self._order_names = self._named(language)
        self._ids = _id_pattern(self._order_names)

    def letter(self, name: str, facts: Mapping[str, Any]) -> str:
        """A whole letter, from the template of that name."""
        return self._environment.get_template(name).render(facts)

    def say(self, key: str, /, **facts: Any) -> str:
        """The sentence of that key: the game's, else the house's. Raises `KeyError` when there is none."""
        said = self._filled(self._game[key], facts) if key in self._game else ""
        return said or self._filled(self._mail[key] if key in self._mail else self._game[key], facts)

    def knows(self, key: str) -> bool:
        return key in self._game or key in self._mail

    def _filled(self, sentence: str, facts: Mapping[str, Any]) -> str:
        if "{" not in sentence:
            return self._safe(sentence)
        if sentence not in self._compiled:
            self._compiled[sentence] = self._environment.from_string(sentence)
        return self._safe(self._compiled[sentence].render(facts))

    def _safe(self, text: str) -> str:
        """What a sentence says has been escaped where it had to be."""
        return Markup(text) if self._html else text  # noqa: S704 - rendered with autoescape

    def _made(self) -> Environment:
        made = Environment(
            loader=FunctionLoader(_source),
            autoescape=self._html,  # noqa: S701 - the other letters are plain text
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
        )
        made.filters.update(self._filters())
        made.globals.update(say=self.say, event=self.event, refusal=self.refusal, heading=self.heading)
        return made

    # -- sentences of the game ---

    def event(self, event: Mapping[str, Any]) -> str:
        return self.say(f"events.{event['type']}", **event)

    def refusal(self, code: str, facts: Mapping[str, Any]) -> str:
        """Why an order was refused; a code we have no words for is told as it is."""
        key = f"refusals.{code}"
        return self.say(key, **facts) if self.knows(key) else code

    def heading(self, key: str) -> str:
        return self.say(f"headings.{key}")

    def actor(self, by: str) -> str:
        """Who did something, to begin a sentence: The moderator Zoe; a seat has its name alone."""
        role, _, name = by.partition(" ")
        key = f"actors.{role}"
        return self.say(key, name=name) if self.knows(key) else by

    def topics(self) -> list[str]:
        """What there is help about: the game's words, then the house's."""
        keys = [key.split(".") for sheet in (self._game, self._mail) for key in sheet if key.startswith("help.")]
        return [topic for topic in dict.fromkeys(key[1] for key in keys) if topic != "all"]

    def is_secret(self, event: Mapping[str, Any]) -> bool:
        """Is this not to be told before a question has been answered?"""
        return f"secret.{event['type']}" in self._game

    # -- filters: names, amounts, lists ---

    def _filters(self) -> dict[str, Callable[..., Any]]:
        return {
            "actor": self.actor,
            "sentence": self.event,
            "nation": lambda id_, form="": self._formed("nations", id_, form),
            "region": lambda id_: self._names["regions"][id_],
            "place": lambda id_, form="the": self._formed("regions", id_, form),
            "places": lambda ids, form="the": self._listed([self._formed("regions", id_, form) for id_ in ids]),
            "regions": lambda ids: self._comma([self._names["regions"][id_] for id_ in ids]),
            "called": self.called,
            "names": lambda written: [self.called(_ids_by_name().get(one, one)) for one in written],
            "space": self._word_of("spaces"),
            "status": self._word_of("status"),
            "action": self._word_of("actions"),
            "edition": self._word_of("editions"),
            "purpose": self._purpose,
            "dropped": lambda code: self.say(f"dropped.{code}") if self.knows(f"dropped.{code}") else "",
            "units": lambda count, unit, **_: self._counted(count, f"units.{unit}"),
            "counted": lambda count, one, many: f"{count} {one if count == 1 else many}",
            "factories": lambda count: self._counted(count, "things.factory"),
            "flags": lambda count: self._counted(count, "things.flag"),
            "money": lambda amount: self.say("money", amount=amount),
            "tax": self._tax,
            "change": lambda by: f" ({by:+d})".replace("-", "−") if by else "",
            "interpoints": lambda items: self._join(" · ", [item for item in items if item]),
            "semicolons": lambda items: self._join("; ", [item for item in items if item]),
            "listed": self._listed,
            "commas": self._comma,
            "alternatives": lambda items: self._joined(items, "lists.or"),
            "expected": self._expected,
            "order": self.order,
            "stacks": lambda stacks: self._comma([self._stack(stack) for stack in stacks]),
            "holdings": self._holdings,
            "bonds": lambda bonds: self._comma([f"{bond['price']}\u00a0({bond['interest']})" for bond in bonds]),
            "cut": self._cut,
            **self.times.filters(),
        }

    def _word_of(self, section: str) -> Callable[[str], str]:
        return lambda id_: self.say(f"{section}.{id_}") if self.knows(f"{section}.{id_}") else id_

    def _purpose(self, purpose: str) -> str:
        """What a lot was drawn for: the words of the log, of which the last may be a name or a number."""
        head, _, which = purpose.rpartition(" ")
        keys = ((f"lots.{words.replace(' ', '_')}", {"which": name}) for words, name in ((purpose, ""), (head, which)))
        return next((self.say(key, **facts) for key, facts in keys if self.knows(key)), purpose)

    def _formed(self, kind: str, id_: str, form: str) -> str:
        """A name within a sentence, with what that form puts before or behind it."""
        name = self._names[kind][id_]
        keys = [f"forms.{kind}.{which}.{form.lower()}" for which in (id_, "any")]
        said = next((self.say(key, name=name) for key in keys if self.knows(key)), name)
        return said[:1].upper() + said[1:] if form[:1].isupper() else said

    def called(self, id_: str) -> str:
        """What we call it: a thing of the game, or a word of the order language."""
        called = next((names[id_] for names in self._names.values() if id_ in names), None)
        return called or (self.say(f"commands.{id_}") if self.knows(f"commands.{id_}") else id_)

    def _counted(self, count: int, key: str) -> str:
        few = {0: "none", 1: "one"}.get(count)
        if few and self.knows(f"{key}.{few}"):
            return self.say(f"{key}.{few}")
        return f"{count} {self.say(f'{key}.many')}"

    def _cut(self, cut: Mapping[str, Any]) -> str:
        """How many lines were not read; of what its writer may not know to be there also the words."""
        counted, words = self._counted(cut["lines"], f"cuts.{cut['why']}"), cut.get("words", ())
        return f"{counted}: {self._comma([self.say('quoted', word=word) for word in words])}" if words else counted

    def _tax(self, marker: int) -> str:
        return {5: "2–5", 15: "15+"}.get(marker, str(marker))

    def _stack(self, stack: Stack) -> str:
        where = self._names["regions"][stack.region]
        note = f" ({self.say(f'notes.{stack.note}')})" if stack.note else ""
        return f"{stack.count} {where}{note}" if stack.count > 1 else f"{where}{note}"

    def _holdings(self, bonds: Mapping[str, Sequence[int]]) -> str:
        """Bonds by nation: Italy 2 + 12, Germany 9."""
        names = self._names["nations"]
        return self._comma([f"{names[nation]} {' + '.join(map(str, p))}" for nation, p in bonds.items()])

    def _listed(self, items: Iterable[object]) -> str:
        return self._joined(items, "lists.and")

    def _comma(self, items: Iterable[object]) -> str:
        return self._join(self.say("lists.comma"), items)

    def _joined(self, items: Iterable[object], last: str) -> str:
        *first, end = [*items] or [""]
        return self._join(self.say(last), [self._comma(first), end]) if first else self._join("", [end])

    def _join(self, between: str, items: Iterable[object]) -> str:
        texts = [item if isinstance(item, str) else str(item) for item in items]  # Markup stays Markup
        return Markup(between).join(texts) if self._html else between.join(texts)  # noqa: S704

    def _expected(self, terminals: Iterable[str]) -> list[str]:
        """What may stand there; of too much that which says most, names and words before signs."""
        listed = [*terminals]
        telling = [t for t in listed if t not in SIGNS] or listed
        words = dict.fromkeys(self._terminal(t) for t in sorted(telling, key=self._is_plain))
        return [*words][:MANY]

    def _is_plain(self, terminal: str) -> bool:
        """Is it a mere word of the language, and no kind of names?"""
        return not self.knows(f"expected.{terminal}")

    def _terminal(self, terminal: str) -> str:
        key = f"expected.{terminal}"
        return self.say(key) if self.knows(key) else self.say("quoted", word=self.called(terminal[2:].lower()))

    def order(self, text: str) -> str:
        """An order that we wrote ourselves, in the words of our reader; it reads back the same."""
        return self._ids.sub(lambda found: self._order_names[found[0]], text)

    def _named(self, language: str) -> Mapping[str, str]:
        """What stands in our orders, and what to write for it."""
        commands = [key.removeprefix("commands.") for key in self._mail if key.startswith("commands.")]
        things = [word for kind in ("spaces", "units", "words") for word in self._names[kind]]
        own = {} if language == ORDERS else {word: self.called(word) for word in (*commands, *things)}
        return {**own, **self._names["regions"], **self._names["nations"]}


@cache
def wording(game: str, language: str, *, html: bool, site: bool = False) -> Wording:
    """The one for all who speak like that: what it has compiled serves the next letter, too."""
    return Wording(game, language, html=html, site=site)


@cache
def _ids_by_name() -> Mapping[str, str]:
    """Whatever a player may write for a thing, in any language."""
    return {way: id_ for names in words().values() for id_, ways in names.items() for way in ways}


def _id_pattern(ids: Iterable[str]) -> re.Pattern[str]:
    """Whole ids, the longest first."""
    ordered = sorted(ids, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, ordered))})\b")


def _source(name: str) -> str | None:
    file = resource("templates").joinpath(*name.split("/"))
    return file.read_text("utf-8") if file.is_file() else None
