"""`preview`: what the orders below it would do; alone, what the draft on file would do."""

from __future__ import annotations

from pbem.language.command import Command
from pbem.language.words import HEADS

COMMAND = Command(name="preview", words=HEADS["preview"], mode="preview", low_priority=True)
