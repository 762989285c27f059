"""All commands of a letter, in the order of help and manual. A new one is a module, and a name here."""

from __future__ import annotations

from pbem.host.commands.away import AWAY
from pbem.host.commands.filing import (
    ADVANCE,
    CANCEL,
    DRAFT,
    NO_STANDING,
    NO_STANDING_OF,
    ORDERS,
    PLAY,
    PLAY_SEAT,
    PREVIEW,
    ROLLOUT,
    ROLLOUT_SEAT,
    SHOW,
    STANDING,
    UNDO,
)
from pbem.host.commands.history import HISTORY
from pbem.host.commands.personal import ADDRESS, CALENDAR, LANGUAGE, PAGE, REPORTS, ZONE
from pbem.host.commands.petitions import PETITION, PETITIONS, REMARK, VOTE
from pbem.host.commands.reach import REACH
from pbem.host.commands.reading import GAMES, HELP, PRESS, RULES
from pbem.host.commands.records import MOVE_ORDER, RECORDS
from pbem.host.commands.requests import REQUEST_COMMANDS
from pbem.host.commands.status import BOARD, CLOCK, STATUS
from pbem.host.moderation.commands import MODERATOR, MODERATOR_COMMANDS
from pbem.language.command import Commands

COMMANDS = Commands(
    (
        *(MODERATOR, DRAFT, PREVIEW, PLAY, PLAY_SEAT, ROLLOUT, ROLLOUT_SEAT, SHOW, ORDERS, CANCEL, UNDO),
        *(STANDING, NO_STANDING, NO_STANDING_OF, ADVANCE),
        *(HELP, STATUS, BOARD, REACH, HISTORY, RULES, PETITIONS, PETITION, VOTE, REMARK, RECORDS, MOVE_ORDER, CLOCK),
        *(LANGUAGE, ADDRESS, ZONE, AWAY, PRESS, GAMES, REPORTS, CALENDAR, PAGE),
    ),
    MODERATOR_COMMANDS,
    REQUEST_COMMANDS,
)
