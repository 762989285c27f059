"""Words, times and pictures: no game and no host is known here."""
