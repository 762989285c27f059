"""What a letter may say beside orders."""
