"""The books, in SQL."""

VERSION = "0015"  # of the tables: the newest file in migrations/versions; the numbers sort as text
