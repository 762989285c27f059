"""How this installation is kept running: a unit for systemd, or a line for cron."""

from __future__ import annotations

import getpass
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from pbem.adapters.providers import filled_in
from pbem.settings import Settings

SERVANT = "pbem"  # who runs it where the unit is printed for root
CHECKOUT = Path(__file__).resolve().parents[2]

_CRON = """\
# For crontab -e. The variables that the settings name (password_env) stand above this line, as NAME=value.
*/5 * * * * {line}
"""


def systemd_unit(settings: Settings, config: Path) -> str:
    """A unit that may write where the server must, and nowhere else."""
    folder, command = _program("run", config)
    user = getpass.getuser()
    user = SERVANT if user == "root" else user  # a program that reads strangers' letters needs no such rights
    return filled_in(
        "pbem.service.j2",
        made=user == SERVANT,
        user=user,
        folder=_bare(str(folder)),
        environment=_bare(str(config.absolute().with_suffix(".env"))),
        command=" ".join(_quoted(word).replace("$", "$$") for word in command),
        writable=" ".join(_quoted(str(each)) for each in _written(settings)),
    )


def cron_line(config: Path) -> str:
    """What cron runs every five minutes; two at once do no harm."""
    folder, command = _program("tick", config)
    line = f"cd {shlex.quote(str(folder))} && {shlex.join(command)}"
    return _CRON.format(line=line.replace("%", r"\%"))  # crontab(5): a bare % is a line break


def _program(what: str, config: Path) -> tuple[Path, Sequence[str]]:
    """Where to stand and what to call. From a checkout the package is found in the folder we stand in."""
    is_checkout = (CHECKOUT / "pyproject.toml").is_file()
    folder = CHECKOUT if is_checkout else config.absolute().parent
    return folder, (sys.executable, "-m", "pbem", what, "-c", str(config.absolute()))


def _written(settings: Settings) -> Sequence[Path]:
    """The folders in which the server makes files, the archive's own among them where it is there."""
    repository = [settings.database_file.parent] if settings.database_file else []
    files = (settings.identity.key_file, settings.health_file, settings.metrics_file, settings.archive)
    tokens = [each.oauth.refresh_token_file for each in (settings.mailbox, settings.smtp) if each.oauth]
    folders = {*repository, *(file.parent for file in (*files, *tokens) if file is not None)}
    return sorted({*folders, settings.archive} if settings.archive.is_dir() else folders)


def _quoted(word: str) -> str:
    """As systemd.syntax(7) reads words: % begins a specifier."""
    bare = _bare(word)
    if not any(c in bare for c in " \t\"'\\;"):
        return bare
    return '"' + bare.replace("\\", r"\\").replace('"', r"\"") + '"'


def _bare(text: str) -> str:
    return text.replace("%", "%%")
