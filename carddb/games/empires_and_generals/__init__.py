"""The rules of Empires and Generals: cards, decks, play, faces and printed components."""
