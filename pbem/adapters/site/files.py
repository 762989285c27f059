"""The files of an archive: each is whole at any time, and what does not change is not touched."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

FILE, FOLDER = 0o644, 0o755  # for any web server to read, whatever the umask is


class Folder:
    """The archive's folder; paths in it are written with slashes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written = 0  # files, since we began
        self._held: dict[str, bytes | None] | None = None  # what waits to be put in its place; None: to be removed

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until nobody else writes here."""
        self.root.mkdir(parents=True, exist_ok=True)
        with (self.root / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.root.stat().st_mode & FOLDER != FOLDER:
                with suppress(PermissionError):  # what somebody else has made is theirs to open
                    self._open_up()
            yield

    def _open_up(self) -> None:
        """An archive that was made under a narrow umask; its root comes last and tells that all of it is open."""
        for path in self.root.rglob("*"):
            if not path.is_symlink():
                path.chmod(FOLDER if path.is_dir() else FILE)
        self.root.chmod(FOLDER)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is written and removed meanwhile happens at the end, in that order, or not at all."""
        self._held = {}
        try:
            yield
            held = self._held
        finally:
            self._held = None
        for path, raw in held.items():
            self._put(path, raw)

    def read(self, path: str) -> bytes | None:
        """None where there is no such file."""
        if self._held and path in self._held:
            return self._held[path]
        try:
            return (self.root / path).read_bytes()
        except FileNotFoundError:
            return None

    def names(self, path: str) -> list[str]:
        """The files in a folder, without what follows their dot."""
        folder = self.root / path
        return sorted(each.stem for each in folder.iterdir()) if folder.is_dir() else []

    def load(self, path: str, kind: type[T], shape: Callable[[Any], Any] = lambda raw: raw) -> T | None:
        """A value that was stored, after its plain values were given that shape; None where we can read none."""
        raw = self.read(path)
        try:
            return None if raw is None else msgspec.convert(shape(msgspec.json.decode(raw)), kind)
        except (msgspec.MsgspecError, AttributeError, KeyError, TypeError):  # of what has not that shape
            return None

    def write(self, path: str, content: str | bytes) -> None:
        """Put the file in its place, in one step."""
        self._change(path, content.encode() if isinstance(content, str) else content)

    def remove(self, path: str) -> None:
        """Take the file away, if it is there."""
        self._change(path, None)

    def store(self, path: str, value: object) -> None:
        """A value as JSON."""
        self.write(path, msgspec.json.encode(value) + b"\n")

    def _change(self, path: str, raw: bytes | None) -> None:
        if self._held is None:
            self._put(path, raw)
        else:
            self._held.pop(path, None)
            self._held[path] = raw

    def _make(self, folder: Path) -> None:
        if not folder.is_dir():
            self._make(folder.parent)
            folder.mkdir(exist_ok=True)
            folder.chmod(FOLDER)

    def _put(self, path: str, raw: bytes | None) -> None:
        target = self.root / path
        if raw is None:
            target.unlink(missing_ok=True)
            return
        if self.read(path) == raw:
            return
        self._make(target.parent)
        new = target.with_name(f".{target.name}.new")
        new.write_bytes(raw)
        new.chmod(FILE)
        os.replace(new, target)
        self.written += 1
