"""Somebody who plays with a thumb alone: follows the links in letters, and what the page to order from offers."""

from __future__ import annotations

import json
import random
import re
import zlib
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from lxml import html
from msgspec import Struct

from pbem.adapters.mail_renderer.sections import WELCOME
from pbem.core.choice import Choice, Step
from pbem.games import GAMES
from pbem.host.commands.table import COMMANDS
from pbem.host.ports import Mail
from pbem.host.session.identity import Identity
from pbem.render.fragment import MARK
from pbem.render.order_page import order_page
from tests.rules.pointing import DONE, walked
from tests.service.bureau import HOST, HOUR, IDENTITY, MINUTE, NAMES, Bureau, address

NO_TAGS = Identity(key=IDENTITY.key, address=HOST, tags=False)
ARCHIVE = "https://games.example/"
PLAYERS = dict(zip(NAMES, ("en", "de", "it", "en"), strict=False))  # and what each reads
YES = {"en": "yes", "de": "ja", "it": "sì"}
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


def writing(mail: Mail, *, votes: bool = False) -> Sequence[str]:
    """Its links that write a letter, on petitions or to questions."""
    found = [link for link in links(mail) if link.startswith("mailto:")]
    return [link for link in found if bool(VOTE.search(tap(link).body)) == votes]


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
    packed = urlsplit(link).fragment.removeprefix(MARK)
    inflate = zlib.decompressobj(-15, page_facts()["stock"].encode())
    found: Mapping[str, Any] = json.loads(inflate.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))
    return found


def tree(step: Sequence[Any], words: Sequence[str], outer: int = 0) -> Step:
    """The answers that the page is told of; what there is only so much of has numbers for names."""
    before, between, none, least, most, of, *room = step
    here = {str(outer + place): how_much for place, how_much in enumerate(room[0] if room else ())}
    choices = tuple(_choice(one, words, outer + len(here)) for one in of)
    return Step(of=choices, least=least, most=most, room=here, before=before, between=between, none=none)


def _choice(told: Sequence[Any], words: Sequence[str], known: int) -> Choice:
    text, _, times, _, then, takes, *_ = [*told, *[0] * 7][: max(8, len(told))]
    taken = Counter[str]()
    for number in takes or ():
        taken[str(number if number >= 0 else ~number)] += 1 if number >= 0 else -1
    text = re.sub("[^\0-\xa0]", lambda found: words[ord(found[0]) - 0xA1], text)
    return Choice(text=text, times=times or 1, takes=taken, then=tuple(tree(step, words, known) for step in then or ()))


class Thumb:
    """Taps what is in a letter, and on the page that it links; without a browser."""

    archive: Path | None = None  # where that page lies

    def write(self, mail: Mail, link: str) -> Tap:
        """A link that writes a letter."""
        assert link in links(mail)
        return tap(link)

    def point(self, mail: Mail, pick: Picker, *, preview: bool) -> Tap:
        """The letter that the page makes of what somebody points at there."""
        letter, facts = told(page_of(mail)), page_facts()
        names = facts["names"][letter["l"]]
        ids = "|".join(sorted(names, key=len, reverse=True))
        offered = walked(tree(letter["c"], sorted(names)), partial(_picked, pick))
        text = re.sub(rf"\b({ids})\b", lambda found: names[found[0]], offered).strip()
        before = f"{facts['preview'][letter['l']]}\n" if preview else ""
        return Tap(letter["o"], letter["s"], before + text)


@cache
def _said(language: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    said = {name.lower(): id_ for id_, name in page_facts()["names"][language].items()}
    longest_first = sorted(said, key=len, reverse=True)
    return said, re.compile("|".join(rf"\b{re.escape(name)}(?!\w)" for name in longest_first), re.IGNORECASE)


def in_logs(text: str, language: str) -> str:
    """An order with its names as they stand in logs."""
    said, names = _said(language)
    return names.sub(lambda found: said[found[0].lower()], text)


# -- what they fancy ---

Picker = Callable[[Sequence[str]], str]  # of the texts that are on offer; where the step may be left `DONE`, too


def _picked(pick: Picker, step: Step, on_offer: Sequence[Choice], may_leave: bool) -> Choice | None:
    """As the page asks: not where there is only one."""
    if step.least == step.most == len(step.of) == 1:
        return on_offer[0]
    text = pick([*(one.text for one in on_offer), *([DONE] if may_leave else [])])
    return next((one for one in on_offer if one.text == text), None)


class Taste:
    """Whatever was taken least of all so far, so that a game has everything in it."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self._taken: Counter[str] = Counter()
        self._names = re.compile(rf"\b({'|'.join([*page_facts()['labels']['en'], *page_facts()['colours']])})\b")

    def pick(self, of: Sequence[str]) -> str:
        """One of them; where it stands and whose it is doesn't matter."""
        rarest = min(self._taken[self._sort(one)] for one in of)
        picked = self.dice.choice([one for one in of if self._taken[self._sort(one)] == rarest])
        self._taken[self._sort(picked)] += 1
        return picked

    def _sort(self, text: str) -> str:
        return self._names.sub("", text)


# -- a table of such players ---


class Table:
    """A game of four, each of whom taps what they fancy."""

    def __init__(
        self, seed: int, thumb: Thumb | None = None, *, archive: str = ARCHIVE, pictures: bool = False, **terms: Any
    ) -> None:
        self.seed = seed
        self.taste = Taste(seed)
        self.dice = self.taste.dice
        self.thumb = thumb or Thumb()
        self.terms = terms
        self.bureau = Bureau()
        self.bureau.archive_url, self.bureau.pictures = archive, pictures
        self.bureau.restart()
        self.tapped: list[Tap] = []
        self.outcomes: set[str] = set()
        self.refused: set[str] = set()  # the codes
        with self.bureau.store.transaction() as repository:
            for name, language in PLAYERS.items():
                repository.add_person(name, address(name), 0, language=language)

    # -- letters ---

    def last(self, who: str, *, votes: bool = False) -> Mail:
        """The newest letter with something to tap."""
        return next(m for m in reversed(self.bureau.postman.to(address(who))) if writing(m, votes=votes))

    def tap(self, who: str, mail: Mail, *, votes: bool = False) -> None:
        """Whatever they fancy of what the links of a letter write."""
        said = {in_logs(tap(link).body, PLAYERS[who]): link for link in writing(mail, votes=votes)}
        self.send(who, self.thumb.write(mail, said[self.fancy([*said])]))

    def send(self, who: str, tapped: Tap) -> None:
        """One more letter, and what became of it."""
        self.tapped.append(tapped)
        self.bureau.write(who, tapped.body, to=tapped.to, subject=tapped.subject)
        told = self.bureau.replies(who)[-1]
        assert told.problem is None or told.problem in WELCOME, (tapped.body, told.problem)
        self.outcomes |= {line.outcome for line in told.lines}
        self.refused |= {line.code for line in told.lines if line.code}

    # -- the course of a game ---

    def join(self) -> None:
        with pytest.MonkeyPatch.context() as patch:  # the same lots every time
            patch.setattr("pbem.host.session.unit_of_work.Games.new_secret", lambda _: f"{self.seed:064x}")
            self.bureau.invite(len(PLAYERS), **self.terms)
        self.bureau.tick()
        for name in PLAYERS:
            mail = self.last(name)
            self.send(name, self.thumb.write(mail, writing(mail)[0]))
        assert self.bureau.game.status == "running"

    def move(self, who: str) -> None:
        """Whoever is asked answers: with a link of the letter, or on the page that it links."""
        mail = self.last(who)
        if not page_of(mail) or self.dice.random() < 0.5:
            self.tap(who, mail)
            return
        self.publish()
        preview = self.dice.random() < 0.1
        self.send(who, self.thumb.point(mail, self.taste.pick, preview=preview))
        if preview:
            self.agree(who)

    def fancy(self, bodies: Sequence[str]) -> str:
        """Taxation four times of five: it brings a game to its end."""
        taxing = [body for body in bodies if body.endswith(": taxation")]
        return taxing[0] if taxing and self.dice.random() < 0.8 else self.taste.pick(bodies)

    def agree(self, who: str) -> None:
        """To what the newest letter proposes; if it proposes nothing they are still asked."""
        mail = self.last(who)
        yes = [link for link in writing(mail) if tap(link).body.strip() == YES[PLAYERS[who]]]
        for link in yes:
            self.send(who, self.thumb.write(mail, link))

    def take_back(self, who: str) -> None:
        """An order that does not bind yet, with the link of its answer; another one from the letter that asked binds."""
        mail = self.last(who)
        self.tap(who, mail)
        answer = self.last(who)
        (undo,) = writing(answer)
        self.send(who, self.thumb.write(answer, undo))
        self.tap(who, mail)
        self.bureau.tick(10 * MINUTE)

    def remind(self) -> None:
        """Let the clock run until whoever is asked is asked again, and answer that."""
        who = self.bureau.awaited[0][0]
        before = self.last(who)
        self.bureau.tick(12 * HOUR)
        assert self.last(who) is not before
        self.move(who)

    def publish(self) -> None:
        """Bring up the archive."""
        if self.thumb.archive:
            self.bureau.server.archivist(self.thumb.archive, url=self.bureau.archive_url).update()

    def vote(self) -> None:
        """Two vote on what they are asked for: fewer than decide it before the second has voted."""
        for name in [*PLAYERS][:2]:
            self.tap(name, self.last(name, votes=True), votes=True)

    def rounds(self, most: int = 1_000) -> None:
        """So many answers, or until the game is over."""
        for _ in range(most):
            if self.bureau.game.status != "running":
                return
            self.move(self.bureau.awaited[0][0])
            self.bureau.tick(10 * MINUTE)

    def lose_tags(self) -> None:
        """From now on the mailbox takes no address+tag: tickets stand in subjects."""
        self.bureau.identity = NO_TAGS
        self.bureau.restart()

    @property
    def played(self) -> set[str]:
        """What was ordered so far."""
        return {kind for entry in self.bureau.entries for answer in entry["answers"] for kind in kinds(answer["order"])}


def kinds(order: Mapping[str, Any]) -> Iterator[str]:
    """What an order of a log does."""
    match order["type"]:
        case "turn":
            yield str(order["space"]).rstrip("_12")
            yield from _works(order["work"] or {})
        case "invest":
            yield from ("swap" if bond["back"] else "buy" for bond in order["choices"])
            yield from ["pass"][len(order["choices"]) :]
        case other:
            yield other


def _works(work: Mapping[str, Any]) -> Iterator[str]:
    for line in work.get("lines", ()):
        yield line["type"]
        yield from (line[key] for key in ("unit", "status") if line.get(key))
        yield from ["attack"][not line.get("attack") :]
