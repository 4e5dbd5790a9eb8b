"""Prints the components of a game, that is, everything besides its cards."""
