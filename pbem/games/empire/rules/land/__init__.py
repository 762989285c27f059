"""Arming and the war on land (section 12)."""
