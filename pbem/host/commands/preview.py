"""`preview`: what the orders below it would do; alone, what the draft on file would do."""

from __future__ import annotations

from pbem.language.command import Command
from pbem.language.words import PREVIEW

COMMAND = Command(name="preview", words=PREVIEW, mode="preview", low_priority=True)
