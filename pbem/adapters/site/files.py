"""The files of an archive: each is whole at any time, and what does not change is not touched."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


class Folder:
    """The archive's folder; paths in it are written with slashes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written = 0  # files, since we began

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until nobody else writes here."""
        self.root.mkdir(parents=True, exist_ok=True)
        with (self.root / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def read(self, path: str) -> bytes | None:
        """None where there is no such file."""
        try:
            return (self.root / path).read_bytes()
        except FileNotFoundError:
            return None

    def names(self, path: str) -> list[str]:
        """The files in a folder, without what follows their dot."""
        folder = self.root / path
        return sorted(each.stem for each in folder.iterdir()) if folder.is_dir() else []

    def load(self, path: str, kind: type[T]) -> T | None:
        """A value that was stored; None where there is none that we can read."""
        raw = self.read(path)
        try:
            return None if raw is None else msgspec.json.decode(raw, type=kind)
        except msgspec.MsgspecError:
            return None

    def write(self, path: str, content: str | bytes) -> None:
        """Put the file in its place, in one step."""
        raw = content.encode() if isinstance(content, str) else content
        if self.read(path) == raw:
            return
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f".{target.name}.new")
        new.write_bytes(raw)
        os.replace(new, target)
        self.written += 1

    def remove(self, path: str) -> None:
        """Take the file away, if it is there."""
        (self.root / path).unlink(missing_ok=True)

    def store(self, path: str, value: object) -> None:
        """A value as JSON."""
        self.write(path, msgspec.json.encode(value) + b"\n")
