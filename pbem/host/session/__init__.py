"""A game as it stands: its log, its position, its terms, and what was done beside the orders."""
