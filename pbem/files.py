"""The program's own files, and the YAML that people write: no surprises, and all mistakes told at once.

Scalars are those of YAML 1.2, decimal only: `no`, `on`, `12:30`, `010` and `1_000` are text.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple, Never, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

M = TypeVar("M", bound=BaseModel)
Value = Any  # text, numbers, true, false, None, and lists and dicts of these; keys are text or whole numbers
Way = tuple[str | int, ...]  # from the root to a value: keys, as text, and places in lists
Context = Mapping[str, Any]
Further = Callable[[Value], Iterable[tuple[Way, str]]]  # where, and what is wrong

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(?=.*[.eE])((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
_NULLS = ("", "~", "null", "Null", "NULL")
_TRUE, _FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # libyaml is seven times faster, where it is there

_SECTION = "should be a section with keys of its own, but is {input}"
_SENTENCES = {
    "missing": "is missing",
    "string_type": "should be text, but is {input}",
    "bool_type": "should be true or false, but is {input}",
    **dict.fromkeys(("int_type", "int_parsing"), "should be a whole number, but is {input}"),
    "float_type": "should be a number, but is {input}",
    **dict.fromkeys(("literal_error", "enum"), "should be {expected}, but is {input}"),
    **dict.fromkeys(("model_type", "dict_type"), _SECTION),
    **dict.fromkeys(("list_type", "tuple_type", "frozen_set_type"), "should be a list, but is {input}"),
    "greater_than": "should be more than {gt}, but is {input}",
    "greater_than_equal": "should be at least {ge}, but is {input}",
    "less_than": "should be less than {lt}, but is {input}",
    "less_than_equal": "should be at most {le}, but is {input}",
    "string_too_short": "should have at least {min_length} characters, but is {input}",
    "too_short": "should have at least {min_length} entries, but has {actual_length}",
    "too_long": "should have at most {max_length} entries, but has {actual_length}",
    "value_error": "{error}",
}


def resource(path: str) -> Traversable:
    """What lies there in `games` or `templates`: inside the package when it was installed, else in the checkout."""
    packed = files("pbem") / "_data"
    return (packed if packed.is_dir() else Path(__file__).resolve().parent.parent).joinpath(*path.split("/"))


@contextmanager
def beside(file: Path) -> Iterator[Path]:
    """A file for a while, on the same disk; nobody else can read it. What takes the other's place is there whole."""
    number, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    os.close(number)
    try:
        yield Path(name)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


class StrictModel(BaseModel):
    """A file that people write, or a section of one: nothing unknown in it, and no value bent to fit."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class ConfigError(ValueError):
    """What is wrong with a file; each problem is a line that begins with FILE:LINE:COLUMN."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Mark(NamedTuple):
    """A spot in a file; lines and columns count from one."""

    source: str
    line: int
    column: int


class Place(NamedTuple):
    """Where a value stands, and where the key is that leads to it."""

    key: Mark
    value: Mark


@dataclass(frozen=True)
class YamlDocument:
    """What a YAML text says, and where each piece of it stands."""

    value: Value
    places: Mapping[Way, Place]


class _Problem(NamedTuple):
    mark: Mark
    way: Way
    sentence: str

    def __str__(self) -> str:
        return ": ".join(filter(None, (":".join(map(str, self.mark)), ".".join(map(str, self.way)), self.sentence)))


def read_yaml(text: str, source: str) -> YamlDocument:
    """What the text says, before any model; raises `ConfigError`."""
    reading = _Reading(text, source)
    page = reading.page()
    if reading.problems:
        raise _misfiled(reading.problems)
    return page


def fit(model: type[M], page: YamlDocument, context: Context | None = None) -> M:
    """The page as a value of the model; raises `ConfigError`. It may be put together of several files' pages."""
    return _fit(model, page, context, [])


def load_as(
    model: type[M], text: str, source: str, context: Context | None = None, *, further: Further = lambda _: ()
) -> M:
    """The text as a value of the model, whose validators get the context; raises `ConfigError`.

    `further` finds what else is wrong with the values that stand there, whatever the model finds.
    """
    reading = _Reading(text, source)
    page = reading.page()
    found = (_further(page, way, sentence) for way, sentence in further(page.value))
    return _fit(model, page, context, [*reading.problems, *found])


def _fit(model: type[M], page: YamlDocument, context: Context | None, problems: list[_Problem]) -> M:
    try:
        # by way of JSON: from there strict models take a list for a tuple and text for a path
        fitted = model.model_validate_json(json.dumps(page.value), context=context)
    except ValidationError as error:
        problems = [*problems, *(_problem(model, page, each) for each in error.errors() if _is_own(each))]
    if problems:
        raise _misfiled(problems)
    return fitted


def _misfiled(problems: Iterable[_Problem]) -> ConfigError:
    in_order = sorted(problems, key=lambda problem: problem.mark)
    return ConfigError(tuple(dict.fromkeys(map(str, in_order))))


# -- reading ---


class _Reading:
    """One walk over the events of a text; it goes on after a key given twice, and stops at anything worse."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.events = yaml.parse(text, Loader=_LOADER)
        self.places: dict[Way, Place] = {}
        self.problems: list[_Problem] = []

    def page(self) -> YamlDocument:
        try:
            return YamlDocument(self._document(), self.places)
        except yaml.reader.ReaderError:
            self._note(self._unprintable(), (), "a character that can't be seen can't stand here")
        except yaml.MarkedYAMLError as error:
            self._note(self._mark(error.problem_mark), (), _told(error))
        raise _misfiled(self.problems)

    def _document(self) -> Value:
        self.places[()] = Place(Mark(self.source, 1, 1), Mark(self.source, 1, 1))
        self._next()
        if isinstance(self._next(), yaml.StreamEndEvent):
            return {}
        value = self._item(self._next(), ())
        self._next()
        if not isinstance(more := self._next(), yaml.StreamEndEvent):
            _stop(more, "a second document can't stand in the same file")
        return {} if value is None else value

    def _value(self, event: Any, way: Way, key: Mark) -> Value:
        _check_plain(event)
        is_block = getattr(event, "flow_style", None) is False  # begins on a later line than its key
        self.places[way] = Place(key, key if is_block else self._mark(event.start_mark))
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(way)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(way)
        return _scalar(event.value) if _is_bare(event) else event.value

    def _mapping(self, way: Way) -> Value:
        found: dict[str, tuple[str | int, Value]] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key, mark = _key(event), self._mark(event.start_mark)
            step = str(key)
            if step in found:
                self._note(mark, (*way, step), "stands here a second time")
            found[step] = key, self._value(self._next(), (*way, step), mark)
        return dict(found.values())

    def _list(self, way: Way) -> Value:
        found: list[Value] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            found.append(self._item(event, (*way, len(found))))
        return found

    def _item(self, event: Any, way: Way) -> Value:
        return self._value(event, way, self._mark(event.start_mark))

    def _next(self) -> Any:
        return next(self.events)

    def _note(self, mark: Mark, way: Way, sentence: str) -> None:
        self.problems.append(_Problem(mark, way, sentence))

    def _mark(self, mark: Any) -> Mark:
        return Mark(self.source, mark.line + 1, mark.column + 1)

    def _unprintable(self) -> Mark:
        bad = yaml.reader.Reader.NON_PRINTABLE.search(self.text)
        before = self.text[: bad.start() if bad else 0]
        return Mark(self.source, before.count("\n") + 1, len(before) - before.rfind("\n"))


def _is_bare(event: Any) -> bool:
    return event.style not in ("'", '"', "|", ">")


def _check_plain(event: Any) -> None:
    if getattr(event, "anchor", None) is not None:
        _stop(event, "anchors (&) and aliases (*) can't be used here; text that begins so needs quotes")
    if getattr(event, "tag", None) is not None:
        _stop(event, "tags (!) can't be used here; text that begins so needs quotes")


def _key(event: Any) -> str | int:
    _check_plain(event)
    if not isinstance(event, yaml.ScalarEvent):
        _stop(event, "a key can only be a word or a number")
    text: str = event.value
    return int(text) if _is_bare(event) and _INTEGER.fullmatch(text) else text


def _scalar(text: str) -> Value:
    if text in _NULLS:
        return None
    if text in _TRUE + _FALSE:
        return text in _TRUE
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _stop(event: Any, why: str) -> Never:
    raise yaml.MarkedYAMLError(problem=why, problem_mark=event.start_mark)


def _told(error: yaml.MarkedYAMLError) -> str:
    since = f" ({error.context} from line {error.context_mark.line + 1})" if error.context_mark else ""
    return f"{error.problem}{since}"


# -- mistakes ---


def _is_own(mistake: ErrorDetails) -> bool:
    return mistake["type"] != "default_factory_not_called"  # only ever the echo of another mistake


def _problem(model: type[BaseModel], page: YamlDocument, mistake: ErrorDetails) -> _Problem:
    way, missing = _way(page, mistake)
    place = page.places[way]
    if mistake["type"] == "extra_forbidden":
        return _Problem(place.key, way, _unknown(str(way[-1]), _keys(model, way[:-1])))
    return _Problem(place.key if missing else place.value, way + missing, _sentence(mistake))


def _further(page: YamlDocument, way: Way, sentence: str) -> _Problem:
    """At the value, or at the section that it is missing from."""
    there = next(way[:end] for end in range(len(way), -1, -1) if way[:end] in page.places)
    return _Problem(page.places[there].value, way, sentence)


def _way(page: YamlDocument, mistake: ErrorDetails) -> tuple[Way, Way]:
    """The way to what is there, and the key that is missing from it; types named on the way are left out."""
    way: Way = ()
    for step in mistake["loc"]:
        way = (*way, step) if (*way, step) in page.places else way
    last = mistake["loc"][-1:]
    is_absent = mistake["type"] in ("missing", "value_error") and way[-1:] != last
    return way, last if is_absent else ()


def _sentence(mistake: ErrorDetails) -> str:
    plain = mistake["msg"].removeprefix("Input ")
    form = _SENTENCES.get(mistake["type"])
    facts = {**mistake.get("ctx", {}), "input": _shown(mistake["input"])}
    return form.format(**facts) if form else plain[:1].lower() + plain[1:]


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "a section" if isinstance(value, dict) else "a list"
    if isinstance(value, str):
        return f'the text "{value}"'
    return "empty" if value is None else json.dumps(value, default=str)


def _unknown(key: str, known: list[str]) -> str:
    from rapidfuzz import fuzz, process  # noqa: PLC0415  slow to load, and mistakes are rare

    near = process.extractOne(key, known, scorer=fuzz.WRatio, score_cutoff=70)
    hint = f"; did you mean {near[0]}?" if near else f", only {', '.join(known)}"
    return f"is not known here{hint}"


def _keys(model: type[BaseModel], way: Way) -> list[str]:
    """The keys that may stand there, found by following the way through the models."""
    sheets = [model]
    for step in way:
        kinds = [field.annotation for sheet in sheets for name, field in _fields(sheet) if name == step]
        sheets = [sheet for kind in kinds for sheet in _models(kind)] if kinds else sheets
    return [name for sheet in sheets for name, _ in _fields(sheet)]


def _fields(sheet: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    return ((field.alias or name, field) for name, field in sheet.model_fields.items())


def _models(kind: object) -> Iterator[type[BaseModel]]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for part in get_args(kind):
        yield from _models(part)
