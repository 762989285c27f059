"""Parts and ways over land, who controls them, who sees them (sections 1, 9, 12, 13, 18)."""
