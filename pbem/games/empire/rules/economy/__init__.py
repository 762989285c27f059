"""Squares, factories, power, and what people and machines consume (sections 7, 10)."""
