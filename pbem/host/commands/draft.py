"""`draft`: the orders below it are kept on file and not played."""

from __future__ import annotations

from pbem.language.command import Command

COMMAND = Command(name="draft", words=("draft", "Entwurf", "bozza"), mode="draft")
