"""The course of a game: the zero turn, slots, what is owed, the end (sections 3, 4, 19)."""
