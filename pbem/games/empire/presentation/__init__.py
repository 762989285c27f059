"""What is shown of a game."""
