"""Style, types and the direction of imports, checked one after the other: `python -m tests.checks`.

They need no test run; `pbem selftest` goes through them while its tests run.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
CHECKS = {
    "ruff": ("-m", "ruff", "check", "--quiet", "."),
    "format": ("-m", "ruff", "format", "--check", "--quiet", "."),
    "mypy": ("-m", "mypy"),
    "imports": ("-c", "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"),
}


def main() -> int:
    """Tell what is wrong and return 1, or say in a line that nothing is."""
    found = [complaint for name in CHECKS if (complaint := _complaint(name))]
    print("\n".join(found) or f"In order: {', '.join(CHECKS)}.")
    return 1 if found else 0


def _complaint(name: str) -> str:
    command = [sys.executable, *CHECKS[name]]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    return f"{name}:\n{done.stdout}{done.stderr}" if done.returncode else ""


if __name__ == "__main__":
    sys.exit(main())
