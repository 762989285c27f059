"""The house itself: style, types, the direction of imports, and what the README promises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli import main

CHECKOUT = Path(__file__).resolve().parent.parent
CHECKS = {
    "ruff": ("-m", "ruff", "check", "."),
    "format": ("-m", "ruff", "format", "--check", "."),
    "mypy": ("-m", "mypy"),
    "imports": ("-c", "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"),
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("check", CHECKS)
def test_the_house_is_in_order(check: str) -> None:
    command = [sys.executable, *CHECKS[check]]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_names_only_commands_that_exist() -> None:
    text = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    named = {part.split()[0].strip("`,.") for part in text.split("python3 -m pbem ")[1:]}
    assert named <= set(main.commands), named - set(main.commands)
    assert {"demo", "selftest"} <= named


def test_the_package_itself_imports_nothing() -> None:
    code = "import sys; before = set(sys.modules); import pbem; print(sorted(set(sys.modules) - before))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['pbem']"
