"""Boards, editions and names of `games/imperial`: read, checked, built."""
