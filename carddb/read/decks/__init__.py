"""Deck lists: text to decks with every line accounted for, and decks to text."""
