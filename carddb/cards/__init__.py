"""Cards and decks as frozen values, the history of printed cards, and the query language."""
