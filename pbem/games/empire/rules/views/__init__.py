"""What somebody may see of a position, and of its books."""
