"""What the use cases of mail share."""

from __future__ import annotations

from msgspec import Struct

from pbem.host.messages.host_identity import HostIdentity
from pbem.host.ports import Clock, Log, Stopwatch
from pbem.host.session.identity import Identity
from pbem.host.session.unit_of_work import Games


class Context(Struct, frozen=True, kw_only=True):
    """The games of a server, the time there, and who it is."""

    games: Games
    clock: Clock
    host: HostIdentity
    identity: Identity
    log: Log
    watch: Stopwatch
