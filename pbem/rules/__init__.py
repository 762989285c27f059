"""Games: pure rules behind the door of `pbem.table.ruleset`."""
