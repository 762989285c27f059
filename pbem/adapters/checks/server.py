"""Looks at all that a server needs, before its players miss it: `pbem check`."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from email.parser import BytesHeaderParser
from pathlib import Path

from pbem.adapters.checks.findings import Check, broken, good, poor, remedy
from pbem.adapters.composing import FromAddress as Letterhead
from pbem.adapters.composing import compose
from pbem.adapters.store.keys import WrongKey, check_key
from pbem.adapters.store.sql import NewerDatabase, NoDriver, SqlStore, Unusable
from pbem.adapters.store.urls import without_password
from pbem.host.housekeeping.clock_state import MEND, clock_state
from pbem.host.ports import Conflict, Mail, StoreDown
from pbem.settings import Account, Settings

LITTLE, TOO_LITTLE = 500, 50  # MB that are free on a disk
_HEADERS = (
    *("Date", "From", "To", "Subject", "Message-ID", "MIME-Version"),
    *("Auto-Submitted", "List-Id", "List-Unsubscribe"),
)
_LONGEST_LINE = 998  # RFC 5322 section 2.1.1
_UNFILLED = ("example.org", "example.com", "example.net", "localhost")


def examine(settings: Settings, path: Path) -> Iterator[Check]:
    """All that can be seen on this machine; `path` is the settings file."""
    yield from _addresses(settings)
    yield from _headers(settings)
    yield from _secrets(settings, path)
    yield from _database(settings)
    yield from _disks(settings)


# -- what is written in the settings ---


def _addresses(settings: Settings) -> Iterator[Check]:
    ours, domain = settings.smtp.sender, settings.smtp.sender.rpartition("@")[2].lower()
    if domain in _UNFILLED or "." not in domain:
        yield broken("settings", f"our letters would come from {ours}", "write your own address as smtp.from")
    else:
        yield good("settings", f"our letters come from {ours}")
    if settings.operator.lower() == ours.lower():
        told = "the operator's address is the game's own: alarms would be taken for letters gone round in a circle"
        yield broken("settings", told, "write as operator an address that a person reads")
    if settings.smtp.bounces == "tagged" and not settings.mailbox.tags:
        told = "smtp.bounces is tagged, but mailbox.tags is false: what can't be delivered would be lost"
        yield broken("settings", told, "write smtp.bounces: from")


def _headers(settings: Settings) -> Iterator[Check]:
    """Would a letter of ours look as it should, to those who sort out junk?"""
    ours, domain = settings.smtp.sender, settings.smtp.sender.rpartition("@")[2]
    sample = Mail(
        message_id=f"<imp-1.1.anna@{domain}>", to=settings.operator, subject="[imp-1]", text="-", game="imp-1"
    )
    try:
        raw = compose(sample, Letterhead(address=ours, name=settings.smtp.name), int(time.time()))
        longest = max(map(len, raw.splitlines()))
    except ValueError as fault:
        yield broken("settings", f"no letter can be written: {fault}", "see to smtp.from and operator")
        return
    message = BytesHeaderParser().parsebytes(raw)
    missing = [name for name in _HEADERS if name not in message]
    if missing or longest > _LONGEST_LINE:
        told = f"our letters lack {', '.join(missing)}" if missing else "lines of our letters are too long"
        yield broken("settings", told, "this is a fault of the program: please report it")
    else:
        yield good("settings", "a letter of ours has all that a letter should have")


# -- files ---


def _secrets(settings: Settings, path: Path) -> Iterator[Check]:
    secret = [*_files(settings.mailbox), *_files(settings.smtp), settings.identity.key_file]
    database = settings.database_file
    for file in dict.fromkeys(file for file in secret if file.exists()):
        if _mode(file) & 0o077:
            told = f"{file} holds a secret, and others on this machine can read it"
            yield broken("files", told, f"chmod 600 {file}")
        else:
            yield good("files", f"{file} is read by nobody else")
    if database is not None and database.exists() and _mode(database) & 0o077:
        told = f"others on this machine can read {database}, and with it every sealed order"
        yield poor("files", told, f"chmod 600 {database}*")
    if path.exists() and _mode(path) & 0o022:
        yield broken("files", f"others on this machine can write {path}", f"chmod go-w {path}")


def _files(account: Account) -> list[Path]:
    oauth = account.oauth
    files = [account.password_file, *((oauth.client_secret_file, oauth.refresh_token_file) if oauth else ())]
    return [file for file in files if file is not None]


def _mode(file: Path) -> int:
    """The permissions; where the system knows no such thing, they are as they should be."""
    return stat.S_IMODE(file.stat().st_mode) if os.name == "posix" else 0o600


# -- the database and the disks ---


def _database(settings: Settings) -> Iterator[Check]:
    where = without_password(settings.database)
    try:
        with closing(SqlStore(settings.database)) as store:
            known = store.fingerprint
            with store.transaction() as repository:
                repository.set_mark("checked", 0)
                repository.set_mark("checked", None)
                clock = clock_state(repository, int(time.time()))
            faults = store.faults()
    except (NewerDatabase, NoDriver, Unusable) as problem:
        mend = remedy(str(problem), "see to its path or address, and to who may write there")
        yield broken("database", str(problem), mend)
        return
    except (StoreDown, Conflict) as problem:
        mend = "see to who may write there, and to room on the disk"
        yield broken("database", f"{where} can't be written: {problem}", mend)
        return
    yield from (broken("clock", fault, MEND) for fault in clock.faults)
    yield from _key(settings.identity.key_file, known)
    if faults:
        mend = "stop the server, and put back the last copy that is whole"
        yield broken("database", f"{where} is damaged: {faults[0]}", mend)
    else:
        yield good("database", f"{where} is of this version, whole, and can be written")


def _key(file: Path, known: str | None) -> Iterator[Check]:
    """Is it the one that the books were written with?"""
    try:
        check_key(file, known)
    except (WrongKey, OSError) as problem:
        mend = "put the key back from a copy; if it is lost, `pbem key renew` makes another"
        yield broken("files", str(problem), mend)


def _disks(settings: Settings) -> Iterator[Check]:
    folders = {_nearest(settings.archive): "the archive"}
    if (file := settings.database_file) is not None:
        folders[_nearest(file.parent)] = "the database"
    for folder, what in folders.items():
        free = shutil.disk_usage(folder).free // 1_000_000
        told = f"{free} MB are free on the disk of {what}"
        if free < TOO_LITTLE:
            yield broken("files", told, "make room")
        elif free < LITTLE:
            yield poor("files", told, "make room, before a turn can't be written")
        else:
            yield good("files", told)


def _nearest(folder: Path) -> Path:
    """The folder, or the one above that is there."""
    return next(each for each in (folder, *folder.parents) if each.is_dir())
