"""A season reckoned again from what is published: its log, its file, what its games came to, and the ratings."""
