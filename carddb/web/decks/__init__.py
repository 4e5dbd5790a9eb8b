"""Pages about decks: the checker, what many decks say together."""
