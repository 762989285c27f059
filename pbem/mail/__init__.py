"""Letters in and out: read, answered, written, sent."""
