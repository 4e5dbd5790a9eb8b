"""Decks: checked one by one and by the thousand, mended, compared, counted, listed."""
