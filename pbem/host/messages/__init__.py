"""What our letters say, before anybody words it: plain values that the pages turn into text and HTML.

Views are the state documents of the game, as the reader may see them, with `running` scores by seat.
"""
