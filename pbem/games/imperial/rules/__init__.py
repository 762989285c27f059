"""The rules of Imperial: pure."""
