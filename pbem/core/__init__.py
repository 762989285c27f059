"""What any game is: seats, decisions, orders, events, refusals and the log."""
