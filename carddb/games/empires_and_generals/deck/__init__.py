"""Checks and questions of decks of Empires and Generals that are more than data."""
