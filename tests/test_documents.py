"""The documents: every example in them is tried, every link leads somewhere, every command can be called.

What stands behind a fence says how a block is tried, what stands in the comments around it where, and what then
(`tests.examples`):

- nothing: a letter by the player of the position, anton unless it says who; `prose`: one with other words in it;
- `orders`: each order by itself, all from that position; `words WHO`: each a letter to a server by itself;
- `mail WHO`, `answer`, `received WHO`: a correspondence with a server, that goes on till a block has a position again;
- `play`: a play file, and `json` after it what is shown of the state document; `eml` and `json`: what is read of a letter;
- `moments WHEN ZONE`, `spans WHEN ZONE`, `lengths`: dates as people write them, and what they mean, or the refusal;
- `options`: all terms with their defaults; `codes`: refusals that are public; `sh`: our commands.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import click
import pytest
from msgspec.structs import replace

from pbem.adapters.mime import as_document, read_letter
from pbem.cli.main import main
from pbem.core.languages import LANGUAGES
from pbem.core.refusal import Illegal, Refusal
from pbem.core.seat import Setup
from pbem.games import GAMES
from pbem.games.imperial.data.editions import imperial
from pbem.games.imperial.presentation.words import VOICE
from pbem.host.archive.replay import Replay
from pbem.host.calendar.moments import parse_length, parse_moment, parse_range
from pbem.host.commands.table import COMMANDS
from pbem.host.moderation.commands import MODERATOR_COMMANDS
from pbem.host.session.terms import Terms
from pbem.language.parser import Parser
from pbem.language.petitions import KINDS
from pbem.language.words import WORDS
from pbem.render.wording import Wording
from tests.examples import Example, examples
from tests.service.scene import Scene

CHECKOUT = Path(__file__).parents[1]
DOCS = CHECKOUT / "docs"
OWN = [*(DOCS / "reference").glob("*.md"), *(DOCS / "play").glob("*.md"), DOCS / "README.md", DOCS / "moderate.md"]
TRIED = sorted([*OWN, CHECKOUT / "README.md"])


def said(refusal: Refusal) -> str:
    return f"{refusal.code} {refusal.facts}"


def replayed(play: str) -> Replay:
    replay = Replay(play, GAMES, said)
    replay.run()
    return replay


# -- each kind of example ---


def try_letter(example: Example) -> None:
    """A letter that is read whole: nothing of it is passed over."""
    replayed(example.play)
    if example.writer != "moderator":
        reading = Parser(imperial(Setup()).notation, COMMANDS, ("anton", "bert", "claudia")).read(
            example.text.splitlines()
        )
        assert not reading.passed


def try_prose(example: Example) -> None:
    """A letter with other words in it."""
    replayed(example.play)


def try_orders(example: Example) -> None:
    """Each order by itself."""
    for order in example.orders:
        try_letter(replace(example, text=order))


def try_play(example: Example, *documents: Example) -> None:
    """A play file, and what is shown of the state document after it."""
    found = replayed(example.text).document()
    for shown in documents:
        check_shown(json.loads(shown.text), found)


def try_words(example: Example) -> None:
    """Each line a letter by itself."""
    who = example.words or (example.writer,)
    scene = Scene(example.position)
    for line in example.orders:
        scene.copy().try_(replace(example, kind="mail", text=line, words=who))


def check_shown(shown: object, found: object, path: str = "") -> None:
    """A page may leave out keys."""
    if not isinstance(shown, dict):
        assert shown == found, path
        return
    assert isinstance(found, Mapping), path
    for key, value in shown.items():
        check_shown(value, found[key], f"{path}.{key}")


def try_correspondence(*scene: Example) -> None:
    """Letters, one after another, and what comes of them."""
    played = Scene(scene[0].position)
    for example in scene:
        played.try_(example)


def try_raw_letter(letter: Example, read: Example) -> None:
    """A letter as it comes, and what is read from it."""
    assert as_document(read_letter(letter.text.encode())) == json.loads(read.text)


def try_codes(example: Example) -> None:
    """Each has a sentence in every language."""
    for language in LANGUAGES:
        wording = Wording(VOICE, language, html=False, commands=COMMANDS.sentences)
        assert all(wording.knows(f"refusals.{code}") for code in example.text.split())


def try_commands(example: Example) -> None:
    """Each is one of ours."""
    assert all(line.startswith("python3 -m pbem ") for line in example.orders)


def pairs(example: Example) -> Iterator[tuple[str, str]]:
    """What is written, and what it means."""
    for line in example.text.splitlines():
        written, _, meant = line.rpartition(" = ")
        yield written.strip(), meant.strip()


def try_lengths(example: Example) -> None:
    """Hours."""
    for written, meant in pairs(example):
        check_meant(written, meant, lambda text: [f"{parse_length(text) / 3_600:g}h"])


def try_moments(example: Example) -> None:
    """Instants, with when and in which zone they are written."""
    now, zone = written_at(example)
    for written, meant in pairs(example):
        check_meant(written, meant, lambda text: [shown(parse_moment(text, zone, now), zone)])


def try_spans(example: Example) -> None:
    now, zone = written_at(example)
    for written, meant in pairs(example):
        check_meant(written, meant, lambda text: [shown(at, zone) for at in parse_range(text, zone, now)])


def written_at(example: Example) -> tuple[int, str]:
    when, zone = example.words
    return int(datetime.fromisoformat(when).replace(tzinfo=ZoneInfo(zone)).timestamp()), zone


def shown(at: int, zone: str) -> str:
    return datetime.fromtimestamp(at, ZoneInfo(zone)).isoformat(timespec="minutes")


def check_meant(written: str, meant: str, read: Callable[[str], list[str]]) -> None:
    try:
        found = " ".join(read(written))
    except Illegal as refusal:
        found = f"! {refusal.code}"
    assert found == meant, written


def try_options(example: Example) -> None:
    """All terms there are, as they are by default."""
    told = dict(line.split(maxsplit=1) for line in example.orders)
    plain = Terms(setup=Setup())
    known = {key: getattr(plain, key) for key in Terms.__struct_fields__ if key != "setup"}
    assert {key: value.strip('"') for key, value in told.items()} == {
        key: ", ".join(map(str, value)) if isinstance(value, tuple) else str(value) for key, value in known.items()
    }


TRIALS: Mapping[str, Callable[..., None]] = {
    "": try_letter,
    "prose": try_prose,
    "orders": try_orders,
    "play": try_play,
    "words": try_words,
    "codes": try_codes,
    "sh": try_commands,
    "lengths": try_lengths,
    "moments": try_moments,
    "spans": try_spans,
    "options": try_options,
    "mail": try_correspondence,
    "received": try_correspondence,
    "eml": try_raw_letter,
}


def scenes(page: Path) -> Iterator[tuple[Example, ...]]:
    """The examples of a page; those that go on where another ended are tried with it."""
    scene: list[Example] = []
    for example in examples(page.read_text("utf-8")):
        if scene and not goes_on(scene[0], example):
            yield tuple(scene)
            scene = []
        scene.append(example)
    if scene:
        yield tuple(scene)


def goes_on(first: Example, example: Example) -> bool:
    """Does it belong to the one above?"""
    match first.kind, example.kind:
        case "play" | "eml", "json":
            return True
        case "mail" | "received", "mail" | "answer" | "received":
            return not example.before
        case _:
            return False


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(scene, id=f"{page.relative_to(CHECKOUT)}:{scene[0].line}")
        for page in TRIED
        for scene in scenes(page)
    ],
)
def test_example(scene: tuple[Example, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.core.chance.draw", lambda *_: 0)
    monkeypatch.setitem(GAMES, "empire", replace(GAMES["empire"], tag="imp"))  # type: ignore[attr-defined]
    TRIALS[scene[0].kind](*scene)


def test_every_word_has_an_example() -> None:
    page = (DOCS / "reference" / "order-language.md").read_text("utf-8")
    shown = " ".join(example.text for example in examples(page)).lower()
    keywords = {**imperial(Setup()).notation.keywords, **WORDS}  # play/commands.md has the commands
    idle = ("K_STAY", "K_OFF")  # they may as well be left out
    first = [ways[0].lower() for key, ways in keywords.items() if key.startswith("K_") and key not in idle]
    words = [*first, *(ways[0] for ways in KINDS.values())]
    assert [word for word in words if not re.search(rf"\b{word}\b", shown)] == []


def test_every_power_is_shown() -> None:
    shown = [
        power.command.name
        for example in examples((DOCS / "moderate.md").read_text("utf-8"))
        if "moderator" in example.words
        for order in example.orders
        for power in MODERATOR_COMMANDS.read(order.splitlines())[0]
        if not power.refusal
    ]
    assert set(shown) == {*MODERATOR_COMMANDS.by_name}


def test_every_letter_of_ours_is_told() -> None:
    page = (DOCS / "reference" / "procedure.md").read_text("utf-8")
    (section,) = re.findall(r"^## 10\. .*?(?=^## )", page, re.DOTALL | re.MULTILINE)
    told = {name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    kinds = {file.name.removesuffix(".txt.j2") for file in (CHECKOUT / "templates" / "mail").glob("*.txt.j2")}
    assert told == kinds - {"base", "part", "parts", "told"}


# -- commands and links ---

PAGES = sorted(page for folder in ("", "docs/**/", "games/**/") for page in CHECKOUT.glob(f"{folder}*.md"))
_FENCED = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"python3 -m pbem ((?:'[^'\n]*'|\"[^\"\n]*\"|[^\n`|;&>#'\"])+)")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))


@each_page
def test_every_command_can_be_called(page: Path) -> None:
    for words in _COMMAND.findall(page.read_text("utf-8")):
        check_command(shlex.split(words))


def check_command(words: list[str]) -> None:
    """The command is there, with these options and room for so many arguments; what they name need not be."""
    command: click.Command = main
    said = " ".join(words)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words[0])
        assert found, said
        command, words = found, words[1:]
    context = click.Context(command, info_name=said, resilient_parsing=False)
    try:
        _, left, _ = command.make_parser(context).parse_args(words)
    except click.UsageError as problem:
        raise AssertionError(f"{said}: {problem.message}") from problem
    assert not left or isinstance(command, click.Group), said


def anchors(page: Path) -> set[str]:
    """What a link may lead to inside a page, as GitHub names its headings."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in _LINK.findall(_FENCED.sub("", page.read_text("utf-8"))):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        file, _, anchor = link.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), link
        assert not anchor or anchor in anchors(there), link


# -- citations ---

_CITED = re.compile(r"(?<![\w./-])[\w./-]+\.md\b(?!\.j2)")
FOLDERS = ("pbem", "tests", "templates", "games", "docs", "bench", ".workshop")


def test_every_page_that_is_cited_is_there() -> None:
    files = [*CHECKOUT.glob("*.md"), *(file for folder in FOLDERS for file in (CHECKOUT / folder).rglob("*"))]
    held = {f"/{file.relative_to(CHECKOUT).as_posix()}" for file in files if file.suffix == ".md"}
    wrong = [
        (str(source.relative_to(CHECKOUT)), cited)
        for source in files
        if source.parent != CHECKOUT
        if source.suffix in (".py", ".md", ".yaml", ".j2", ".play")
        for cited in _CITED.findall(source.read_text("utf-8"))
        if not any(page.endswith(f"/{cited.removeprefix('./').replace('../', '')}") for page in held)
    ]
    assert wrong == []
