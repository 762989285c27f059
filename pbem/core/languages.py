"""The languages that we write in."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Language: TypeAlias = Literal["en", "de", "it"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
