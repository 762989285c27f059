"""Looks for bytes that the reader of letters stumbles over, led by what its code does with them (atheris, libFuzzer).

`pip install atheris`, then `python bench/fuzz_letters.py -max_total_time=300`; further arguments are libFuzzer's. It
begins with the letters of the tests, and writes what it finds to `crash-*` and `timeout-*` where it was started.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

import atheris

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

with atheris.instrument_imports(include=["pbem", "email", "authres", "flufl", "asn1crypto"]):
    from pbem.adapters.mime import as_document, letter_reader

READ = letter_reader("mx.example.org")
SLOW = 10  # seconds for one letter


def read(raw: bytes) -> None:
    """Any bytes are a letter, which can be written down again."""
    letter = READ(raw)
    json.dumps(as_document(letter), ensure_ascii=False).encode()
    assert letter.size == len(raw)
    assert letter.ignored or letter.sender.isascii()
    assert not (letter.ignored and letter.lines)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for seed in (ROOT / "tests" / "letters").glob("*.eml"):
            shutil.copy(seed, folder)
        atheris.Setup([*sys.argv, f"-timeout={SLOW}", "-max_len=20000", folder], read)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
