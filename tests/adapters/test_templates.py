"""Templates stand on their own: whatever a log may tell is told in each language, in letters and on the site."""

from __future__ import annotations

import json
import re
import types
from collections import abc
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from jinja2 import Environment, nodes
from msgspec import Struct
from msgspec.structs import replace

from pbem.adapters.mail_renderer import MailRenderer
from pbem.adapters.site import Site
from pbem.core.languages import LANGUAGES
from pbem.files import resource
from pbem.games import GAMES
from pbem.games.imperial import GAME
from pbem.games.imperial.presentation.presenter import PRESENTER
from pbem.games.imperial.presentation.words import VOICE
from pbem.host.archive.published import GameArchive, Held, volume
from pbem.host.governance import remarks
from pbem.host.messages import letters, parts, replies, sections
from pbem.host.reporting.notices import deeds, is_told
from pbem.host.session import petitions as council
from pbem.host.session.acts import Accepted, Act, Decided, Done, Paused, Resumed, Unwilling, entered
from pbem.host.session.identity import Place
from pbem.language.ballots import Vote
from pbem.language.petitions import Kind
from pbem.mail.mail_writer import Envelope
from tests.adapters.site_games import SHORT, Club

PLACE = Place(turn=12, seq=47, serial=31)
NOON = 1_772_539_200  # Tue 3 Mar 2026, 12:00 UTC
SIGNS = "Anton & <b>Bert</b>"
RAW = re.compile(r"\b(operator|clock|moderator Zoe|petition P-1)\b")  # who did it, as a log has it
WHO_AND_WHY = {"by": "zenobia", "why": "xanthippe"}
NAMELESS = (Accepted, Decided, Unwilling)  # done by somebody who has no name in the game, or by the count of the votes
# What may stand in a field of that name; else its type tells.
NAMED: Mapping[str, Sequence[Any]] = {
    "by": ("moderator Zoe", "operator", "clock", "petition P-1", "deputy", "bot", "anton"),
    "deputy": ("", "deputy", "claudia"),
    "seat": ("bert",),
    "kind": ("turn", "battle"),
    "about": (None, "italy"),
    **dict.fromkeys(("at", "start", "end", "until", "closes"), (NOON,)),
    "sets": ((), (("slot_hours", "48"),)),
    "electors": (("anton", "bert"),),
    "positions": ({}, {"bert": "italy"}),
    "code": ("treasury.short",),
    "facts": ({"nation": "italy", "needs": 5, "has": 3},),
    "lapsed": ((),),
}


def values(name: str, hint: Any) -> Sequence[Any]:
    """What a field may hold, the fullest last."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return [value for each in reversed(get_args(hint)) for value in values(name, each)]
    if hint is type(None):
        return [None]
    if name in NAMED:
        return NAMED[name]
    if get_origin(hint) is abc.Mapping:
        return [{}, {"bert": 2}]
    if get_origin(hint) is tuple:
        of = values(name, get_args(hint)[0])
        return [(), (of[-1],), (of[0], of[-1])]
    if isinstance(hint, type) and issubclass(hint, Struct):
        return [*samples(hint)]
    return {bool: (False, True), int: (0, 1, 2), str: ("", SIGNS)}[hint]


def samples(kind: type[Any]) -> Iterator[Any]:
    """Of any kind of struct: each of its fields with each value, and all with their fullest."""
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name in kind.__struct_fields__}
    fields = {name: values(name, hint) for name, hint in hints.items()}
    full = kind(**{name: each[-1] for name, each in fields.items()})
    for name, each in fields.items():
        yield from (replace(full, **{name: value}) for value in each[:-1])
    yield full


@cache
def acts() -> tuple[Act, ...]:
    return tuple(act for kind in get_args(Act) for act in samples(kind))


@cache
def petitions() -> tuple[parts.Petition, ...]:
    """Of each kind, as it stands and as it may have ended, with much and with little to tell."""
    bare = parts.Petition(
        name="P-1", kind="change", by="clock", title="", text="", sets=(), start=None, length=0, closes=NOON,
        status="open", ended=None, absolute=False, votes=dict.fromkeys(get_args(Vote), ()), silent=(), comments=(),
    )  # fmt: skip
    full = replace(
        bare, by="anton", title=SIGNS, text=SIGNS, sets=(("slot_hours", "48"),), start=NOON, length=172_800,
        absolute=True, votes=dict.fromkeys(get_args(Vote), ("anton", "bert")), silent=("claudia",),
        comments=(("bert", SIGNS),), seat="bert", found=True, named=True, vacant=True, rejected=SIGNS,
    )  # fmt: skip
    each = product((bare, full), get_args(Kind), (*get_args(council.Status), "void"))
    return tuple(
        replace(one, kind=kind, status=status, ended=None if status in ("open", "void") else NOON)
        for one, kind, status in each
    )


@cache
def said() -> tuple[parts.Remark, ...]:
    """How an order is read; objections, by what became of them."""
    read = parts.Remark(name="I-1", by="anton", seat="bert", turn=3, text=SIGNS)
    objected = replace(read, name="O-1", seat="", why=SIGNS)
    ruled = product(get_args(remarks.Status), ("moderator Zoe", "petition P-1", "P-1"))
    return (read, *(replace(objected, status=status, ruled=by) for status, by in ruled))


@pytest.fixture(scope="module")
def played() -> GameArchive:
    """A game with all of this in it."""
    club = Club()
    tag = club.play(SHORT, 4)
    with club.server.games.work() as desk:
        found = volume(desk, desk.game(tag), Held())
    assert found is not None
    done = tuple(Done(seq=5, at=NOON, turn=1, act=act) for act in acts())
    *turns, last = found.turns
    rules = replace(found.rules, rulings=petitions(), remarks=said())
    return replace(found, turns=(*turns, replace(last, done=done)), done=done, rules=rules)


def test_one_archive_holds_games_of_several_kinds(played: GameArchive, tmp_path: Path) -> None:
    """What is published of a game of the first kind does not tell it."""
    games = {**GAMES, "twin": replace(GAME, id="twin")}
    twin = replace(played, game="twin-1", setup=replace(played.setup, game="twin"))
    with Site(tmp_path, games).writing() as shelves:
        shelves.keep(played)
        shelves.keep(twin)
    first, second = (
        json.loads((tmp_path / f"data/games/{name}-1.json").read_text("utf-8")) for name in ("imp", "twin")
    )
    assert "kind" not in first["imp-1"]
    assert second["twin-1"]["kind"] == "twin"
    home = (tmp_path / "index.html").read_text("utf-8")
    assert all(f'data-game="{game}"' in home for game in ("imp-1", "twin-1"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_site_tells_all_that_a_log_may_hold(played: GameArchive, language: str, tmp_path: Path) -> None:
    with Site(tmp_path, GAMES, language=language).writing() as shelves:
        shelves.keep(played)
    game = (tmp_path / "imp-1/index.html").read_text("utf-8")
    turn = (tmp_path / f"imp-1/turn-{played.turns[-1].number}/index.html").read_text("utf-8")
    for page in (game, turn):
        assert SIGNS not in page
        assert language == "en" or not RAW.search(page)
        assert page.count('class="sent"') >= len(acts())
    assert game.count('class="line"') == len(petitions())
    assert game.count('class="line said"') == len(said())


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_tell_all_that_a_log_may_hold(played: GameArchive, language: str) -> None:
    pages = MailRenderer(PRESENTER, language)
    listed = sections.Petitions(open=petitions(), over=petitions(), remarks=said())
    history = sections.History(turns=(), more=None, deeds=deeds(played.done))
    parts = (listed, history, played.rules)
    contents = [
        replies.Reply(game="imp-1", seat="bert", lines=(), cut=(), on_file=(), awaited=(), told=parts),
        letters.Tally(game="imp-1", place=PLACE, seat="bert", petitions=petitions(), awaited=(), slot_hours=24),
        *(notice(act) for act in acts() if is_told(act)),
        *(halt(act) for act in acts() if isinstance(act, Paused | Resumed)),
    ]
    for content in contents:
        mail = pages.mail(content, Envelope(message_id="<1@pbem.test>", to="bert@pbem.test", tag="imp-1"))
        assert mail.html is not None
        assert SIGNS not in mail.html
        assert language == "en" or is_players(content) or not RAW.search(mail.html)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_names_who_did_it_and_why(language: str) -> None:
    pages = MailRenderer(PRESENTER, language)
    for kind in {type(act) for act in acts() if is_told(act)}:
        names = {name: text for name, text in WHO_AND_WHY.items() if name in kind.__struct_fields__}
        for act in (each for each in samples(kind) if is_told(each)):
            mail = pages.mail(
                notice(replace(act, **names)), Envelope(message_id="<1@pbem.test>", to="b@pbem.test", tag="imp-1")
            )
            unsaid = {name for name, text in names.items() if text not in mail.text or text not in (mail.html or "")}
            assert unsaid <= ({"by"} if kind in NAMELESS else set()), (kind.__name__, act)


def is_players(content: letters.Message) -> bool:
    """Does it tell what none but players and their deputies do?"""
    return isinstance(content, letters.Notice) and content.kind in ("interpreted", "away", "back", "consented")


def notice(act: Act) -> letters.Notice:
    return letters.Notice(
        game="imp-1", place=PLACE, seat="bert", kind=str(type(act).__struct_config__.tag), act=entered(act), dropped=(),
        after=None, awaited=(), slot_hours=24,
    )  # fmt: skip


def halt(act: Paused | Resumed) -> letters.Halt:
    resumed = isinstance(act, Resumed)
    start, end = (act.at, None) if isinstance(act, Resumed) else (act.start, act.end)
    return letters.Halt(
        game="imp-1", seat="bert", cause=act.cause, by=act.by, why=act.why, start=start, end=end, resumed=resumed,
        awaited=(),
    )  # fmt: skip


# -- templates ---


def templates() -> Mapping[str, nodes.Template]:
    """By the names under which they import one another."""
    folders = {name: resource("templates").joinpath(name) for name in ("mail", "mail/told", "site")}
    folders["game"] = resource(f"{VOICE.folder}/templates")
    syntax = Environment(autoescape=True)
    found = [(name, file) for name, folder in folders.items() for file in folder.iterdir()]
    return {
        f"{name}/{file.name}": syntax.parse(file.read_text("utf-8"))
        for name, file in found
        if file.name.endswith(".j2")
    }


def test_every_template_imports_the_parts_it_uses() -> None:
    """One that is included elsewhere must not rest on what is there."""
    known = templates()
    macros = {name: {macro.name for macro in tree.find_all(nodes.Macro)} for name, tree in known.items()}
    modules = {each.target for tree in known.values() for each in tree.find_all(nodes.Import)}
    for name, tree in known.items():
        own = {each.target: each.template.as_const() for each in tree.find_all(nodes.Import)}
        for call in tree.find_all(nodes.Call):
            of = call.node.node if isinstance(call.node, nodes.Getattr) else None
            if isinstance(of, nodes.Name) and of.name in modules:
                assert of.name in own, f"{name} uses {of.name}.{call.node.attr} and does not import it"
                assert call.node.attr in macros[own[of.name]], f"{own[of.name]} has no {call.node.attr}: {name}"
