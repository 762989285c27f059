"""Errands to the mailbox, run while letters are dealt with: so its server is hardly ever waited for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

from pbem.host.ports import Mailbox, MailFolder, RawLetter


class Errands:
    """One after another, in a thread of their own: the next letters come, and those dealt with go.

    All are done when the block ends.
    """

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._thread = ThreadPoolExecutor(1)  # it is begun with the first errand
        self._shelving: list[Future[None]] = []

    def ahead(self, letters: Iterator[Sequence[RawLetter]]) -> Iterator[Sequence[RawLetter]]:
        """The same, while the next are fetched. Raises what the mailbox does, also where letters were shelved."""
        some = next(letters, None)
        while some is not None:
            coming = self._thread.submit(next, letters, None)
            yield some
            some = coming.result()
            self._check()

    def shelve(self, letters: Sequence[tuple[RawLetter, MailFolder]]) -> None:
        """What goes wrong with it is raised where the next letters are asked for, or at the end."""
        self._shelving.append(self._thread.submit(self._mailbox.shelve, letters))

    def _check(self) -> None:
        """Raises what has gone wrong up to now."""
        while self._shelving and self._shelving[0].done():
            self._shelving.pop(0).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, raised: BaseException | None, _at: object) -> None:
        self._thread.shutdown()
        if raised is None:
            self._check()
