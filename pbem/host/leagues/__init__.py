"""Leagues: what is due in a season is carried out here, and what people do in one."""
