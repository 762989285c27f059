"""The first run: when it does something, what it leaves behind, and that two at once make one."""

from __future__ import annotations

import ast
import fcntl
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem import firstrun

PROJECT = """\
[project]
dependencies = ["one>=1", "two"]
[project.optional-dependencies]
test = ["three"]
"""


class Changed(BaseException):
    """In place of exec, which never returns."""


class World:
    """A checkout, and what pip and exec were asked for."""

    def __init__(self, checkout: Path) -> None:
        self.checkout = checkout
        self.venv = checkout / ".venv"
        self.pip: list[list[str]] = []
        self.executed: tuple[str, list[str], dict[str, str]] | None = None
        self.complaint = ""

    def run(self, command: list[str], **_: object) -> SimpleNamespace:
        self.pip.append(command)
        return SimpleNamespace(returncode=bool(self.complaint), stderr=self.complaint)

    def execve(self, path: str, argv: list[str], environ: dict[str, str]) -> None:
        self.executed = path, argv, environ
        raise Changed

    def start(self, extra: str = "core") -> list[str]:
        """What pip was asked to install on the way into the environment."""
        self.pip.clear()
        with pytest.raises(Changed):
            firstrun.ensure(extra)
        return [word for command in self.pip for word in command[command.index("install") + 1 :] if word[0] != "-"]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    world = World(tmp_path)
    monkeypatch.setattr(firstrun, "CHECKOUT", tmp_path)
    monkeypatch.setattr(subprocess, "run", world.run)
    monkeypatch.setattr(os, "execve", world.execve)
    monkeypatch.setattr(sys, "orig_argv", ["python3", "-W", "error", "-m", "pbem", "demo"])
    monkeypatch.delenv("PBEM_VENV", raising=False)
    monkeypatch.delenv(firstrun.GUARD, raising=False)
    return world


def test_it_makes_installs_and_changes_over(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert world.start() == ["one>=1", "two"]
    assert world.executed is not None
    path, argv, environ = world.executed
    assert (path, argv) == (f"{world.venv}/bin/python", [path, "-W", "error", "-m", "pbem", "demo"])
    assert environ[firstrun.GUARD] == str(os.getpid())
    assert Path(path).exists()
    (pth,) = world.venv.glob("lib/python3.*/site-packages/pbem.pth")
    assert pth.read_text() == f"{world.checkout}\n"
    assert capsys.readouterr().err.count("\n") == 1


def test_the_second_time_it_only_changes_over(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    world.start()
    capsys.readouterr()
    assert world.start() == []
    assert capsys.readouterr().err == ""


def test_the_tests_need_more_and_that_is_enough_for_the_rest(world: World) -> None:
    world.start()
    assert world.start("test") == ["one>=1", "two", "three"]
    assert world.start("test") == []
    assert world.start() == []


def test_another_project_file_is_another_stamp(world: World) -> None:
    world.start()
    (world.checkout / "pyproject.toml").write_text(PROJECT.replace('"two"', '"two", "four"'))
    assert world.start() == ["one>=1", "two", "four"]


def test_another_python_is_another_stamp(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.start()
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    assert world.start() == ["one>=1", "two"]


def test_an_environment_without_a_stamp_is_taken_over(world: World) -> None:
    (world.venv / "bin").mkdir(parents=True)
    (world.venv / "bin" / "python").symlink_to("/nowhere/python3")
    (world.venv / "bin" / "mine").touch()
    assert world.start() == ["one>=1", "two"]
    assert (world.venv / "bin" / "python").exists()
    assert (world.venv / "bin" / "mine").exists()


def test_the_environment_may_be_elsewhere(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(world.checkout)
    monkeypatch.setenv("PBEM_VENV", "else/where")
    world.start()
    assert world.executed is not None
    assert world.executed[0] == f"{world.checkout}/else/where/bin/python"
    assert not world.venv.exists()


def test_who_interrupts_it_is_told_that_it_goes_on(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(firstrun, "_install", interrupted)
        with pytest.raises(SystemExit, match="start it again, and it goes on"):
            world.start()
    assert world.start() == ["one>=1", "two"]


def test_it_stays_when_told_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_VENV", "")
    firstrun.ensure("core")
    assert not world.venv.exists()


def test_it_stays_when_installed(world: World) -> None:
    (world.checkout / "pyproject.toml").unlink()
    firstrun.ensure("core")
    assert not world.venv.exists()


def test_it_stays_when_it_is_there_already(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_VENV", sys.prefix)
    firstrun.ensure("test")
    assert world.executed is None


def test_the_guard_holds_for_this_process_only(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(firstrun.GUARD, str(os.getpid()))
    firstrun.ensure("core")
    assert world.executed is None
    monkeypatch.setenv(firstrun.GUARD, str(os.getppid()))
    world.start()


def test_a_second_first_run_waits_and_installs_nothing(world: World) -> None:
    world.venv.mkdir()
    with (world.venv / "pbem.stamp").open("a") as stamp:
        fcntl.flock(stamp, fcntl.LOCK_EX)
        second = threading.Thread(target=firstrun._set_up, args=(world.venv, "core"))
        second.start()
        second.join(0.2)
        assert second.is_alive()
        stamp.write(firstrun._stamp("core"))
    second.join()
    assert world.pip == []


@pytest.mark.parametrize(
    ("complaint", "told"),
    [
        ("WARNING: Retrying (Retry(total=0)) ...\nERROR: No matching distribution", "there is no network"),
        ("/usr/bin/python3: No module named pip\n", "python3-pip"),
        ("no such option: --python\n", "pip 22.3"),
        ("ERROR: the disk is full\n", "pip failed: ERROR: the disk is full"),
    ],
)
def test_a_failure_is_one_sentence_and_tried_again(world: World, complaint: str, told: str) -> None:
    world.complaint = complaint
    with pytest.raises(SystemExit, match=told):
        firstrun.ensure("core")
    world.complaint = ""
    assert world.start() == ["one>=1", "two"]


def test_a_folder_that_can_not_be_written_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_VENV", f"{world.checkout}/pyproject.toml/venv")
    with pytest.raises(SystemExit, match="set PBEM_VENV to a folder that you may write"):
        firstrun.ensure("core")


@pytest.mark.parametrize("name", ["__main__", "firstrun"])
def test_an_old_python_can_read_it_far_enough(name: str) -> None:
    path = Path(firstrun.__file__).with_name(f"{name}.py")
    ast.parse(path.read_text("utf-8"), feature_version=(3, 8))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(os.environ.get("PBEM_TEST_FIRSTRUN") != "1", reason="PBEM_TEST_FIRSTRUN=1 fetches for real")
def test_a_fresh_checkout_on_a_fresh_machine(tmp_path: Path) -> None:
    checkout, home = tmp_path / "pbem", tmp_path / "home"
    home.mkdir()
    skipped = shutil.ignore_patterns(".venv", ".git", "__pycache__")
    shutil.copytree(firstrun.CHECKOUT, checkout, ignore=skipped)
    command = [f"{sys.base_prefix}/bin/python3", "-m", "pbem", "--help"]
    environ = {"PATH": os.defpath, "HOME": str(home)}
    pipe = subprocess.PIPE
    for run in [subprocess.Popen(command, cwd=checkout, env=environ, stdout=pipe, stderr=pipe) for _ in "ab"]:
        out, err = run.communicate()
        assert run.returncode == 0, err
        assert b"Usage" in out
