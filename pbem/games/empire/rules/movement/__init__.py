"""Orders that lead over the map: marches, voyages, flights, loads, lines (sections 8 to 10)."""
