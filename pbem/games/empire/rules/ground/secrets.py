"""Who may see what of a position: the Pirate's things are hidden from whoever does not see him now (E18.3)."""

from __future__ import annotations

from pbem.core.seat import Sight as AllSight
from pbem.core.seat import Viewer
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.state import Unit
from pbem.games.empire.rules.world import World


class Sight:
    def __init__(self, w: World, viewer: Viewer) -> None:
        self.w, self.viewer = w, viewer
        self.all = viewer is AllSight.ALL or w.state.phase == "over"

    def country(self, id_: str) -> bool:
        return not pirate.hides(self.w, id_, self.viewer)

    def unit(self, unit: Unit) -> bool:
        return not pirate.hides(self.w, unit, self.viewer)

    def hold(self, unit: Unit) -> bool:
        """What it has aboard: of the Pirate's ship nobody sees it."""
        return unit.kind != pirate.SHIP or self.all or pirate.is_known_to(self.w, self.viewer)

    def holding(self, country: str, place: str) -> bool:
        """What lies on land is seen, also the Pirate's (E18.4)."""
        return True
