"""A game under way: its log, its position, and the referee who leads it."""
