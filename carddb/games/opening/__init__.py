"""A game opened from its folder: its files read, joined and tested against each other."""
