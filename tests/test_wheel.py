"""What is installed from a wheel: the same program, with all its files; and the same games where Imperial is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from zipfile import ZipFile

import pytest

CHECKOUT = Path(__file__).parent.parent
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
COMPILE = "HATCH_BUILD_HOOK_ENABLE_MYPYC"
PLACES = {"pbem": "pbem", "games": "pbem/_data/games", "templates": "pbem/_data/templates"}
GAMES, PLAYS = CHECKOUT / "tests" / "digests.py", CHECKOUT / "tests" / "plays"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3_600),  # to compile takes minutes
    pytest.mark.skipif(os.environ.get("PBEM_TEST_WHEEL") != "1", reason="PBEM_TEST_WHEEL=1 fetches, and compiles"),
]


class Installed:
    """A wheel of this checkout in an environment of its own, with the libraries of ours."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.python = str(folder / "venv" / "bin" / "python")
        venv.create(folder / "venv", with_pip=True)
        source = folder / "source"
        for part in PLACES:
            copytree(CHECKOUT / part, source / part, ignore=ignore_patterns("__pycache__"))
        for file in ("pyproject.toml", "README.md", "LICENSE"):
            copy(CHECKOUT / file, source)
        pip = "-m", "pip", "--disable-pip-version-check"
        self.run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, source, **environment)
        (self.wheel,) = folder.glob("*.whl")
        self.run(*pip, "install", "--no-deps", self.wheel)
        (site,) = folder.glob("venv/lib/python3.*/site-packages")
        (site / "libraries.pth").write_text("\n".join({*map(sysconfig.get_path, ("purelib", "platlib"))}))

    def run(self, *words: str | Path, **environment: str) -> str:
        """What the interpreter says, which knows nothing of the checkout."""
        given = {"PATH": os.defpath, "HOME": str(self.folder), **environment}
        done = subprocess.run(
            [self.python, *words], check=False, capture_output=True, text=True, cwd=self.folder, env=given
        )
        assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-5_000:]
        return done.stdout

    def files(self) -> Sequence[str]:
        return ZipFile(self.wheel).namelist()


@pytest.fixture(scope="module")
def pure(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("pure"))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("compiled"), **{COMPILE: "true"})


def to_be_compiled() -> set[str]:
    """The modules that the project names."""
    hook = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]
    files = [file for pattern in hook["include"] for file in CHECKOUT.glob(pattern)]
    named = [file for file in files if not any(fnmatch(file.name, pattern) for pattern in hook["exclude"])]
    return {".".join(file.relative_to(CHECKOUT).with_suffix("").parts) for file in named}


def test_a_wheel_is_for_every_machine_and_has_every_file(pure: Installed) -> None:
    assert pure.wheel.name.endswith("-py3-none-any.whl")
    there = {name for name in pure.files() if ".dist-info/" not in name}
    assert there == {
        f"{place}/{file.relative_to(CHECKOUT / part).as_posix()}"
        for part, place in PLACES.items()
        for file in (CHECKOUT / part).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_what_is_installed_plays_a_game_by_mail(pure: Installed) -> None:
    shown = pure.run("-m", "pbem", "demo", "--players", "3", "--into", "demo")
    assert "replay" in shown
    assert pure.run("-m", "pbem", "demo", "--players", "2", "--game", "empire", "--into", "empire")
    assert [*(pure.folder / "demo").iterdir()]
    assert pure.run("-c", "import pbem; print(pbem.__file__)").startswith(str(pure.folder / "venv"))


def test_compiled_modules_are_those_that_run_and_decide_alike(
    compiled: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = "import importlib, sys; print(*(importlib.import_module(name).__file__ for name in sys.argv[1:]), sep='\\n')"
    named = sorted(to_be_compiled())
    found = compiled.run("-c", tell, *named).split()
    site = str(compiled.folder / "venv")
    assert len(named) > 30
    assert [name for name, file in zip(named, found, strict=True) if not file.endswith(".so") or site not in file] == []

    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    ours = subprocess.run([sys.executable, GAMES, PLAYS], capture_output=True, text=True, check=True).stdout
    assert compiled.run(GAMES, PLAYS).splitlines() == ours.splitlines()
