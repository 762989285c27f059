"""Notes on games that are over, as files beside the games' pages, and what the pages tell of them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.adapters.site.files import Folder
from pbem.host.archive.notes import Note, Notes

MOST = 3  # turns of a seat in which it lost most


class NoteFiles:
    """Where notes are kept: those that are begun under a name that no web server shows."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def has_notes(self, game: str) -> bool:
        return (self._folder.root / _whole(game)).exists()

    def begun(self, game: str) -> Notes | None:
        return self._folder.load(_begun(game), Notes)

    def keep_begun(self, game: str, notes: Notes) -> None:
        self._folder.store(_begun(game), notes)

    def keep_notes(self, game: str, notes: Notes) -> None:
        self._folder.store(_whole(game), notes)
        self._folder.remove(_begun(game))


def notes_of(folder: Folder, game: str) -> Notes | None:
    """Those that are whole."""
    return folder.load(_whole(game), Notes)


def drop_notes(folder: Folder, game: str) -> None:
    """The game has gone on since."""
    folder.remove(_whole(game))


class Losses(Struct, frozen=True, kw_only=True):
    """Where a seat has lost most."""

    seat: str
    notes: tuple[Note, ...]  # the worst first; none where nothing was lost


def losses(notes: Sequence[Note], seats: Sequence[str]) -> list[Losses]:
    """Of each seat that there are notes on."""
    judged = {note.seat for note in notes}
    lost = sorted((note for note in notes if note.lost), key=lambda note: (-note.lost, note.entry))
    return [
        Losses(seat=seat, notes=tuple(note for note in lost if note.seat == seat)[:MOST])
        for seat in seats
        if seat in judged
    ]


def _whole(game: str) -> str:
    return f"{game}/notes.json"


def _begun(game: str) -> str:
    return f"{game}/.notes.json"
