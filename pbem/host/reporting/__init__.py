"""What is told to whom after something has happened."""
