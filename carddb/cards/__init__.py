"""Cards as frozen values, decks of them, what was printed of them, and the language that searches them."""
