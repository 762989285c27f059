"""Positions that `given` lines describe."""
