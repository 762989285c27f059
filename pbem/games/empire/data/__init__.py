"""Tables, maps and names as files have them."""
