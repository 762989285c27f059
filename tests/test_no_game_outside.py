"""Imperial's words stand in no folder but those of games: whatever serves all games is written without them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pbem.core.languages import LANGUAGES
from pbem.games.imperial.data.editions import display_names

CHECKOUT = Path(__file__).resolve().parent.parent
GAMES = CHECKOUT / "pbem" / "games"
TEXT = {".py", ".j2", ".yaml", ".css", ".js", ".svg"}
WORDS = {
    "en": "nation nations bond bonds rondel treasury treasuries fleet fleets army armies factory factories investor "
    "maneuver maneuvers taxation swiss",
    "de": "Staat Staaten Staates Anleihe Anleihen Kredit Kredite Krediten Staatskasse Flotte Flotten Armee Armeen "
    "Fabrik Fabriken Manöver Steuer Steuern Besteuerung",
    "it": "nazione nazioni obbligazione obbligazioni tesoro tesori flotta flotte armata armate fabbrica fabbriche "
    "investitore manovra manovre tassazione",
}
OTHERS = re.compile(r"Europe/\w+|\w+_factory\w*")  # zones of time, and what Python calls a factory
WORD = re.compile(r"[^\W_]+")
ALLOWED = {
    "pbem/games/__init__.py": "the list of games",
    "pbem/cli/main.py": "what the program is for",
    "pbem/cli/games.py": "examples that operators read in the help of a command",
    "pbem/cli/trying.py": "the game that the demo plays unless it is told another",
    "pbem/cli/moderator.py": "examples that operators read in the help of a command",
}


def test_what_serves_all_games_has_no_word_of_one() -> None:
    assert sorted(_found()) == sorted(ALLOWED)


def _found() -> Iterator[str]:
    plain = {_plain(word) for word in _words()}
    several = [word for word in plain if len(word.split()) > 1]
    one = {word.strip() for word in plain}
    for file in [*(CHECKOUT / "pbem").rglob("*"), *(CHECKOUT / "templates").rglob("*")]:
        if file.suffix in TEXT and GAMES not in file.parents[1:]:
            text = _plain(OTHERS.sub("", file.read_text("utf-8")))
            if not one.isdisjoint(text.split()) or any(words in text for words in several):
                yield str(file.relative_to(CHECKOUT))


def _plain(text: str) -> str:
    """Its words alone, each between blanks."""
    return " ".join(["", *WORD.findall(text.lower()), ""])


def _words() -> set[str]:
    """Of things, of nations and of regions; their ids, too."""
    own = {word for line in WORDS.values() for word in line.split()} | {"imperial", "austria"}
    for language in LANGUAGES:
        names = display_names(language)
        own |= {name for kind in ("nations", "regions") for each in names[kind].items() for name in each}
    return own
