"""Missions, fights in the air, and what bombs hit (sections 15, 16)."""
