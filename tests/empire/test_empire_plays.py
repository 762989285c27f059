"""The worked examples of Empire and its plays, each as a play file."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from pbem.core.languages import LANGUAGES
from pbem.core.log import write
from pbem.core.refusal import Refusal
from pbem.games import GAMES
from pbem.games.empire.presentation.words import VOICE
from pbem.games.empire.rules.options import OPTIONS
from pbem.host.archive.replay import Replay
from pbem.host.commands.table import COMMANDS
from pbem.render.wording import Wording
from tests.examples import examples
from tests.fakes import broken_link

CHECKOUT = Path(__file__).parents[2]
PAGE = CHECKOUT / "docs" / "reference" / "empire" / "examples.md"
PLAYS = CHECKOUT / "tests" / "plays_empire"
FILES = sorted(PLAYS.rglob("*.play"))
HEAD, *BLOCKS = examples(PAGE.read_text("utf-8"))
TITLES = re.findall(r"^### (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
RULINGS = (CHECKOUT / "games" / "empire" / "RULINGS.md").read_text("utf-8")
RULES = (CHECKOUT / "docs" / "reference" / "empire" / "rules.md").read_text("utf-8")
WORDINGS = [Wording(VOICE, language, html=False, commands=COMMANDS.sentences) for language in LANGUAGES]
LANGUAGE = (CHECKOUT / "docs" / "reference" / "empire" / "language.md").read_text("utf-8")
HAS_SETUP = re.compile(r"^setup\b", re.MULTILINE)


def words(refusal: Refusal) -> str:
    return f"{refusal.code} {refusal.facts}"


def check(play: str) -> None:
    """It goes as it says, its log holds together, and all that happens in it, and what is drawn, can be told in each language."""
    replay = Replay(play, GAMES, words)
    replay.run()
    assert broken_link(map(write, replay.record.entries)) is None
    for event in (msgspec.to_builtins(event) for entry in replay.record.entries for event in entry.events):
        for wording in WORDINGS:
            assert wording.event(event) is not None
    for purpose in {draw.purpose for entry in replay.record.entries for draw in entry.draws}:
        for wording in WORDINGS:
            told = wording.event({"type": "Rolled", "purpose": purpose, "faces": [1], "result": ""})
            assert told is not None
            assert purpose not in told


def with_head(block: str) -> str:
    """As the page says: a block that names its set-up takes only what stands above it in the head."""
    head = HEAD.text.splitlines()
    return "\n".join([*(head[:3] if HAS_SETUP.search(block) else head), block, ""])


def test_examples_go_as_they_say(subtests: pytest.Subtests) -> None:
    for title, block in zip(TITLES, BLOCKS, strict=True):
        with subtests.test(title):
            check(with_head(block.text))


def test_examples_are_numbered() -> None:
    assert [int(title.split(".")[0]) for title in TITLES] == [*range(1, len(TITLES) + 1)]


@pytest.mark.parametrize("folder", sorted({file.parent.name for file in FILES}))
def test_plays_go_as_they_say(folder: str, subtests: pytest.Subtests) -> None:
    for file in sorted((PLAYS / folder).glob("*.play")):
        with subtests.test(file.stem):
            check(file.read_text("utf-8"))


def test_plays_are_titled() -> None:
    """By what they show, and whose rules; behind that the codes and values that are in them."""
    titles = {file.stem: file.read_text("utf-8").splitlines()[0] for file in FILES}
    assert [told for told in titles.items() if not re.fullmatch(r"# .{,150} \[[^]]+\].{,60}", told[1])] == []


def test_every_value_of_an_option_is_played() -> None:
    texts = [file.read_text("utf-8") for file in FILES] + [block.text for block in BLOCKS]
    said = {tuple(found) for text in texts for found in re.findall(r"^option +(\w+) +(\S+)$", text, re.MULTILINE)}
    wanted = {(key, value) for key, option in OPTIONS.items() for value in option.values if value != option.default}
    assert wanted - said == set()


def test_every_row_and_option_of_the_rules_is_on_the_rulings_page() -> None:
    section = RULES[RULES.index("## 21.") :]
    rows = re.findall(r"^\| ([GR]-\d+) \|", section, re.MULTILINE)
    assert [row for row in rows if f"\n| {row} |" not in RULINGS] == []
    assert [key for key in OPTIONS if not re.search(rf"`{key} ", RULINGS) and key != "lateness"] == []


def test_every_play_and_example_of_the_rulings_page_is_there() -> None:
    named = re.findall(r"`([\w/]+\.play)`", RULINGS)
    assert named
    assert [play for play in named if not (PLAYS / play).is_file()] == []
    numbers = {title.split(".")[0] for title in TITLES}
    cited = " ".join(re.findall(r"examples? [^|`]*", RULINGS))
    assert set(re.findall(r"\b\d{2,3}\b", cited)) <= numbers


IN_LETTERS = {"preview.die"}  # a note of `preview`
DECIDES_NOTHING = {
    "E6.1": "that records are kept; who sees what is hidden is tested for each view",
    "E6.2": "what a sheet shows of what other rules decide",
    "E6.3": "the same",
    "E6.4": "it says that rules of the typescript have no object here",
    "E6.5": "the house's procedure, which has its own plays",
}


def test_every_refusal_is_played() -> None:
    """Each code of the language's section 10 stands in a play or an example."""
    codes = re.findall(r"`([a-z_]+\.[a-z_]+)`", LANGUAGE[LANGUAGE.index("## 10.") :])
    texts = [file.read_text("utf-8") for file in FILES] + [block.text for block in BLOCKS]
    shown = {code for text in texts for code in re.findall(r"^ *! (\S+)", text, re.MULTILINE)}
    assert len(codes) > 80
    assert set(codes) - shown - IN_LETTERS == set()


def test_every_rule_is_cited() -> None:
    """By a play or an example, but for those that decide nothing."""
    rules = re.findall(r"^- \*\*(E\d+\.\d+)\*\*", RULES, re.MULTILINE)
    titles = [*TITLES, *(file.read_text("utf-8").splitlines()[0] for file in FILES)]
    cited = set(re.findall(r"\bE\d+\.\d+\b", " ".join(titles)))
    assert len(rules) == 224
    assert cited <= set(rules)
    assert set(rules) - cited - {*DECIDES_NOTHING} == set()
