"""The table of all powers of a moderator; each stands in its module with its words and what it does."""

from __future__ import annotations

from pbem.host.moderation.course import announce, correct, end, forward, option, rewind
from pbem.host.moderation.in_place import act_for, bot, close, no_bot, strike
from pbem.host.moderation.people import cancel, eject, hand_over, invite, offer, promote, replace_, seat, start
from pbem.host.moderation.rulings import dismiss, reject, ruling, uphold, validate
from pbem.host.moderation.timekeeping import deadline, extend, pause, resume
from pbem.language.command import Command
from pbem.language.moderators import ModeratorCommands

MODERATOR = Command(  # from this line on a letter says what its writer does as a moderator
    name="moderator",
    words=("moderator|moderation", "Moderator|Moderation", "moderatore"),
    behind=None,
    kept_from_deputies="own",
)
MODERATOR_COMMANDS = ModeratorCommands(
    (
        *(close, pause, resume, extend, deadline, strike, act_for, announce, rewind, forward, correct, option),
        *(invite, seat, start, cancel, eject, offer, bot, no_bot, replace_),
        *(ruling, reject, validate, uphold, dismiss, promote, hand_over, end),
    )
)
