"""Who may start games here, and what games there may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.core.seat import Setup
from pbem.host.session.terms import Terms

OpenTo = Literal["anyone", "known", "nobody"]


class LobbyPolicy(Struct, frozen=True, kw_only=True):
    """Who may start games here, and what they get that ask for nothing else."""

    open_to: OpenTo = "known"
    plain: Terms = Terms(setup=Setup())
    templates: Mapping[str, Terms] = {}
