"""The house itself: what the README promises, and what an import costs. `tests.checks` goes through the rest."""

from __future__ import annotations

import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

from pbem.cli.main import main

CHECKOUT = Path(__file__).resolve().parent.parent


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


def test_no_file_imports_in_a_circle_not_even_for_its_types() -> None:
    """Raises `CycleError`, which names the circle."""
    graph = grimp.build_graph("pbem", cache_dir=None)
    files = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(files).prepare()
