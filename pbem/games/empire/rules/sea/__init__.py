"""Waters, the war on them, and their serpents (sections 9, 14, 16 to 18)."""
