"""A game under way: its log, its position, and the session who leads it."""
