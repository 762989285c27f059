"""What the log says: a line for each event, for people or (JSON) for programs, and no secret in either.

No token, no address with a tag, no password and nothing that somebody wrote to us: of an exception the log tells kind
and place, for its words may quote a letter. The letter itself is kept, and `pbem letters show` has it.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from traceback import extract_tb
from typing import Any, Literal

Form = Literal["text", "json"]

_TAG = re.compile(r"(?<=[\w.-])\+[^\s@<>]+(?=@)")
_TOKEN = re.compile(r"\b([a-z]+-\d+)((?:\.\d{1,9}){2})?\.[a-z2-7]{12}\b", re.IGNORECASE)
_HIDDEN = "…"
_PLACE = re.compile(r"%(?:\(\w+\))?[-#0 +]*[\d.*]*[a-zA-Z%]")  # of a fact in a message
_FACTS = ("letter", "row", "game", "fate", "seconds")  # in this order, when an event has them


class Discreet(logging.Formatter):
    """What both forms share."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._secrets = [secret for secret in secrets if secret]

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        facts = {name: getattr(record, name) for name in _FACTS if getattr(record, name, None) is not None}
        fault = record.exc_info[1] if record.exc_info else None
        return self.line(at, record, facts, [*_places(fault)])

    def line(self, at: str, record: logging.LogRecord, facts: dict[str, Any], fault: list[str]) -> str:
        told = " ".join(f"{name}={self.clean(str(value))}" for name, value in facts.items())
        head = f"{at} {record.levelname} {self.clean(record.getMessage())}"
        return "\n  ".join([f"{head} {told}".rstrip(), *map(self.clean, fault)])

    def clean(self, text: str) -> str:
        """On one line, without what should be known to nobody."""
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        text = _TOKEN.sub(rf"\1.{_HIDDEN}", _TAG.sub(f"+{_HIDDEN}", text))
        return "".join(c if c.isprintable() else " " for c in text)


class Structured(Discreet):
    """A JSON object a line: at, level, event, text, and what is known of letter, game and duration.

    The event is the same each time, whatever the text tells of this one.
    """

    def line(self, at: str, record: logging.LogRecord, facts: dict[str, Any], fault: list[str]) -> str:
        told = {name: self.clean(value) if isinstance(value, str) else value for name, value in facts.items()}
        document = {
            "at": at,
            "level": record.levelname.lower(),
            "event": self.clean(_event(record)),
            "text": self.clean(record.getMessage()),
            **told,
        }
        if fault:
            document["fault"] = [self.clean(line) for line in fault]
        return json.dumps(document, ensure_ascii=False)


def _event(record: logging.LogRecord) -> str:
    """The words of a message without what differs each time; where there are none, whose message it is."""
    words = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", _PLACE.sub(" ", str(record.msg)))
    return " ".join(words) or record.name


def log_to_stderr(form: Form, *, verbose: bool, secrets: Sequence[str] = ()) -> None:
    """Programs get every event, people warnings unless they ask for more."""
    writer = logging.StreamHandler()
    writer.setFormatter(Structured(secrets) if form == "json" else Discreet(secrets))
    level = logging.INFO if verbose or form == "json" else logging.WARNING
    logging.basicConfig(level=level, handlers=[writer], force=True)
    logging.getLogger("imapclient").setLevel(logging.WARNING)  # at INFO it would tell of each login


def _places(fault: BaseException | None) -> Iterator[str]:
    """Kind and place of an exception and of those behind it."""
    seen: set[int] = set()
    while fault is not None and id(fault) not in seen:
        seen.add(id(fault))
        yield type(fault).__name__
        for frame in extract_tb(fault.__traceback__):
            yield f"{frame.filename}:{frame.lineno} {frame.name}"
        fault = fault.__cause__ or fault.__context__
