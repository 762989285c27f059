"""Orders as people write them."""
