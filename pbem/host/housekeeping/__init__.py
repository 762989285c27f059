"""What happens by itself: closing, mending, watching."""
