"""What battles on land, at sea and in the air have in common (sections 12, 14, 17)."""
