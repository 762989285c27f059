"""The documents: every example in them is tried, every link leads somewhere, every command can be called."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from pbem.adapters.mime import as_document, read_letter
from pbem.bootstrap import BOTS
from pbem.cli.main import main
from pbem.core.refusal import Refusal
from pbem.core.seat import Setup
from pbem.games.imperial.data.editions import imperial
from pbem.host.archive.replay import Replay
from pbem.language.commands import LANGUAGES
from pbem.language.parser import Reader
from pbem.render.wording import Wording
from tests.examples import Example, examples
from tests.service.scene import Scene

CHECKOUT = Path(__file__).parents[1]
TRIED = sorted([*(CHECKOUT / "docs" / "reference").glob("*.md")])


def said(refusal: Refusal) -> str:
    return f"{refusal.code} {refusal.facts}"


def replayed(play: str) -> Replay:
    replay = Replay(play, imperial, said, bots=BOTS)
    replay.run()
    return replay


# -- each kind of example ---


def try_letter(example: Example) -> None:
    """A letter that is read whole: nothing of it is passed over."""
    replayed(example.play)
    if example.writer != "moderator":
        reading = Reader(imperial(Setup()).phrases, ("anton", "bert", "claudia")).read(example.text.splitlines())
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
    scene = Scene(example.position)
    for line in example.orders:
        scene.copy().try_(replace(example, kind="mail", text=line, words=(example.writer,)))


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
    first = scene[0]
    played = Scene(first.before if first.before.startswith("begin ") else first.position)
    for example in scene:
        played.try_(example)


def try_raw_letter(letter: Example, read: Example) -> None:
    """A letter as it comes, and what is read from it."""
    assert as_document(read_letter(letter.text.encode())) == json.loads(read.text)


def try_codes(example: Example) -> None:
    """Each has a sentence in every language."""
    for language in LANGUAGES:
        wording = Wording("imperial", language, html=False)
        assert all(wording.knows(f"refusals.{code}") for code in example.text.split())


def try_commands(example: Example) -> None:
    """Each can be called, with these options and arguments."""
    for line in example.orders:
        check_command(line)


def check_command(line: str) -> None:
    command: click.Command = main
    python, _, pbem, *words = shlex.split(line)
    assert (python, pbem) == ("python3", "pbem"), line
    context = command.make_context(pbem, words)
    while isinstance(command, click.Group):
        name, found, words = command.resolve_command(context, [*context._protected_args, *context.args])
        assert found is not None
        assert name is not None
        command, context = found, found.make_context(name, words, parent=context)


KINDS: Mapping[str, Callable[..., None]] = {
    "": try_letter,
    "prose": try_prose,
    "orders": try_orders,
    "play": try_play,
    "words": try_words,
    "codes": try_codes,
    "sh": try_commands,
    "mail": try_correspondence,
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
        case ("play" | "eml", "json") | ("mail", "answer" | "received"):
            return True
        case "mail", "mail":
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
    KINDS[scene[0].kind](*scene)
