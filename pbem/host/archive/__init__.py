"""What stays of a game: play files, proofs, published records."""
