"""Use cases about decks: checking one or many, fixing, comparing, counting and listing them."""
