"""The commands for whoever looks after a server, on the books of one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.adapters.store.sql import SqlStore
from pbem.service.ports import Post, RawLetter
from tests.test_cli import PEOPLE, folder, office, refused, said, settings

__all__ = ["folder", "office", "settings"]

ODD = b'From: "Eve" <eve@pbem.test>\r\nSubject: \x1b[2J boo\r\nMessage-ID: <odd@pbem.test>\r\n\r\nhello\r\n'


@pytest.fixture
def store(settings: Path) -> SqlStore:
    """The books of the server, with one letter that waits in each direction."""
    said("game", "new", *PEOPLE)
    store = SqlStore(f"sqlite:///{settings.parent / 'pbem.sqlite'}")
    raw = RawLetter(uid=1, uidvalidity=1, arrived=1_800_000_000, raw=ODD, size=len(ODD))
    with store.transaction() as books:
        books.note("<odd@pbem.test>", raw, sender="eve@pbem.test", subject="\x1b[2J boo", game=None, fate="fault")
        books.keep("<odd@pbem.test>", raw, 1_800_000_000, kept=True)
        lost = Post(id="imp-1.invitation.anton", to="anton@pbem.test", kind="letter", data=b"{}", created=5, due=5)
        books.post([Post(id="lost", to=lost.to, kind="report", data=b"{}", created=5, due=5)])
        books.bury("lost", "550 5.1.1 unknown")
    return store


def test_letters_that_need_a_person_are_listed_and_shown(store: SqlStore) -> None:
    kept, lost = said("letters", "list").splitlines()
    name = kept.split()[0]
    assert "\x1b" not in kept
    assert "fault" in kept
    assert "eve@pbem.test" in kept
    assert lost.startswith("lost  given up report")
    assert "550 5.1.1 unknown" in lost
    assert [each["name"] for each in json.loads(said("letters", "list", "--json"))] == [name, "lost"]
    shown = said("letters", "show", name)
    assert "id: <odd@pbem.test>" in shown
    assert "  hello" in shown.splitlines()
    assert said("letters", "show", "<odd@pbem.test>", "--raw").encode() in (ODD, ODD.replace(b"\r\n", b"\n"))
    assert "lost" in said("letters", "show", "lost")


def test_a_letter_is_tried_again_and_another_dropped(store: SqlStore) -> None:
    name = said("letters", "list").split()[0]
    assert said("letters", "retry", name, "lost") == f"{name}: letter.no_game\nlost: waits to be sent again\n"
    assert said("letters", "list") == ""
    with store.transaction() as books:
        books.bury("lost", "550")
    assert said("letters", "drop", "lost") == "lost: dropped\n"
    assert said("letters", "list") == ""


@pytest.mark.parametrize("words", [["show", "x"], ["retry", "x"], ["drop", "x"]])
def test_a_letter_there_is_not_is_told(store: SqlStore, words: list[str]) -> None:
    assert "No letter that waits is called x" in refused("letters", *words)
