"""What the page to order from is told, small enough for the fragment of a link: a browser sends it to nobody."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from typing import Any

from pbem.core.choice import Choice, Step

Label = Callable[[Choice], str]


def fragment(facts: Mapping[str, Any]) -> str:
    """JSON, deflated (RFC 1951) and in URL-safe base64 without padding (RFC 4648 section 5)."""
    squeezed = zlib.compress(json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode(), 9, wbits=-15)
    return urlsafe_b64encode(squeezed).decode().rstrip("=")


def packed(step: Step, label: Label) -> list[Any]:
    """`[before, between, none, least, most, choices]`; `label` says what a choice costs and brings, or nothing."""
    of = [_packed(choice, label) for choice in step.of]
    return [step.before, step.between, step.none, step.least, step.most, of]


def _packed(choice: Choice, label: Label) -> list[Any]:
    """`[text, at, times, label, steps, cost, payer]` without zeros at the end; an `at` of 1: the text's last word."""
    at: Any = 1 if choice.at and choice.text.rpartition(" ")[2] == choice.at else choice.at or 0
    then = [packed(step, label) for step in choice.then]
    times = choice.times if choice.times > 1 else 0
    found = [choice.text, at, times, label(choice) or 0, then or 0, choice.cost, choice.payer or 0]
    while not found[-1]:
        found.pop()
    return found
