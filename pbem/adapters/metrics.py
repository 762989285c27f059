"""How a server does, for machines that watch it: a health file in JSON, and metrics in Prometheus' text format.

The metrics are for node_exporter's textfile collector. Both files are replaced whole, never seen half written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct, to_builtins

from pbem.files import beside
from pbem.host.ports import Vitals

STATUSES = ("inviting", "running", "finished")  # that are told with 0 when there is no such game
FATES = ("answered", "ignored", "fault")


class MetricsFiles(Struct, frozen=True, kw_only=True):
    """Where they go; None: nowhere."""

    health: Path | None = None
    metrics: Path | None = None

    @property
    def wanted(self) -> bool:
        return self.health is not None or self.metrics is not None

    def write(self, vitals: Vitals, now: int) -> None:
        """Replace both files. Raises `OSError`."""
        if self.health is not None:
            _replace(self.health, json.dumps(health(vitals, now), indent=2) + "\n")
        if self.metrics is not None:
            _replace(self.metrics, "".join(f"{line}\n" for line in metrics(vitals, now)))


NOWHERE = MetricsFiles()


def health(vitals: Vitals, now: int) -> Mapping[str, object]:
    """What stands in the health file; instants in seconds UTC."""
    return {
        "at": now,
        "polled": vitals.polled,
        "delivered": vitals.delivered,
        "queued": vitals.queued,
        "dead": vitals.dead,
        "kept": vitals.kept,
        "down": to_builtins(vitals.down),
    }


def lag(vitals: Vitals, now: int) -> int | None:
    """Seconds by which the oldest letter that should be out is late; None when there is none."""
    return None if vitals.oldest is None else max(0, now - vitals.oldest)


def metrics(vitals: Vitals, now: int) -> Iterator[str]:
    """Lines of the exposition format, version 0.0.4; what has never happened is left out."""
    yield from _metric("pbem_games", "gauge", "Games by status.", _by("status", vitals.games, STATUSES))
    yield from _metric("pbem_awaited_answers", "gauge", "Answers that games wait for.", {"": vitals.awaited})
    yield from _metric("pbem_queue_letters", "gauge", "Letters that wait to be sent.", {"": vitals.queued})
    yield from _metric("pbem_queue_lag_seconds", "gauge", "Age of the oldest of them.", {"": lag(vitals, now) or 0})
    yield from _metric("pbem_dead_letters", "gauge", "Letters of ours that were given up.", {"": vitals.dead})
    yield from _metric("pbem_kept_letters", "gauge", "Letters to us that a person should look at.", {"": vitals.kept})
    letters = _by("fate", vitals.letters, FATES)
    yield from _metric("pbem_letters_total", "counter", "Letters to us by what became of them.", letters)
    yield from _metric("pbem_down", "gauge", "What is out of reach.", {f'{{what="{it}"}}': 1 for it in vitals.down})
    for name, told, at in (
        ("polled", "The last completed poll of the mailbox", vitals.polled),
        ("delivered", "The last letter of ours that was handed over", vitals.delivered),
        ("next_deadline", "The next deadline of an answer", vitals.next_deadline),
        ("written", "These figures", now),
    ):
        found = {} if at is None else {"": at}
        yield from _metric(f"pbem_{name}_timestamp_seconds", "gauge", f"{told}, in seconds since 1970.", found)


def _metric(name: str, kind: str, told: str, values: Mapping[str, int]) -> Iterator[str]:
    if values:
        yield f"# HELP {name} {told}"
        yield f"# TYPE {name} {kind}"
    for labels, value in values.items():
        yield f"{name}{labels} {value}"


def _by(label: str, counts: Mapping[str, int], always: tuple[str, ...]) -> dict[str, int]:
    every = {**dict.fromkeys(always, 0), **counts}
    return {f'{{{label}="{value}"}}': count for value, count in every.items()}


def _replace(file: Path, text: str) -> None:
    """World-readable, as the collector is another user; there is nothing secret in it."""
    with beside(file) as made:
        made.write_text(text, "utf-8")
        made.chmod(0o644)
        made.replace(file)
