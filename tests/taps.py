"""Somebody who plays with a thumb alone: follows the links in letters, and what the page to order from offers."""

from __future__ import annotations

import json
import random
import re
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from lxml import html
from msgspec import Struct

from pbem.adapters.mail_renderer.sections import WELCOME
from pbem.games import GAMES
from pbem.host.commands.table import COMMANDS
from pbem.host.ports import Mail
from pbem.host.session.identity import Identity
from pbem.render.order_page import order_page
from tests.service.bureau import HOST, IDENTITY, NAMES, Bureau, address

NO_TAGS = Identity(key=IDENTITY.key, address=HOST, tags=False)
ARCHIVE = "https://games.example/"
PLAYERS = dict(zip(NAMES, ("en", "de", "it", "en"), strict=False))  # and what each reads
VOTE = re.compile(r"\bP-\d+")


class Tap(Struct, frozen=True):
    """What a mail program makes of a link: nothing else than this is in the letter."""

    to: str
    subject: str
    body: str


def tap(link: str) -> Tap:
    """RFC 6068."""
    url = urlsplit(link)
    query = parse_qs(url.query)
    return Tap(unquote(url.path), query["subject"][0], query["body"][0])


def links(mail: Mail) -> Sequence[str]:
    """All that can be tapped in a letter."""
    return [str(link) for link in html.document_fromstring(mail.html or "<p>").xpath("//a/@href")]


def answers(mail: Mail, *, votes: bool = False) -> Sequence[Tap]:
    """The letters that its links make, on petitions or to questions."""
    found = [tap(link) for link in links(mail) if link.startswith("mailto:")]
    return [one for one in found if bool(VOTE.search(one.body)) == votes]


def page_of(mail: Mail) -> str:
    """The link to the page to order from; "" where a letter has none."""
    return next((link for link in links(mail) if "/order/" in link), "")


# -- the page to order from, without a browser ---


@cache
def page_facts() -> Mapping[str, Any]:
    """What the page knows by itself."""
    page = order_page(GAMES["imperial"].presenter, COMMANDS.sentences)
    (facts,) = html.document_fromstring(page).xpath("//script[@id='facts']/text()")
    found: Mapping[str, Any] = json.loads(facts)
    return found


def told(link: str) -> Mapping[str, Any]:
    """What a link tells the page."""
    packed = urlsplit(link).fragment
    found: Mapping[str, Any] = json.loads(zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15))
    return found


def walked(step: Sequence[Any], dice: random.Random) -> str:
    """What somebody takes of a step, and of all that follows from it."""
    before, between, none, least, most, of = step
    text, taken = "", 0
    left = [choice for choice in of for _ in range(_part(choice, 2) or 1)]
    while left and taken < most and (taken < least or dice.random() < 0.7):
        choice = left.pop(dice.randrange(len(left)))
        text += (between if taken else before) + choice[0]
        text += "".join(walked(then, dice) for then in _part(choice, 4) or ())
        taken += 1
    return text if taken else str(none)


def _part(choice: Sequence[Any], place: int) -> Any:
    return choice[place] if len(choice) > place else None


def pointed(link: str, dice: random.Random, *, preview: bool) -> Tap:
    """The letter that the page makes of what somebody points at there."""
    letter, facts = told(link), page_facts()
    names = facts["names"][letter["l"]]
    ids = "|".join(sorted(names, key=len, reverse=True))
    text = re.sub(rf"\b({ids})\b", lambda found: names[found[0]], walked(letter["c"], dice)).strip()
    before = f"{facts['preview'][letter['l']]}\n" if preview else ""
    return Tap(letter["o"], letter["s"], before + text)


Pointer = Callable[..., Tap]  # as `pointed`


# -- a table of such players ---


class Table:
    """A game of four, each of whom taps what they fancy."""

    def __init__(self, seed: int, point: Pointer = pointed, *, pictures: bool = False) -> None:
        self.dice = random.Random(seed)
        self.point = point
        self.bureau = Bureau()
        self.bureau.archive_url, self.bureau.pictures = ARCHIVE, pictures
        self.bureau.restart()
        self.tapped: list[Tap] = []
        self.kinds: set[str] = set()  # of questions that were answered
        self.outcomes: set[str] = set()
        self.refused: set[str] = set()  # the codes
        with self.bureau.store.transaction() as repository:
            for name, language in PLAYERS.items():
                repository.add_person(name, address(name), 0, language=language)

    def last(self, who: str, *, votes: bool = False) -> Mail:
        """The newest letter with something to tap."""
        return next(m for m in reversed(self.bureau.postman.to(address(who))) if answers(m, votes=votes))

    def send(self, who: str, tapped: Tap) -> None:
        """One more letter, and what became of it."""
        self.tapped.append(tapped)
        self.bureau.write(who, tapped.body, to=tapped.to, subject=tapped.subject)
        told = self.bureau.replies(who)[-1]
        assert told.problem is None or told.problem in WELCOME, (tapped.body, told.problem)
        self.outcomes |= {line.outcome for line in told.lines}
        self.refused |= {line.code for line in told.lines if line.code}

    def join(self) -> None:
        self.bureau.invite(len(PLAYERS))
        self.bureau.tick()
        for name in PLAYERS:
            self.send(name, answers(self.last(name))[0])
        assert self.bureau.game.status == "running"

    def move(self, who: str) -> None:
        """Whoever is asked answers: with a link of the letter, or on the page that it links."""
        mail = self.last(who)
        page = page_of(mail)
        if page and self.dice.random() < 0.5:
            if self.dice.random() < 0.1:
                self.send(who, self.point(page, self.dice, preview=True))
            self.send(who, self.point(page, self.dice, preview=False))
        else:
            self.send(who, self.fancy(answers(mail)))

    def fancy(self, all_: Sequence[Tap]) -> Tap:
        """Taxation four times of five: it brings a game to its end."""
        words = {names.get("taxation", "taxation") for names in page_facts()["names"].values()}
        taxing = [one for one in all_ if one.body.rpartition(": ")[2] in words]
        return self.dice.choice(taxing if taxing and self.dice.random() < 0.8 else all_)

    def vote(self) -> None:
        """Two vote on what they are asked for: fewer than decide it before the second has voted."""
        for name in [*PLAYERS][:2]:
            self.send(name, self.dice.choice(answers(self.last(name, votes=True), votes=True)))

    def rounds(self, most: int = 1_000) -> None:
        """So many answers, or until the game is over."""
        for _ in range(most):
            if self.bureau.game.status != "running":
                return
            self.bureau.clock.advance(600)
            who, kind, _ = self.bureau.awaited[0]
            self.kinds.add(kind)
            self.move(who)

    def lose_tags(self) -> None:
        """From now on the mailbox takes no address+tag: tickets stand in subjects."""
        self.bureau.identity = NO_TAGS
        self.bureau.restart()
