"""The server's secret key, in a file of its own that only its owner can read."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

LENGTH = 32  # bytes


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
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # readable by its owner only
    with os.fdopen(number, "w") as file:
        file.write(f"{secrets.token_bytes(LENGTH).hex()}\n")
        file.flush()
        os.fsync(number)
    with suppress(FileExistsError):
        os.link(name, path)
    os.unlink(name)
