"""A new command is one module and a row of the table: this one stands in no other file, as docs/develop has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.adapters.mail_renderer.renderer import _renderer
from pbem.adapters.manual import commands, manual
from pbem.core.languages import LANGUAGES
from pbem.core.refusal import Illegal
from pbem.games.imperial import GAME
from pbem.host.commands.aside import Query, QueryContext
from pbem.host.commands.table import COMMANDS
from pbem.host.messages.sections import Told
from pbem.language.command import Commands
from pbem.language.parser import parser_of
from pbem.render.wording import wording
from tests.service.bureau import Bureau


def _tell(context: QueryContext) -> Told:
    round_ = int(context.rest or 1)
    if not round_:
        raise Illegal("leap.never", read=context.rest)
    return Told(command="leap", facts={"round": round_, "seat": context.seat})


LEAP = Query(
    name="leap",
    words=("leap|jump", "Sprung", "salto"),
    behind="[NUMBER]",
    tell=_tell,
    texts={
        "help.leap.says": ("Tells of a leap.", "Nennt einen Satz.", "Dice di un balzo."),
        "help.leap.write": ("leap\nleap 3", "Sprung\nSprung 3", "salto\nsalto 3"),
        "answers.leap": (
            "{{ seat }} leaps over round {{ round }}.\nThat is all.",
            "{{ seat }} überspringt Runde {{ round }}.\nDas ist alles.",
            "{{ seat }} salta il giro {{ round }}.\nNon c’è altro.",
        ),
        "refusals.leap.never": (
            "No leap over “{{ read }}”.",
            "Kein Satz über „{{ read }}“.",
            "Nessuno su “{{ read }}”.",
        ),
    },
)


@pytest.fixture(autouse=True)
def _one_row_more(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    longer = Commands((*COMMANDS.by_name.values(), LEAP), COMMANDS.moderators, COMMANDS.requests)
    with monkeypatch.context() as patch:
        patch.setattr(COMMANDS, "__dict__", vars(longer))
        _forget()
        yield
    _forget()


def _forget() -> None:
    """What has been read and worded with another table."""
    parser_of.cache_clear()
    wording.cache_clear()
    _renderer.cache_clear()


def test_it_is_answered_in_three_languages(bureau: Bureau) -> None:
    for language, word, said, refused in (
        ("en", "jump 3", "anton leaps over round 3.\nThat is all.", "No leap over “0”."),
        ("de", "Sprung 3", "anton überspringt Runde 3.\nDas ist alles.", "Kein Satz über „0“."),
        ("it", "salto 3", "anton salta il giro 3.\nNon c’è altro.", "Nessuno su “0”."),
    ):
        bureau.write("anton", f"language {language}")
        (answer,) = bureau.write("anton", word)
        assert said in answer.text
        assert f">{said.splitlines()[0]}</p>" in answer.html
        (answer,) = bureau.write("anton", f"{word[:-1]}0")
        assert refused in answer.text
        assert bureau.outcomes("anton") == [("refused", "leap.never")]


def test_help_tells_of_it(bureau: Bureau) -> None:
    (answer,) = bureau.write("anton", "help leap")
    assert "Tells of a leap.\n\n    leap\n    leap 3" in answer.text
    (answer,) = bureau.write("anton", "Sprache Deutsch\nHilfe")
    assert "Sprung" in answer.text


def test_the_manual_and_the_page_of_commands_tell_of_it() -> None:
    assert "## leap\n\nAlso understood: jump, Sprung, salto.\n\nTells of a leap.\n\n    leap" in commands(
        GAME.presenter
    )
    for language, said in zip(LANGUAGES, LEAP.texts["help.leap.says"], strict=True):
        assert said in manual(GAME.presenter, language)
