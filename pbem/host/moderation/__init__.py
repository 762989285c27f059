"""Who leads a game without playing it: the moderator’s powers."""
