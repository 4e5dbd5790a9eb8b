"""carddb: a card database and print-and-play generator that knows the rules of its games."""
