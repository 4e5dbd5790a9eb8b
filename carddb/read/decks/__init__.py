"""Deck lists: reading text to decks, with every line accounted for, and writing decks."""
