"""`press to …:`: a text that is passed on to other players; the word alone shows the last press."""

from __future__ import annotations

from pbem.host import messages as co
from pbem.host.commands.aside import Enquiry, Question
from pbem.host.reporting.press import last_press


def _tell(enquiry: Enquiry) -> co.PressRead:
    return last_press(enquiry.desk, enquiry.game, enquiry.seat)


COMMAND = Question(
    name="press",
    kind="aside",
    words=("press", "Presse", "stampa"),
    kept_from_deputies="press",
    anytime=True,
    tell=_tell,
)
