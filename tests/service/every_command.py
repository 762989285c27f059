"""Every command of the language as somebody may write it, made of the language's own tables.

A new word, power or kind of petition is among them by itself; one that needs something behind it fails here until
somebody says what.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.host.commands.personal import CHOICES
from pbem.host.commands.records import SHEETS
from pbem.host.commands.table import COMMANDS
from pbem.host.lobby import addresses
from pbem.host.moderation.commands import MODERATOR_COMMANDS
from pbem.language import answers, ballots, petitions
from pbem.language.words import HEADS, LANGUAGE_NAMES
from tests.service.bureau import OPERATOR

PLAYER, MODERATOR, STRANGER = "anton", "zoe@players.test", "yan@players.test"

# What stands behind a word of the host; "" alone where it stands alone. Words that only go on with others are left out.
BEHIND = {
    "K_PLAY": ("", "bert", "bert witness claudia"),
    "K_ROLLOUT": ("", "bert", "bert witness claudia"),
    "K_STANDING": ("", "none", "none fight", "fight", "force germany", "invest italy 12", "peace"),
    "K_ADVANCE": ("austria: import A lemberg", "italy: investor"),
    "K_DRAFT": ("", "austria: import A lemberg"),
    "K_PREVIEW": ("", "austria: import A lemberg"),
    "K_HELP": ("", "maneuver", "moderator"),
    "K_HISTORY": ("", "1"),
    "K_LANGUAGE": ("", *(name for names in LANGUAGE_NAMES.values() for name in names[:2])),
    "K_ZONE": ("", "Europe/Berlin", "UTC"),
    "K_ADDRESS": ("", "a@y.test", "b@y.test", *(f"{word} a@y.test" for word in addresses.REMOVE)),
    "K_RECORDS": ("", "france 1", *(way for ways in SHEETS.values() for way in ways)),
    "K_MOVEORDER": ("", "1"),
    "K_PRESS": ("", "to all: hello", "to bert, claudia: hello"),
    "K_REPORTS": ("", *(f"{ways[0]} 18:00" if kind == "digest" else ways[0] for kind, ways in CHOICES.items())),
    "K_CALENDAR": ("", "yes", "no"),
    "K_AWAY": ("", "none", "from 1.2. to 9.2.", "until tomorrow", "until tomorrow deputy bert"),
}
INSIDE = ("K_WITNESS",)
FIELDS = {
    "seat": "bert",
    "turn": "1",
    "address": "xaver@players.test",
    "who": "bert",
    "whom": "xaver@players.test",
    "start": "24.12. 18:00",
    "until": "26.12. 18:00",
    "scoring": "with scores",
    "name": "xaver",
    "key": "forced_limit",
    "petition": "P-1",
    "choice": "yes",
    "objection": "O-1",
    "time": "24.12. 18:00",
    "length": "2 days",
    "value": "3",
    "consent": "all",
    "given": "treasury italy 17",
}
ORDERS = (
    "austria: import A lemberg",
    "österreich: Produktion",
    "austria: investitore",
    "give austria 1",
    "invest none",
    "fight",
    "let pass",
    "as bert: italy: investor",
    "join",
)


def of_players() -> Iterator[str]:
    """All that a player may write in a game that runs."""
    yield from ORDERS
    for terminal, ways in COMMANDS.words.items():
        for word in ways if terminal not in INSIDE else ():
            yield from (f"{word} {behind}".strip() for behind in BEHIND.get(terminal, ("",)))
    for kind, ways in petitions.KINDS.items():
        said = {"suspend": "2 days why not", "replace": "bert by yan@players.test: he sleeps"}.get(kind, "why not")
        yield from (
            f"{head} {way} {said}" for head, way in zip(("petition", "Antrag", "petizione"), ways, strict=False)
        )
    yield "petition change slower\nSET slot_hours = 48\nend petition"
    for words in ballots.VOTES.values():
        yield from (f"{word} P-1" for word in words)
    yield from (f"{word} P-1" for word in HEADS["withdraw"])
    yield from (f"{word} bert 1: it is so" for word in HEADS["interpret"])
    yield from (f"{word} R-1: it is not so" for word in HEADS["object"])
    yield from answers.DEPUTY.ways


def of_moderators() -> Iterator[str]:
    """Each form of each power, with a reason and without."""
    for name, command in MODERATOR_COMMANDS.by_name.items():
        for form in command.forms:
            said = " ".join(_word(word) for word in form.split())
            yield f"{said}: italy: investor" if name == "act_for" else f"{said}: it must be"
    yield from ("pause", "resume", "announce: hello\nall of you", "status", "end")


def of_gatherings() -> Iterator[str]:
    """What members say before a game begins."""
    yield from (*answers.INVITATION.ways, *answers.DEPUTY.ways, "status", "language de", "away until tomorrow")
    yield from of_moderators()


def of_strangers() -> Iterator[str]:
    """What anybody may write out of the blue, or when asked."""
    for asked in COMMANDS.requests.by_name.values():
        words = (word for ways in asked.words for word in ways.split("|"))
        yield from (f"{word} imp-1" if asked.takes == "game" else word for word in words)
    yield from ("new game players 4 hours 48", *answers.INVITATION.ways, *answers.DEPUTY.ways, "status", "hello")
    yield from (word for question in addresses.QUESTIONS.values() for word in question.ways)


def _word(word: str) -> str:
    return FIELDS[word[1:-1]] if word.startswith("{") else word.split("|", maxsplit=1)[0]


# What takes something back, and what it takes back.
PAIRS = (
    (PLAYER, "address a@y.test", "address b@y.test"),
    (PLAYER, "address a@y.test", "address remove a@y.test"),
    (PLAYER, "away from 1.2. to 9.2.", "away none"),
    (PLAYER, "away until tomorrow deputy w@y.test", "away none"),
    (PLAYER, "petition abort: why not", "withdraw P-2"),
    (PLAYER, "petition replace bert by yan@players.test: he sleeps", "withdraw P-2"),
    (PLAYER, "for P-1", "against P-1"),
    (PLAYER, "draft austria: import A lemberg", "cancel"),
    (PLAYER, "advance austria: investor", "cancel"),
    (PLAYER, "standing fight", "standing none"),
    (PLAYER, "standing fight", "standing peace"),
    (PLAYER, "language de", "language en"),
    (PLAYER, "zone Europe/Berlin", "zone UTC"),
    (PLAYER, "calendar yes", "calendar no"),
    (PLAYER, "page yes", "page no"),
    (PLAYER, "reports digest 18:00", "reports all"),
    (PLAYER, "press to all: hello", "press to all: hello"),
    (STRANGER, "waiting list", "leave the waiting list"),
    (MODERATOR, "pause 2 days: it must be", "resume: go on"),
    (MODERATOR, "pause: it must be", "resume: go on"),
    (MODERATOR, "eject bert: it must be", "seat bert yan@players.test"),
    (MODERATOR, "replace bert by yan@players.test: so", "replace bert by bert@players.test: so"),
    (MODERATOR, "bot bert: it must be", "no bot bert: go on"),
    (MODERATOR, "validate P-1: so", "reject P-1: so"),
    (MODERATOR, "uphold O-1: so", "dismiss O-1: so"),
    (MODERATOR, "rewind to turn 1: so", "roll forward: so"),
    (MODERATOR, "extend anton 12h: so", "deadline anton 24.12. 18:00: so"),
    (MODERATOR, "promote bert: so", "hand over to zoe@players.test: so"),
    (OPERATOR, "close turn 1: so", "rewind to turn 1: so"),
)
