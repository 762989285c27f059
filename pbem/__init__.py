"""PBEM: an adjudicator for board games played by e-mail."""
