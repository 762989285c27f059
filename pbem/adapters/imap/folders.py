"""The folders of a mailbox: what the server calls them, and how letters are moved between them.

RFC 3501, 2342 (NAMESPACE), 4315 (UIDPLUS), 6851 (MOVE).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from pbem.adapters.imap.cleaning import take_out
from pbem.adapters.imap.letters import slip_of, those_there
from pbem.host.ports import MailFolder, RawLetter

Where = tuple[int, int]  # UIDVALIDITY and UID


class Shelves:
    """The folders that letters are moved to, and the letters that would not go.

    Those are tried again one by one, so that a mailbox that is full or read-only is not asked in vain for each of
    them, and none is copied twice.
    """

    def __init__(self, paths: Mapping[MailFolder, str]) -> None:
        self._paths = paths
        self.names: dict[MailFolder, str] = {}
        self._unmoved: dict[Where, tuple[RawLetter, MailFolder]] = {}
        self._copied: set[Where] = set()
        self._why = ""

    def furnish(self, client: IMAPClient) -> None:
        """Learn what the server calls the folders, and make those that are missing."""
        self.names = {shelf: furnish(client, path) for shelf, path in self._paths.items()}

    @property
    def stuck(self) -> str | None:
        """What the server said to the last letter that would not go; None when there is none."""
        return self._why if self._unmoved else None

    def unmoved(self, uidvalidity: int) -> set[int]:
        """The UIDs of the letters that would not go."""
        return {uid for known, uid in self._unmoved if known == uidvalidity}

    def put(self, client: IMAPClient, uidvalidity: int, letters: Sequence[tuple[RawLetter, MailFolder]]) -> None:
        """Move these from the folder that is selected, if they are there: all at once, else one by one."""
        there = those_there(client, (letter for letter, _ in letters if letter.uidvalidity == uidvalidity))
        ours = [(letter, shelf) for letter, shelf in letters if slip_of(letter) in there]
        if len(ours) > 1 and self._go_together(client, ours):
            ours = []
        for letter, shelf in letters:
            if (letter, shelf) in ours:
                self._put_one(client, letter, shelf)
            else:
                self._is_gone(letter)

    def put_again(self, client: IMAPClient, uidvalidity: int) -> None:
        """Try one of those that would not go, and if it goes, the others."""
        for letter, shelf in list(self._unmoved.values()):
            self.put(client, uidvalidity, [(letter, shelf)])
            if _where(letter) in self._unmoved:
                return

    def _go_together(self, client: IMAPClient, letters: Sequence[tuple[RawLetter, MailFolder]]) -> bool:
        """Only with MOVE (RFC 6851): a copy that breaks off would leave some copied, and nobody knows which."""
        if not client.has_capability("MOVE"):
            return False
        by_shelf: dict[MailFolder, list[int]] = {}
        for letter, shelf in letters:
            by_shelf.setdefault(shelf, []).append(letter.uid)
        try:
            for shelf, uids in by_shelf.items():
                client.move(uids, self.names[shelf])
        except IMAPClientAbortError:
            raise
        except IMAPClientError:
            return False
        return True

    def _put_one(self, client: IMAPClient, letter: RawLetter, shelf: MailFolder) -> None:
        try:
            self._move(client, _where(letter), shelf)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as refusal:
            self._unmoved[_where(letter)], self._why = (letter, shelf), str(refusal)
        else:
            self._is_gone(letter)

    def _is_gone(self, letter: RawLetter) -> None:
        self._unmoved.pop(_where(letter), None)
        self._copied.discard(_where(letter))

    def _move(self, client: IMAPClient, where: Where, shelf: MailFolder) -> None:
        """To a folder that is made anew, should somebody have taken it away."""
        try:
            self._move_to(client, where, self.names[shelf])
        except IMAPClientAbortError:
            raise
        except IMAPClientError:
            self.names[shelf] = furnish(client, self._paths[shelf])
            self._move_to(client, where, self.names[shelf])

    def _move_to(self, client: IMAPClient, where: Where, folder: str) -> None:
        uid = where[1]
        if client.has_capability("MOVE"):
            client.move([uid], folder)
            return
        if where not in self._copied:
            client.copy([uid], folder)
            self._copied.add(where)
        take_out(client, [uid])


def _where(letter: RawLetter) -> Where:
    return letter.uidvalidity, letter.uid


def _local_name(client: IMAPClient, path: str) -> str:
    """A folder's name as the server writes it, such as INBOX.PBEM.Done; without levels it is PBEM-Done."""
    if path.upper() == "INBOX":
        return "INBOX"
    prefix, separator = _namespace(client)
    name = (separator or "-").join(path.split("/"))
    return name if name.startswith(prefix) else prefix + name


def _namespace(client: IMAPClient) -> tuple[str, str]:
    """Prefix and separator of the user's own folders (RFC 2342; RFC 3501 section 6.3.8 for the separator)."""
    if client.has_capability("NAMESPACE") and (personal := client.namespace().personal):
        prefix, separator = personal[0]
        return prefix or "", separator or ""
    _, separator, _ = client.list_folders("", "")[0]
    return "", (separator or b"").decode()


def furnish(client: IMAPClient, path: str) -> str:
    """The server's name for the folder, which is made and subscribed to when missing."""
    name = _local_name(client, path)
    if not client.folder_exists(name):
        try:
            client.create_folder(name)
        except IMAPClientError:
            if not client.folder_exists(name):  # another daemon may have been faster
                raise
        client.subscribe_folder(name)
    return name
