"""Leagues: seasons of tables, drawn by lots that anybody can draw again, counted by figures that anybody can reckon.

Pure, and of any game: people are their public numbers, points are hundredths, instants whole seconds UTC.
"""
