"""A bot with a mailbox: it reads its letters, and answers those that ask it something."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from pathlib import Path
from typing import Protocol

from pbem.bootstrap import Server
from pbem.core.bot import SUBSTITUTE
from pbem.core.chance import Withheld
from pbem.core.decision import Answer, Decision
from pbem.core.game import AnyBot, AnyOrder, AnyRules, AnyState, game_of
from pbem.core.refusal import DieNeeded
from pbem.host.ports import Game, Unknown
from pbem.host.session.identity import BRACKETS
from pbem.host.session.petitions import about_seat
from pbem.host.session.session import Session
from pbem.host.session.unit_of_work import UnitOfWork


class Letterbox(Protocol):
    """Where somebody gets their letters, and gives away their own."""

    def unread(self) -> Sequence[EmailMessage]:
        """What has come since they looked last."""

    def send(self, letter: EmailMessage) -> None: ...
    def close(self) -> None: ...


class Player:
    """Looks at the position on the server, where people read the report."""

    def __init__(
        self,
        name: str,
        address: str,
        letterbox: Letterbox,
        dice: random.Random,
        bot: str = "greedy",
        language: str = "en",
    ) -> None:
        self.name = name
        self.address = address
        self.written = 0
        self.letters: list[EmailMessage] = []
        self._letterbox = letterbox
        self._dice = dice
        self._bot = bot
        self._joins = "join" if language == "en" else f"join\nlanguage {language}"

    def look(self, server: Server) -> bool:
        """Read what has come, and answer if something is asked; was there anything?"""
        letters = self._letterbox.unread()
        self.letters += letters
        newest = {found[1].lower(): letter for letter in letters if (found := BRACKETS.search(str(letter["Subject"])))}
        for about, letter in newest.items():
            for words in [*self._words(about, server)]:
                self.write(letter, words)
        return bool(letters)

    def _words(self, about: str, server: Server) -> Iterator[str]:
        """What they would write about a game or a season, a letter each."""
        with server.games.work() as work:
            try:
                game = work.game(about)
            except Unknown:
                game = None
        yield from self._orders(game, server) if game else self._muster(about, server)

    def _muster(self, tag: str, server: Server) -> Iterator[str]:
        season = server.leagues.season(tag)
        with server.games.work() as work:
            person = work.repository.person_at(self.address)
        own = season.people.get(person.id) if person else None
        if season.phase == "muster" and own is not None and own.answer is None and not own.gone:
            yield "yes"

    def _orders(self, game: Game, server: Server) -> Iterator[str]:
        """What the bot would write to each question that waits for it."""
        if game.status != "running":
            yield from [self._joins] if game.status == "inviting" else []
            return
        with server.games.work() as work:
            session = work.session(game)
            rules, bots = session.rules, game_of(server.games.registry, session.terms.setup).bots
            seats = [member.seat for member in game.members if member.person.address == self.address]
            if not seats and self._is_asked(work, session):
                yield "accept"
            asked = [each for each in about_seat(session.position.done) if {*each.silent} & {*seats}]
            yield from (f"for {each.name}" for each in asked if each.status == "open" and each.asked.seat not in seats)
            mine = [decision for decision in session.pending() if decision.seat in seats]
            bot = bots.get(self._bot, bots[SUBSTITUTE])
            chosen = [[*self._turn(rules, session.state, each, bot)] for each in mine]
        for orders in chosen:
            if all(text := [_text(rules, order) or "" for order in orders]):
                yield "\n".join(text)

    def _turn(self, rules: AnyRules, state: AnyState, decision: Decision, bot: AnyBot) -> Iterator[AnyOrder]:
        """One order; of a turn of many orders as many as can be foreseen without a die."""
        order = bot(rules, state, decision, self._dice.randrange)
        yield order
        while rules.closing(state, decision) is not None:
            try:
                answer = Answer(seat=decision.seat, order=order, decision=decision)
                state = rules.resolve(state, [answer], Withheld()).state
            except DieNeeded:
                return
            if decision not in rules.pending(state):
                return
            order = bot(rules, state, decision, self._dice.randrange)
            yield order

    def _is_asked(self, work: UnitOfWork, session: Session) -> bool:
        """Is a seat offered to them that nobody else has taken?"""
        person = work.repository.person_at(self.address)
        sought = about_seat(session.position.done)
        return person is not None and any(person.id in each.offered and each.candidate is None for each in sought)

    def write(self, letter: EmailMessage, words: str) -> None:
        """A reply as people write it: two lines above the quoted letter."""
        self.written += 1
        reply = EmailMessage(policy=SMTP)
        reply["From"], reply["To"] = self.address, str(letter["Reply-To"])
        reply["Subject"] = f"Re: {letter['Subject']}"
        reply["Message-ID"] = f"<{self.written}.{self.address}>"
        reply["In-Reply-To"] = str(letter["Message-ID"])
        quoted = "\n".join(f"> {line}" for line in plain(letter).splitlines())
        reply.set_content(f"{words}\n\nThe adjudicator wrote:\n{quoted}\n\n-- \n{self.name}\n")
        self._letterbox.send(reply)

    def close(self) -> None:
        self._letterbox.close()


def _text(rules: AnyRules, order: AnyOrder) -> str | None:
    """None for what nobody can write: then the clock must run out."""
    try:
        return rules.notation.write(order)
    except ValueError:
        return None


def write_letter(folder: Path, number: int, letter: EmailMessage) -> None:
    """Where a person can open it: as it came, and its page."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{number:03}.eml").write_bytes(letter.as_bytes())
    html = letter.get_body(("html",))
    if html is not None:
        (folder / f"{number:03}.html").write_text(str(html.get_content()), encoding="utf-8")


def parsed(raw: bytes) -> EmailMessage:
    """The letter as it came: a header that is folded stays so."""
    return message_from_bytes(raw, policy=default.clone(refold_source="none"))


def plain(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    return str(body.get_content()) if body else ""
