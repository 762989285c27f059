"""A correspondence that a page shows: letters to a server, its answers, and what it mails to others."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from copy import copy
from functools import cache

import msgspec

from pbem.core.seat import Setup
from pbem.host.archive.playfile import PlayFile, read_play
from pbem.host.lobby.policy import LobbyPolicy
from pbem.host.ports import Mail
from pbem.host.session.terms import terms_of
from tests.examples import Example
from tests.service.bureau import HOST, HOUR, OPERATOR, Bureau, address

PEOPLE = {"moderator": "zoe@players.test", "operator": OPERATOR}
GAP = re.compile(r"\n\s*…\s*\n")  # what a page leaves out of a letter


class OpenHouse(Bureau):
    """Anybody may start a game there."""

    policy = LobbyPolicy(open_to="anyone")


class Scene:
    """One server; `before` is a play file of what has happened there, its players sit in the order of the board.

    A first line `begin invited` or `begin nothing` tells that they have not joined, or that there is no game.
    """

    def __init__(self, before: str) -> None:
        first, _, rest = before.partition("\n")
        begin = first.removeprefix("begin ") if first.startswith("begin ") else ""
        play = read_play(before if not begin else rest if begin == "invited" else f"seats nobody\n{rest}")
        self.bureau = _begun(begin, msgspec.json.encode(play.setup)).copy(with_sent=True)
        self._writer = ""  # of the last letter that the page shows
        self._go_on(play)

    def _go_on(self, play: PlayFile) -> None:
        if play.given:
            self.bureau.given(*(text for _, text in play.given))
        for step in play.steps:
            if step.speaker == "clock":
                self.bureau.tick(int(re.sub(r"\D", "", step.lines[0])) * HOUR)
            else:
                self.write(step.speaker, "\n".join(step.lines))

    def write(self, who: str, text: str) -> None:
        """Reply to the last letter that somebody got; or write about the game, if there is one."""
        reply(self.bureau, _at(who), text)

    def answer(self, who: str) -> Mail | None:
        """The last one to somebody's letters."""
        return next(reversed(self.bureau.answers(_at(who))), None)

    def copy(self) -> Scene:
        """The same place, where something else may happen."""
        made = copy(self)
        made.bureau = self.bureau.copy(with_sent=True)
        return made

    # -- examples ---

    def try_(self, example: Example) -> None:
        """Raises `AssertionError`."""
        match example.kind, example.words:
            case "mail", (who,):
                self._writer = who
                self.write(who, example.text)
                self._check(who, example.then)
            case "answer", ():
                check_text(self.answer(self._writer), example.text)
            case "received", (who,):
                mails = self.bureau.postman.to(_at(who))
                check_text(next((mail for mail in reversed(mails) if _holds(mail, example.text)), None), example.text)
            case _:
                raise AssertionError(f"{example.kind} of whom?")

    def _check(self, who: str, then: str) -> None:
        """`!` refused, perhaps with a code; `~` words of the answer; `=` a value of the state document."""
        refusals = [line for line in then.splitlines() if line.startswith("!")]
        self._check_refusals(who, refusals)
        for line in then.splitlines():
            sign, _, text = line.partition(" ")
            if sign == "~":
                check_text(self.answer(who), text)
            elif sign == "=":
                path, _, value = text.partition(" ")
                assert json.dumps(_value(self.bureau.document, path.split("."))) in (value, json.dumps(value)), path

    def _check_refusals(self, who: str, expected: Sequence[str]) -> None:
        reply = self.bureau.replies(_at(who))[-1]
        found = [line.code for line in reply.lines if line.code] + [reply.problem] * bool(reply.problem)
        if expected:
            assert found
            assert {code for line in expected for code in line.split()[1:]} <= {*found}
        else:
            assert not reply.problem or reply.problem in DONE, reply.problem
            assert {line.outcome for line in reply.lines} <= FINE, reply.lines


FINE = {
    "asked",
    "played",
    "filed",
    "drafted",
    "withdrawn",
    "set",
    "shown",
    "done",
    "sent",
    "posted",
    "voted",
    "heard",
    "tried",
}
DONE = {  # answers about a whole letter in which something was done
    *("waiting.on", "waiting.off", "opening.confirm", "opening.opened", "opening.joined", "invitation.joined"),
    *("invitation.declined", "address.confirmed", "address.undone", "deputy.accepted", "accept.seated"),
}


def check_text(mail: Mail | None, text: str) -> None:
    """Does the letter hold this text, its parts in this order, whatever its lines?"""
    assert mail, "no such letter"
    assert _holds(mail, text), mail.text


def _holds(mail: Mail, text: str) -> bool:
    rest = _plain(mail.text)
    for part in GAP.split(f"\n{text}\n"):
        if _plain(part) not in rest:
            return False
        rest = rest.partition(_plain(part))[2]
    return True


def _plain(text: str) -> str:
    return " ".join(text.split())


def _at(who: str) -> str:
    return PEOPLE.get(who) or address(who)


def _value(found: object, path: Sequence[str]) -> object:
    for key in path:
        found = found[key]  # type: ignore[index]
    return found


@cache
def _begun(begin: str, setup: bytes) -> Bureau:
    """Where scenes begin: each is a copy, since most begin alike."""
    made, played = OpenHouse(), msgspec.json.decode(setup, type=Setup)
    if begin != "nothing":
        names = [f"{seat}={address(seat)}" for seat in played.seats]
        made.server.new_game(terms_of(played), names, [f"Zoe={PEOPLE['moderator']}"])
        made.tick()
        for seat in played.seats if begin != "invited" else ():
            reply(made, address(seat), "join")
    return made


def reply(bureau: Bureau, who: str, text: str) -> None:
    """To the last letter that somebody got; or write about the game, if there is one."""
    last = next((mail for mail in reversed(bureau.postman.sent) if mail.to == who), None)
    if last is None:
        bureau.write(who, text, subject="[imp-1]" if bureau.postman.sent else "Hello")
    else:
        bureau.write(who, text, to=last.reply_to or HOST, subject=f"Re: {last.subject}")
