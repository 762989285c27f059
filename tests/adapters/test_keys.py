"""The server's secret key."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.adapters.store.keys import WrongKey, kept_secret, key_of
from pbem.adapters.store.sql import SqlStore


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "pbem.key"
    key = kept_secret(file)
    assert len(key) == 32
    assert kept_secret(file) == key
    assert kept_secret(tmp_path / "other.key") != key
    assert file.stat().st_mode & 0o077 == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["other.key", "pbem.key"]


def test_daemons_that_start_together_agree_on_a_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(kept_secret, [tmp_path / "pbem.key"] * 8))
    assert len(keys) == 1


@pytest.mark.parametrize("text", ["", "no key", "c0ffee", "ä"])
def test_another_file_is_not_taken_for_a_key(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pbem.key"
    file.write_text(text, "utf-8")
    with pytest.raises(OSError, match="64 hexadecimal digits"):
        kept_secret(file)
    assert file.read_text("utf-8") == text


def test_books_that_have_people_want_the_key_that_their_tokens_were_made_with(tmp_path: Path) -> None:
    """Those of earlier releases, which noted no key, take the one that is there, but make none."""
    file, store = tmp_path / "pbem.key", SqlStore(f"sqlite:///{tmp_path / 'pbem.sqlite'}")
    store.note_key("")
    with pytest.raises(WrongKey, match="is missing"):
        key_of(store, file)
    assert not file.exists()
    known = kept_secret(file)
    assert key_of(store, file) == known == key_of(store, file)
    file.unlink()
    kept_secret(file)
    with pytest.raises(WrongKey, match="is not the key"):
        key_of(store, file)
    store.close()
