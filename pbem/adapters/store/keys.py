"""The server's secret key, in a file of its own that only its owner can read."""

from __future__ import annotations

import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.files import beside

if TYPE_CHECKING:
    from pbem.adapters.store.sql import SqlStore

LENGTH = 32  # bytes


class WrongKey(Exception):
    """The file does not hold the key that the players' tokens were made with."""


def key_of(store: SqlStore, path: Path) -> bytes:
    """The key in that file, made only where the books know none. Raises `WrongKey`, `OSError`."""
    known = store.fingerprint
    check_key(path, known)
    key = kept_secret(path)
    if not known:
        store.note_key(_fingerprint(key))
    return key


def check_key(path: Path, known: str | None) -> None:
    """Is there the key that books with this fingerprint need? Raises `WrongKey`, `OSError`."""
    if known is not None and not path.exists():
        raise WrongKey(f"The key of these books, {path}, is missing")
    if known and known != _fingerprint(_read(path)):
        raise WrongKey(f"{path} is not the key of these books")


def renew_key(store: SqlStore, path: Path, now: int) -> Path | None:
    """Another key for these books; where the old one was put, if it was there. Raises `OSError`."""
    aside = path.with_name(f"{path.name}.{now}") if path.exists() else None
    if aside is not None:
        os.rename(path, aside)
    store.note_key(_fingerprint(kept_secret(path)))
    return aside


def _fingerprint(key: bytes) -> str:
    """What tells keys apart and gives none away."""
    return hashlib.sha256(b"pbem key " + key).hexdigest()[:16]


def kept_secret(path: Path) -> bytes:
    """The key in that file, made at the first call. Raises `OSError` when it can be neither read nor made."""
    with suppress(FileNotFoundError):
        return _read(path)
    _make(path)
    return _read(path)


def _read(path: Path) -> bytes:
    try:
        key = bytes.fromhex(path.read_text("ascii"))
    except ValueError:
        key = b""
    if len(key) != LENGTH:
        raise OSError(f"{path} is no key of ours: it should hold {2 * LENGTH} hexadecimal digits and nothing else")
    return key


def _make(path: Path) -> None:
    """Whole or not at all, and never over one that another daemon has made meanwhile."""
    with beside(path) as made:
        with made.open("w") as file:
            file.write(f"{secrets.token_bytes(LENGTH).hex()}\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(made, path)
