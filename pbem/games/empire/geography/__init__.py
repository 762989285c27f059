"""The map: squares, parts, water."""
