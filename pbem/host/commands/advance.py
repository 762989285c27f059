"""`advance`: a turn written before it is due."""

from __future__ import annotations

from pbem.language.command import Command

COMMAND = Command(name="advance", words=("advance", "vorab", "anticipo"), behind="early", kept_from_deputies="file")
