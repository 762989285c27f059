"""What came of a step of a play file, compared with what is expected of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from pbem.core.game import AnyEntry
from pbem.host.archive.playfile import Expectation, first_word
from pbem.host.play.results import Result
from pbem.host.session.session import Session


class Outcome(Struct, frozen=True, kw_only=True):
    """Where a game stands, and how it came to that."""

    session: Session
    left_out: Mapping[str, object]  # by path of the state document: what is not there stands for
    entries: Sequence[AnyEntry]  # of this step
    results: Sequence[Result]  # of what was said

    def problem(self, expectation: Expectation) -> str | None:
        """In what it is not as expected; None when it is."""
        match expectation.sign:
            case "!":
                return self._refusal_problem(expectation.text)
            case "=":
                return self._value_problem(expectation)
            case "*":
                return self._event_problem(expectation)
            case _:
                return self._awaited_problem(expectation)

    def _refusal_problem(self, code: str) -> str | None:
        """A draft with an item that can't be played is told so at once, though the rest of it is kept."""
        codes = [each.refusal.code for each in self.results if each.refusal]
        if not codes:
            return "nothing was refused"
        return None if code in ("", *codes) else f"refused with {', '.join(codes)}, not {code}"

    def _value_problem(self, expectation: Expectation) -> str | None:
        path, written = first_word(expectation.text)
        wanted = _value(written)
        try:
            found = _at(self.session.document(), path.split("."), self.left_out)
        except KeyError as absent:
            return f"{path}: the state document has no {absent.args[0]} there"
        return None if found == wanted else f"{path} is {_shown(found)}, not {_shown(wanted)}"

    def _awaited_problem(self, expectation: Expectation) -> str | None:
        seat, kind = first_word(expectation.text)
        awaited = [d for d in self.session.pending() if d.seat == seat and d.kind == (kind or d.kind)]
        if bool(awaited) == (expectation.sign == "?"):
            return None
        pending = [f"{d.seat} for {d.kind} {d.about or ''}".strip() for d in self.session.pending()]
        now = ", ".join(pending) or "nobody"
        what = "is not awaited" if expectation.sign == "?" else "is awaited"
        return f"{expectation.text} {what}; awaited now: {now}"

    def _event_problem(self, expectation: Expectation) -> str | None:
        name, *fields = expectation.text.split()
        happened = [_plain(e) for entry in self.entries for e in entry.events]
        happened += [act for entry in self.entries if entry.act for act in _acts(entry.act)]
        wanted = {"type": name, **{k: _value(v) for k, _, v in (f.partition("=") for f in fields)}}
        if any(wanted.items() <= event.items() for event in happened):
            return None
        told = "; ".join(_told(event) for event in happened if event["type"] == name)
        return f"{expectation.text} has not happened" + (f", but {told}" if told else "")


def _at(document: object, keys: Sequence[str], left_out: Mapping[str, object]) -> object:
    """The value at a path; what the document leaves out has its own. Raises `KeyError` for what there is not."""
    found = document
    for key in keys:
        if isinstance(found, Mapping) and key not in found:
            return _missing(keys, left_out, key)
        if isinstance(found, Mapping):
            found = found[key]
        elif isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            raise KeyError(key)
    return found


def _missing(keys: Sequence[str], left_out: Mapping[str, object], key: str) -> object:
    """What stands for a path of which that key is not there."""
    for path, value in left_out.items():
        pattern = path.split(".")
        if len(pattern) == len(keys) and all(one in ("*", key) for one, key in zip(pattern, keys, strict=True)):
            return value
    raise KeyError(key)


def _value(written: str) -> object:
    try:
        return json.loads(written)
    except ValueError:
        return written.strip()


def _shown(value: object) -> str:
    return json.dumps(value)


def _plain(event: object) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(msgspec.json.encode(event))
    return plain


def _acts(act: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was done beside the orders, as if it were an event; the closings of slots one by one."""
    plain = _plain(act)
    closings = plain.pop("closings", None)
    return [plain] if closings is None else [{**plain, "type": "closed", **closing} for closing in closings]


def _told(event: Mapping[str, Any]) -> str:
    facts = (f"{key}={_shown(value)}" for key, value in event.items() if key != "type")
    return " ".join([event["type"], *facts])
