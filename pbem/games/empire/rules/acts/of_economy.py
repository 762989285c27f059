"""The orders of work: developing, making, building, destroying."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.core.seat import Seat
from pbem.games.empire.rules import orders as od
from pbem.games.empire.rules.construction import destroying, upkeep
from pbem.games.empire.rules.economy import consuming, developing, making
from pbem.games.empire.rules.movement import building, laying, pipes
from pbem.games.empire.rules.world import World

ACTS_OF_ECONOMY: Mapping[type, Callable[[World, Seat, Any], None]] = {
    od.Develop: developing.develop,
    od.Farm: developing.farm,
    od.Stop: developing.stop,
    od.Make: making.make,
    od.Consume: consuming.consume,
    od.Build: building.build,
    od.Lay: laying.lay,
    od.Colony: building.colony,
    od.Install: upkeep.install,
    od.Deinstall: upkeep.deinstall,
    od.Man: upkeep.man,
    od.Repair: upkeep.repair,
    od.Scrap: upkeep.scrap,
    od.Destroy: destroying.destroy,
    od.Burn: destroying.burn,
    od.Dump: destroying.dump,
    od.Births: destroying.births,
    od.Pipe: pipes.pipe,
    od.Scuttle: destroying.scuttle,
    od.Crash: destroying.crash,
    od.Die: destroying.die,
}
