"""YAML that people write: what it means, what is refused, and what is said about it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import yaml
from pydantic import AfterValidator, Field, ValidationInfo

from pbem import files
from pbem.files import ConfigError, StrictModel, fit, load_as, read_yaml, resource


class Player(StrictModel):
    name: str
    email: str
    time_zone: str = "UTC"


class Sea(StrictModel):
    kind: Literal["calm", "stormy"]
    depth: float = 1.0


def _even(value: int, info: ValidationInfo) -> int:
    if value % 2:
        raise ValueError(f"should be even for {(info.context or {}).get('whom', 'us')}")
    return value


class Table(StrictModel):
    title: str
    seats: int = Field(ge=2, le=6)
    players: tuple[Player, ...] = ()
    seas: Mapping[str, Sea] = {}
    bonds: Mapping[int, int] = {}
    open: bool = True
    folder: Path = Path()
    sender: str = Field("", alias="from")
    pairs: Annotated[int, AfterValidator(_even)] = 2
    places: int = Field(default_factory=lambda known: known["seats"])


def problems(text: str, model: type[StrictModel] = Table, **context: Any) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as refused:
        load_as(model, text, "t.yaml", context)
    assert str(refused.value) == "\n".join(refused.value.problems)
    return refused.value.problems


@pytest.fixture(params=["libyaml", "pure Python"])
def _both_parsers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure Python":
        monkeypatch.setattr(files, "_LOADER", yaml.BaseLoader)


pytestmark = pytest.mark.usefixtures("_both_parsers")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("no", "no"), ("yes", "yes"), ("on", "on"), ("off", "off"), ("y", "y"), ("NO", "NO"),
        ("true", True), ("False", False), ("'true'", "true"),
        ("12:30", "12:30"), ("24:00:00", "24:00:00"), ("010", "010"), ("1_000", "1_000"), ("0x1f", "0x1f"),
        ("0o17", "0o17"), ("0b1", "0b1"), ("0", 0), ("-7", -7), ("+7", 7), ('"7"', "7"),
        ("9" * 18, 10**18 - 1), ("9" * 5000, "9" * 5000), ("1.5", 1.5), ("-.5", -0.5), ("1.", 1.0),
        ("1e3", 1000.0), ("00.5", "00.5"), (".", "."), ("e3", "e3"), (".e3", ".e3"), ("-", [None]),
        (".inf", ".inf"), (".nan", ".nan"), ("1.2.3", "1.2.3"), ("2026-11-21", "2026-11-21"),
        ("~", None), ("null", None), ("", None), ("''", ""), ("=", "="), ("<<", "<<"),
        ("|\n  7\n", "7\n"), ("٣", "٣"), ("[no, 3]", ["no", 3]), ("{no: on, 2: 9}", {"no": "on", 2: 9}),
        ("{true: 1, 'no': 2, ~: 3, 010: 4, '5': 6}", {"true": 1, "no": 2, "~": 3, "010": 4, "5": 6}),
    ],
)  # fmt: skip
def test_scalars_mean_what_they_look_like(written: str, meant: object) -> None:
    value = read_yaml(f"key: {written}" if written != "-" else "key:\n-", "t.yaml").value["key"]
    assert (type(value), value) == (type(meant), meant)


@pytest.mark.parametrize("text", ["", "# nothing but a remark\n", "---\n", "~"])
def test_an_empty_file_is_an_empty_section(text: str) -> None:
    assert read_yaml(text, "t.yaml").value == {}


def test_a_good_file_becomes_a_value() -> None:
    text = "title: no\nseats: 3\nplayers: [{name: Ann, email: a@b}]\nbonds: {2: 1}\nfolder: a/b\nfrom: me\n"
    table = load_as(Table, text, "t.yaml")
    assert (table.title, table.players[0].name, table.bonds[2]) == ("no", "Ann", 1)
    assert (table.folder, table.sender, table.places) == (Path("a/b"), "me", 3)


def test_all_mistakes_are_told_at_once_and_in_order() -> None:
    text = """\
title: 12
seats: 9
titel: x
players:
  - name: Ann
    emial: a@b
  - name: [Bob]
    email: b@c
    time_zone:
seas:
  north: {kind: wild, depth: deep}
bonds: {two: 1, 3: x}
open: yes
from: true
pairs: 3
"""
    assert problems(text, whom="Ann") == (
        "t.yaml:1:8: title: should be text, but is 12",
        "t.yaml:2:8: seats: should be at most 6, but is 9",
        "t.yaml:3:1: titel: is not known here; did you mean title?",
        "t.yaml:5:5: players.0.email: is missing",
        "t.yaml:6:5: players.0.emial: is not known here; did you mean email?",
        "t.yaml:7:11: players.1.name: should be text, but is a list",
        "t.yaml:9:15: players.1.time_zone: should be text, but is empty",
        "t.yaml:11:17: seas.north.kind: should be 'calm' or 'stormy', but is the text \"wild\"",
        't.yaml:11:30: seas.north.depth: should be a number, but is the text "deep"',
        't.yaml:12:14: bonds.two: should be a whole number, but is the text "two"',
        't.yaml:12:20: bonds.3: should be a whole number, but is the text "x"',
        't.yaml:13:7: open: should be true or false, but is the text "yes"',
        "t.yaml:14:7: from: should be text, but is true",
        "t.yaml:15:8: pairs: should be even for Ann",
    )


def test_a_missing_key_points_at_its_section() -> None:
    assert problems("seats: 3\nseas:\n  north:\n    depth: 1\n") == (
        "t.yaml:1:1: title: is missing",
        "t.yaml:3:3: seas.north.kind: is missing",
    )
    assert problems("") == ("t.yaml:1:1: title: is missing", "t.yaml:1:1: seats: is missing")


def test_a_section_of_the_wrong_kind() -> None:
    assert problems("title: a\nseats: 2\nplayers: {}\nseas: [1]\n") == (
        "t.yaml:3:10: players: should be a list, but is a section",
        "t.yaml:4:7: seas: should be a section with keys of its own, but is a list",
    )
    assert problems("- 1") == ("t.yaml:1:1: should be a section with keys of its own, but is a list",)


def test_an_unknown_key_like_nothing_known_lists_what_is() -> None:
    (told,) = problems("kind: calm\nzzz: 1\n", Sea)
    assert told == "t.yaml:2:1: zzz: is not known here, only kind, depth"


def test_a_key_given_twice_is_told_beside_the_rest() -> None:
    assert problems("title: a\nseats: 3\ntitle: b\nbonds: {2: x, '2': y}\n") == (
        "t.yaml:3:1: title: stands here a second time",
        "t.yaml:4:15: bonds.2: stands here a second time",
        't.yaml:4:20: bonds.2: should be a whole number, but is the text "y"',
    )
    with pytest.raises(ConfigError, match=r"^t.yaml:1:11: a.b: stands here a second time$"):
        read_yaml("a: {b: 1, b: 2}", "t.yaml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: &x 1\nb: 2\n", "t.yaml:1:4: anchors"),
        ("a: 1\nb: *x\n", "t.yaml:2:4: anchors"),
        ("a: !!python/object/apply:os.system [ls]\n", "t.yaml:1:4: tags"),
        ("a: !!str 12\n", "t.yaml:1:4: tags"),
        ("a: ! x\n", "t.yaml:1:4: tags"),
        ("&a b: 1\n", "t.yaml:1:1: anchors"),
        ("[a, b]: 1\n", "t.yaml:1:1: a key can only be a word or a number"),
        ("a: 1\n---\nb: 2\n", "t.yaml:2:1: a second document"),
        ("a: 1\nb: \x07\n", "t.yaml:2:4: a character that can't be seen"),
        ("a: [1\nb: 2\n", "t.yaml:2:2: "),
        ("a: 'x\n", "t.yaml:2:1: "),
        ("a: 1\n\tb: 2\n", "t.yaml:"),
        ("a: b: c\n", "t.yaml:1:5: "),
    ],
)
def test_what_stops_the_reading_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_yaml(text, "t.yaml")
    (problem,) = refused.value.problems
    assert problem.startswith(told)


def test_values_of_a_union_are_told_without_naming_types() -> None:
    class Loose(StrictModel):
        size: int | str

    assert problems("size: 1.5", Loose) == (
        "t.yaml:1:7: size: should be a whole number, but is 1.5",
        "t.yaml:1:7: size: should be text, but is 1.5",
    )


def test_pages_put_together_still_know_their_files() -> None:
    old, new = read_yaml("title: a\nseats: 1\n", "old.yaml"), read_yaml("title: 2\n", "new.yaml")
    page = files.YamlDocument(old.value | new.value, {**old.places, **new.places})
    with pytest.raises(ConfigError) as refused:
        fit(Table, page)
    assert refused.value.problems == (
        "new.yaml:1:8: title: should be text, but is 2",
        "old.yaml:2:8: seats: should be at least 2, but is 1",
    )


def test_the_programs_own_files_are_found_in_the_checkout() -> None:
    assert (resource("games") / "imperial").is_dir()
    assert resource("templates").is_dir()


def test_the_programs_own_files_are_found_in_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_data" / "games").mkdir(parents=True)
    monkeypatch.setattr(files, "files", lambda _: tmp_path)
    assert resource("games") == tmp_path / "_data" / "games"


@pytest.mark.parametrize("path", sorted(Path(__file__).parents[1].glob("games/**/*.yaml")), ids=lambda path: path.stem)
def test_our_own_files_can_be_read(path: Path) -> None:
    assert read_yaml(path.read_text("utf-8"), path.name).value
