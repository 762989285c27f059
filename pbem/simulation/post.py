"""A post office in memory: quicker than real servers, and with nothing in it that a seed does not decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from email.message import EmailMessage

from pbem.adapters.composing import FromAddress, compose
from pbem.host.ports import Clock, Mail, MailFolder, RawLetter
from pbem.simulation.player import parsed


class Post:
    """The adjudicator's mailbox and postman, and all others'; fulfils `ports.Mailbox` and `ports.MailTransport`."""

    stuck = None

    def __init__(self, address: str, clock: Clock) -> None:
        self._sender = FromAddress(address=address)
        self._clock = clock
        self._inbox: list[RawLetter] = []
        self._boxes: defaultdict[str, list[EmailMessage]] = defaultdict(list)
        self._uids = 0

    def send(self, mail: Mail) -> None:
        """Into its reader's box."""
        raw = compose(mail, self._sender, self._clock.now())
        self._boxes[mail.to].append(parsed(raw))

    def unread(self) -> Sequence[RawLetter]:
        return list(self._inbox)

    def heads(self) -> Sequence[RawLetter]:
        return self.unread()

    def fetch(self, heads: Sequence[RawLetter]) -> Sequence[RawLetter]:
        return heads

    def shelve(self, letters: Sequence[tuple[RawLetter, MailFolder]]) -> None:
        gone = {letter.uid for letter, _ in letters}
        self._inbox = [each for each in self._inbox if each.uid not in gone]

    def expire(self, shelf: MailFolder, before: int, known: Callable[[str], bool]) -> int:
        """No letter is kept."""
        return 0

    def wait(self, seconds: float) -> None:
        """Nobody waits for a clock that stands still."""

    def write(self, letter: EmailMessage) -> None:
        """To the adjudicator."""
        self._uids += 1
        raw = bytes(letter)
        self._inbox.append(RawLetter(uid=self._uids, uidvalidity=1, arrived=self._clock.now(), raw=raw, size=len(raw)))

    def taken(self, address: str) -> list[EmailMessage]:
        """What lies in somebody's box; then it is empty."""
        return self._boxes.pop(address, [])


class Box:
    """Somebody's letters at that post office; fulfils `player.Letterbox`."""

    def __init__(self, post: Post, address: str) -> None:
        self._post = post
        self._address = address

    def unread(self) -> Sequence[EmailMessage]:
        return self._post.taken(self._address)

    def send(self, letter: EmailMessage) -> None:
        self._post.write(letter)

    def close(self) -> None:
        """There is nothing to close."""
