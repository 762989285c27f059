"""The first run from a checkout: a virtual environment beside it with all that PBEM needs, made once.

Every later run comes through here, too: what only the first one needs is imported there.
"""

import fcntl
import hashlib
import os
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
SECONDS = {"core": 20, "test": 30}
GUARD = "PBEM_FIRSTRUN"  # our process id: exec keeps it, and a child that inherits the variable has another
PIP = "-m pip --python {} install --quiet --no-input --retries=1 --disable-pip-version-check"
REASONS = {
    "No module named pip": "PBEM needs pip for its first run: install your system's python3-pip.",
    "no such option: --python": "PBEM needs pip 22.3 or later for its first run.",
    "Retrying (": "PBEM must fetch its libraries once, and there is no network: connect, and start it again.",
}


def ensure(extra: str) -> None:
    """Return in an interpreter that has what `extra` asks for; make it and change over to it if need be."""
    venv = Path(os.environ.get("PBEM_VENV", CHECKOUT / ".venv")).absolute()
    if not _is_elsewhere(venv):
        return
    try:
        if not _is_enough(venv / "pbem.stamp", extra):
            _set_up(venv, extra)
        python = str(venv / "bin/python")
        os.execve(python, [python, *sys.orig_argv[1:]], {**os.environ, GUARD: str(os.getpid())})  # noqa: S606
    except KeyboardInterrupt:
        sys.exit("PBEM is not set up yet: start it again, and it goes on.")
    except OSError as trouble:
        sys.exit(f"PBEM can't set itself up ({trouble}): set PBEM_VENV to a folder that you may write.")


def _is_elsewhere(venv: Path) -> bool:
    """No, when PBEM is installed, or told to take this interpreter as it is, or has changed over already."""
    stay = os.environ.get("PBEM_VENV") == "" or not (CHECKOUT / "pyproject.toml").is_file()
    there = os.environ.get(GUARD) == str(os.getpid()) or Path(sys.prefix).resolve() == venv.resolve()
    return not stay and not there


def _stamp(extra: str) -> str:
    told = f"{CHECKOUT} {sys.version_info[:2]} {extra} ".encode()
    return hashlib.sha256(told + (CHECKOUT / "pyproject.toml").read_bytes()).hexdigest()


def _is_enough(stamp: Path, extra: str) -> bool:
    return stamp.is_file() and stamp.read_text() in (_stamp(extra), _stamp("test"))


def _set_up(venv: Path, extra: str) -> None:
    """Make what is missing; whoever comes second waits at the stamp, which is the lock as well."""
    note = f"Setting up in {os.path.relpath(venv)} (once, about {SECONDS[extra]} seconds) ..."
    print(note, file=sys.stderr, flush=True)
    venv.mkdir(parents=True, exist_ok=True)
    with (venv / "pbem.stamp").open("a+") as stamp:
        fcntl.flock(stamp, fcntl.LOCK_EX)
        if not _is_enough(venv / "pbem.stamp", extra):
            stamp.truncate(0)
            _make(venv)
            _install(venv, _requirements(extra))
            stamp.write(_stamp(extra))


def _make(venv: Path) -> None:
    from venv import EnvBuilder

    for old in venv.glob("bin/python*"):
        old.unlink()  # of another version, perhaps, or gone: EnvBuilder would keep it
    EnvBuilder(symlinks=True).create(venv)


def _requirements(extra: str) -> list[str]:
    import tomllib

    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    return [*project["dependencies"], *project["optional-dependencies"].get(extra, ())]


def _install(venv: Path, requirements: list[str]) -> None:
    import subprocess

    command = [sys.executable, *(part.format(venv / "bin/python") for part in PIP.split()), *requirements]
    pip = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    if pip.returncode:
        plain = f"pip failed: {pip.stderr.strip()[-300:]}"
        sys.exit(next((REASONS[sign] for sign in REASONS if sign in pip.stderr), plain))
    for site in venv.glob("lib/python3.*/site-packages"):
        (site / "pbem.pth").write_text(f"{CHECKOUT}\n")
