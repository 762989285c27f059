"""What any game at the table is: seats, decisions, orders, events, refusals and the log."""
