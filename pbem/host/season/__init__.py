"""Games that are tables of a season: who holds which seat there, and what such a game came to."""
