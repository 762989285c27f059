"""Puts the parts together; the only place that knows them all."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pbem.adapters.editions import imperial
from pbem.files import Misfiled
from pbem.service.playfile import Misplayed
from pbem.service.replay import Failed, Replay
from pbem.table.refusal import Refusal
from pbem.table.ruleset import Ruleset
from pbem.table.seat import Setup


def ruleset(setup: Setup) -> Ruleset[Any, Any, Any]:
    """The table for a set-up. Raises `ValueError` for what there is not."""
    if setup.game != "imperial":
        raise ValueError(f"game: there is no {setup.game}; there is imperial")
    return imperial(setup)


def replay_files(files: Iterable[str], *, as_json: bool) -> int:
    """Play the files; the worst exit code of all."""
    return max(_replay_file(file, as_json=as_json) for file in files)


def _replay_file(file: str, *, as_json: bool) -> int:
    try:
        replay = Replay(Path(file).read_text(encoding="utf-8"), ruleset, _sentence)
        replay.run()
    except (OSError, UnicodeDecodeError, Misfiled) as problem:
        return _tell(f"{file}: {problem}", 2)
    except Misplayed as problem:
        return _tell(f"{file}:{problem.line}: {problem.what}", 2)
    except Failed as failure:
        return _tell(f"{file}:{failure.line}: {failure.what}", 1)
    if as_json:
        print(json.dumps(replay.document(), indent=2, ensure_ascii=False))
    return 0


def _tell(what: str, code: int) -> int:
    print(what, file=sys.stderr)
    return code


def _sentence(refusal: Refusal) -> str:
    return f"{refusal.code} {refusal.facts}"
