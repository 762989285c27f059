"""What each order does."""
