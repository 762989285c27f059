"""What a row of the outbox says, looked up when it goes out."""
