"""The pages for operators: what they say of the program is so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from pbem.adapters.metrics import metrics
from pbem.host.keeping import Vitals
from pbem.host.messages.alarms import Relief, Trouble

CHECKOUT = Path(__file__).parent.parent
PAGES = CHECKOUT / "docs" / "operate"
RUNBOOK = (PAGES / "runbook.md").read_text("utf-8")
LOGGED = re.compile(r'log\.(?:warning|error|exception)\(\s*"(.*?)"')


def sections(page: str) -> dict[str, str]:
    """The text under each heading, by the heading's anchor."""
    parts = re.split(r"^#+ (.+)$", page, flags=re.MULTILINE)[1:]
    return {
        name.lower().replace(" ", "-").replace("'", ""): text for name, text in zip(*[iter(parts)] * 2, strict=True)
    }


def blanked(sentence: str) -> str:
    """With … for what differs each time."""
    return re.sub(r"\{\w+\}|%s", "…", sentence)


# -- the runbook ---


def test_every_alarm_has_a_section_and_every_relief_is_told() -> None:
    found = sections(RUNBOOK)
    for one in Trouble:
        sentence = blanked(one).replace("……", "…")
        assert f"\n> {sentence}\n" in found.get(one.name, ""), f"{one.name}: {sentence}"
    assert [one for one in Relief if f"\n> {one}\n" not in RUNBOOK] == []


def test_every_warning_of_the_log_is_told() -> None:
    logged = {
        blanked(said) for file in (CHECKOUT / "pbem").rglob("*.py") for said in LOGGED.findall(file.read_text("utf-8"))
    }
    assert len(logged) > 10
    assert [said for said in sorted(logged) if f"| `{said}` |" not in RUNBOOK] == []


# -- the alert rules ---


def alerts() -> Iterator[dict[str, object]]:
    for group in yaml.safe_load((PAGES / "alerts.yml").read_text("utf-8"))["groups"]:
        yield from group["rules"]


def test_every_metric_of_an_alert_is_one_that_is_written() -> None:
    every = Vitals(
        games={},
        awaited=0,
        next_deadline=1,
        queued=0,
        oldest=1,
        dead=0,
        kept=0,
        polled=1,
        delivered=1,
        letters={},
        down={"mailbox": 1},
    )
    written = {line.split()[2] for line in metrics(every, 1) if line.startswith("# TYPE")}
    for rule in alerts():
        named = set(re.findall(r"pbem_\w+", str(rule["expr"])))
        assert named, rule
        assert named <= written, rule


def test_every_alert_leads_to_a_section_of_the_runbook() -> None:
    for rule in alerts():
        page, _, section = rule["annotations"]["runbook"].partition("#")  # type: ignore[index]
        assert (page, section in sections(RUNBOOK)) == ("docs/operate/runbook.md", True), rule
