"""Print sheets of cards: the arrangement of copies, a preview, and the file."""
