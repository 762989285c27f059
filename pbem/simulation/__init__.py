"""Bots that write letters as people do: for the demo, and to see how a league goes before people play it."""
