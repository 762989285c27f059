"""Imperial as people see it."""
