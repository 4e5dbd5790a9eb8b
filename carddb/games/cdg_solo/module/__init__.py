"""Modules: the differences of one game, read, tested, and with decks of their own."""
