"""How many bots, and how well they play, as it is written on the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from pbem.core.bot import LEVELS

KEYS = ("no", "yes", *LEVELS)


def bots_wanted(_context: click.Context, _option: click.Parameter, words: Sequence[str]) -> Mapping[str, str]:
    """The terms that are meant by `--bots 3`, `--bots hard`, or both."""
    found: dict[str, str] = {}
    for word in words:
        if not word.isdecimal() and word not in KEYS:
            raise click.BadParameter(f"{word!r} is not one of {', '.join(map(repr, KEYS))}, and no number")
        found["bot_seats" if word.isdecimal() else "bots"] = word
    return found
