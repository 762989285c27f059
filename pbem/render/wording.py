"""The words of our letters: sentences of a language, filled with facts, as plain text or as HTML.

Sentences are small templates, those of a game in its `sentences/LANGUAGE.yaml`, those of all in
`templates/*/LANGUAGE.yaml`. Those of a command of letters stand in `templates/mail/commands/COMMAND.yaml`, those of the
pages of leagues in `templates/site/commands`, all languages side by side. What a language lacks is worded in English.
Names that change with their place in a sentence have their forms there, too; `The` is `the` with a capital letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from contextvars import Context
from functools import cache
from typing import Any, TypeAlias

import msgspec
from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, nodes
from jinja2.compiler import CodeGenerator
from markupsafe import Markup

from pbem.core.presenter import Voice
from pbem.files import read_yaml, resource
from pbem.render.times import ZONE, Times

Sentences = Mapping[str, str]  # by dotted key
OwnSentences: TypeAlias = "Callable[[str], Sentences]"  # of the commands' modules, in a language
MoreFilters: TypeAlias = "Callable[[Wording], Mapping[str, Callable[..., Any]]]"  # for templates, by name
ORDERS = "en"  # the language whose words stand in the orders that we keep
KEPT = 60  # pieces of letters that go to several readers
SAID = 1_000  # sentences that are remembered as they were filled: most are said to several readers
SIMPLE = {str, Markup, int, bool, float, type(None)}  # what never changes, and says what it is by type and value
MANY = 5  # things that could stand at a place of an order; no more than these are named
_ENTRY = re.compile(r"^P?\d+ ")  # of which a lot is, before what it is for
FORMS = "forms."
_CODE: dict[tuple[object, ...], object] = {}  # of sentences and templates, by their sources
SIGNS = ("COMMA", "PLUS", "COLON")  # what joins the parts of an order


@cache
def sentences(folder: str, language: str) -> Sentences:
    """All sentences of a folder in a language, English where it has none, by dotted key; forms of names are no such."""
    own = own_sentences(folder, language)
    return {**{key: said for key, said in own_sentences(folder, "en").items() if not key.startswith(FORMS)}, **own}


@cache
def own_sentences(folder: str, language: str) -> Sentences:
    """Those that the language itself has."""
    file = resource(f"{folder}/{language}.yaml")
    own = dict(_flat(read_yaml(file.read_text("utf-8"), file.name).value, "")) if file.is_file() else {}
    return {**own, **{key: said[language] for key, said in _side_by_side(folder).items() if language in said}}


@cache
def _side_by_side(folder: str) -> Mapping[str, Mapping[str, str]]:
    """By dotted key and language."""
    files = resource(f"{folder}/commands")
    found: dict[str, Mapping[str, str]] = {}
    for file in files.iterdir() if files.is_dir() else ():
        found |= read_yaml(file.read_text("utf-8"), file.name).value
    return found


def _flat(section: Mapping[str, Any], before: str) -> Iterable[tuple[str, str]]:
    for key, value in section.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", str(value if value is not None else "")


class Unfolded(CodeGenerator):
    """Fills in nothing beforehand: what a filter makes of a constant is another thing in each language and letter."""

    def _output_child_to_const(self, node: nodes.Expr, frame: Any, finalize: Any) -> str:
        if not isinstance(node, nodes.TemplateData | nodes.Const):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)


class Plain(Environment):
    """With plain globals: mappings that are stacked take longer to look through than a sentence takes to fill.

    What is compiled knows nothing of a language or a game, and is the same for all that have the source.
    """

    code_generator_class = Unfolded

    def compile(self, source: Any, *args: Any, **more: Any) -> Any:
        key = self.autoescape, source, args, *more.items()
        if key not in _CODE:
            _CODE[key] = super().compile(source, *args, **more)
        return _CODE[key]

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


class Wording:
    """How a game is spoken about in one language, in text or in HTML; `page` is the folder of what only it says."""

    def __init__(
        self,
        voice: Voice,
        language: str,
        *,
        html: bool,
        page: str = "",
        more: MoreFilters | None = None,
        commands: OwnSentences | None = None,
    ) -> None:
        own = sentences(page, language) if page else {}
        self._voice = voice
        self._game = {**sentences(f"{voice.folder}/sentences", language), **own}
        self._house = {**(commands(language) if commands else {}), **sentences("templates/mail", language)}
        self._names = voice.names(language)
        self._html = html
        self._compiled: dict[str, Template] = {}
        self._made_once: dict[tuple[Callable[..., str], str, bytes], str] = {}
        self.times = Times(self.say, self.said)
        self._filled_before: dict[tuple[object, ...], str] = {}
        self._sentences = self._made()  # know of their reader only the zone
        self._environment = self._made()
        self._environment.filters.update(more(self) if more else {})
        self.order_names = self._named(language)  # what stands in our orders, and what is written for it
        self._ids = _id_pattern(self.order_names)

    def letter(self, name: str, facts: Mapping[str, Any]) -> str:
        """A whole letter, from the template of that name."""
        return self._environment.get_template(name).render(facts)

    def once(self, macro: Callable[..., str], *facts: Any) -> str:
        """What a macro of a template makes of these facts, for all readers alike.

        Of what else is known of a reader it is told the zone, and nothing of how the letter is answered.
        """
        zone = ZONE.get()
        key = macro, zone, msgspec.json.encode(facts)
        if key not in self._made_once:
            while len(self._made_once) >= KEPT:
                del self._made_once[next(iter(self._made_once))]
            apart = Context()
            apart.run(ZONE.set, zone)
            self._made_once[key] = apart.run(macro, *facts)
        return self._made_once[key]

    def say(self, key: str, /, **facts: Any) -> str:
        """The sentence of that key: the game's, else the house's. Raises `KeyError` when there is none."""
        said = self._filled(self._game[key], facts) if key in self._game else ""
        return said or self._filled(self._house[key] if key in self._house else self._game[key], facts)

    def said(self, key: str, otherwise: str, /, **facts: Any) -> str:
        """The sentence of that key; something else where there is none."""
        return self.say(key, **facts) if self.knows(key) else otherwise

    def knows(self, key: str) -> bool:
        return key in self._game or key in self._house

    def _filled(self, sentence: str, facts: Mapping[str, Any]) -> str:
        if "{" not in sentence:
            return self._safe(sentence)
        types = [*map(type, facts.values())]
        if not SIMPLE.issuperset(types):
            return self._said_with(sentence, facts)
        key = sentence, ZONE.get(), *facts, *facts.values(), *types
        if key not in self._filled_before:
            while len(self._filled_before) >= SAID:
                del self._filled_before[next(iter(self._filled_before))]
            self._filled_before[key] = self._said_with(sentence, facts)
        return self._filled_before[key]

    def _said_with(self, sentence: str, facts: Mapping[str, Any]) -> str:
        if sentence not in self._compiled:
            self._compiled[sentence] = self._sentences.from_string(sentence)
        return self._safe(self._compiled[sentence].render(facts))

    def _safe(self, text: str) -> str:
        """What a sentence says has been escaped where it had to be."""
        return Markup(text) if self._html else text  # noqa: S704 - rendered with autoescape

    def _made(self) -> Environment:
        made = Plain(
            loader=FunctionLoader(self._source),
            autoescape=self._html,  # the other letters are plain text
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
            optimized=False,
        )
        made.filters.update(self._filters())
        made.globals.update(say=self.say, event=self.event, refusal=self.refusal, heading=self.heading, once=self.once)
        return made

    # -- sentences of the game ---

    def event(self, event: Mapping[str, Any]) -> str:
        return self.say(f"events.{event['type']}", **event)

    def refusal(self, code: str, facts: Mapping[str, Any]) -> str:
        """Why an order was refused; a code we have no words for is told as it is."""
        return self.said(f"refusals.{code}", code, **facts)

    def heading(self, key: str) -> str:
        return self.say(f"headings.{key}")

    def actor(self, by: str) -> str:
        """Who did something, to begin a sentence: The moderator Zoe; a seat has its name alone."""
        role, _, name = by.partition(" ")
        return self.said(f"actors.{role}", by, name=name)

    def topics(self) -> list[str]:
        """What of the game there is help about."""
        keys = [key.split(".") for key in self._game if key.startswith("help.")]
        return [key[1] for key in keys if key[-1] == "says"]

    def is_secret(self, event: Mapping[str, Any]) -> bool:
        """Is this not to be told before a question has been answered?"""
        return f"secret.{event['type']}" in self._game

    # -- filters: names, amounts, lists ---

    def _filters(self) -> dict[str, Callable[..., Any]]:
        return {
            "actor": self.actor,
            "sentence": self.event,
            "gathered": self._voice.gathered,
            "called": self.called,
            "names": lambda written: [self.called(self._voice.ids().get(one, one)) for one in written],
            "edition": self.word_of("editions"),
            "purpose": self._purpose,
            "dropped": lambda code: self.said(f"dropped.{code}", ""),
            "counted": lambda count, one, many: f"{count} {one if count == 1 else many}",
            "points": lambda hundredths: None if hundredths is None else f"{hundredths / 100:.2f}",
            "change": lambda by: f" ({by:+d})".replace("-", "−") if by else "",
            "interpoints": lambda items: self._join(" · ", [item for item in items if item]),
            "semicolons": lambda items: self._join("; ", [item for item in items if item]),
            "listed": self.listed,
            "commas": self.comma,
            "alternatives": lambda items: self._joined(items, "lists.or"),
            "expected": self._expected,
            "order": self.order,
            "cut": self._cut,
            **self.times.filters(),
            **self._voice.filters(self),
        }

    def word_of(self, section: str) -> Callable[[str], str]:
        """A filter: the word that a section has for an id; the id itself where it has none."""
        return lambda id_: self.said(f"{section}.{id_}", id_)

    def _purpose(self, purpose: str) -> str:
        """What a lot was drawn for: the words of the log, of which the last may be names or numbers."""
        words = self._voice.lot(_ENTRY.sub("", purpose)).split(" ")
        keys = ((f"lots.{'_'.join(words[:place])}", " ".join(words[place:])) for place in range(len(words), 0, -1))
        return next((self.say(key, which=which) for key, which in keys if self.knows(key)), purpose)

    def formed(self, kind: str, id_: str, form: str) -> str:
        """A name within a sentence, with what that form puts before or behind it."""
        name = self._names[kind][id_]
        keys = [f"forms.{kind}.{which}.{form.lower()}" for which in (id_, "any")]
        said = next((self.say(key, name=name) for key in keys if self.knows(key)), name)
        return said[:1].upper() + said[1:] if form[:1].isupper() else said

    def called(self, id_: str) -> str:
        """What we call it: a thing of the game, or a word of the order language."""
        called = next((names[id_] for names in self._names.values() if id_ in names), None)
        return called or self.said(f"commands.{id_}", id_)

    def counted(self, count: int, key: str) -> str:
        """So many things: none, one, or a number and the word for many."""
        few = {0: "none", 1: "one"}.get(count)
        if few and self.knows(f"{key}.{few}"):
            return self.say(f"{key}.{few}")
        return f"{count} {self.say(f'{key}.many')}"

    def _cut(self, cut: Mapping[str, Any]) -> str:
        """How many lines were not read; of what its writer may not know to be there also the words."""
        counted, words = self.counted(cut["lines"], f"cuts.{cut['why']}"), cut.get("words", ())
        return f"{counted}: {self.comma([self.say('quoted', word=word) for word in words])}" if words else counted

    def listed(self, items: Iterable[object]) -> str:
        """With "and" before the last."""
        return self._joined(items, "lists.and")

    def comma(self, items: Iterable[object]) -> str:
        return self._join(self.say("lists.comma"), items)

    def _joined(self, items: Iterable[object], last: str) -> str:
        *first, end = [*items] or [""]
        return self._join(self.say(last), [self.comma(first), end]) if first else self._join("", [end])

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
        return self._ids.sub(lambda found: self._in_order(found, text), text)

    def _in_order(self, found: re.Match[str], text: str) -> str:
        """A word of the house begins a line; within one it is the game's."""
        begins = found.start() == 0 or text[found.start() - 1] == "\n"
        return (begins and self._commands.get(found[0])) or self.order_names[found[0]]

    def _named(self, language: str) -> Mapping[str, str]:
        """What stands in our orders, and what to write for it."""
        keys = () if language == ORDERS else self._house
        commands = [key.removeprefix("commands.") for key in keys if key.startswith("commands.")]
        self._commands = {word: self.said(f"commands.{word}", word) for word in commands}
        return {**{word: self.called(word) for word in commands}, **self._voice.in_orders(language)}

    def _source(self, name: str) -> str | None:
        """A template: `game/NAME` is one of the game."""
        own = name.removeprefix("game/")
        found = resource(f"templates/{name}" if own == name else f"{self._voice.folder}/templates/{own}")
        return found.read_text("utf-8") if found.is_file() else None


wording = cache(Wording)  # the one for all who speak like that: what it has compiled serves the next letter, too


def _id_pattern(ids: Iterable[str]) -> re.Pattern[str]:
    """Whole ids, the longest first; nothing where there are none."""
    ordered = sorted(ids, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, ordered)) or '(?!)'})\b")
