"""`cancel`: drafts and advance orders are thrown away."""

from __future__ import annotations

from pbem.language.command import Command

COMMAND = Command(name="cancel", words=("cancel", "verwerfe", "annulla"), kept_from_deputies="file")
