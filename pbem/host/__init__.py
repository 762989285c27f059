"""Leads games, whichever they are: it knows seats, decisions, orders and events."""
