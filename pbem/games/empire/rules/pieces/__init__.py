"""What pieces have: room, loads, tasks; and how they are lost (sections 2, 9, 11)."""
