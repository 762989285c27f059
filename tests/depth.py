"""How much properties try. In a plain run few examples, and always the same: it tells what a change has done, and not
what chance has found. `selftest --all` tries twice as many, and `PBEM_DEEP=1000` that many others.
"""

from __future__ import annotations

import os

DEEP = int(os.environ.get("PBEM_DEEP", "0"))  # 0: few, and always the same
USUAL = 50
_TIMES = int(os.environ.get("PBEM_TIMES", "1"))


def examples_of(number: int) -> int:
    """So many examples in a plain run."""
    return DEEP or number * _TIMES
