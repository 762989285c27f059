"""The clock of a game: which time counts, what runs out, and what is done about it."""
