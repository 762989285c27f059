"""`petition change` and the like: the players are asked to vote; `for P-1`, and a remark on what others played."""

from __future__ import annotations

from pbem.language.command import Command

PETITION = Command(name="petition", part_of="petitions", behind=None, kept_from_deputies="petition")
VOTE = Command(name="vote", part_of="petitions", behind=None, kept_from_deputies="petition")
REMARK = Command(name="remark", part_of="petitions", behind=None, kept_from_deputies="petition")
