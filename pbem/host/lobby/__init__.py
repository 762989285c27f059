"""Who plays: persons, addresses, seats, and how they come to a game."""
