"""Print sheets of cards: how copies lie on them, what they will be, and their file."""
