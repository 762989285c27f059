"""Workers and officials: where they may go, what they do, whose they are (sections 5, 9, 11, 13)."""
