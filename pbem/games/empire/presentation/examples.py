"""Lines that a reader could send back."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.presenter import Facts


def examples(facts: Facts) -> Sequence[str]:
    """Some answers to a question, as the rules found them legal."""
    return [*facts.get("examples", ())]
