"""Imperial's part of the order language."""
