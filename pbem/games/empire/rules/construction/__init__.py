"""What is built, repaired and destroyed (section 8)."""
