"""The rules of C.A.H.R.D., a game of officers and armies: cards, decks, play and printed components."""
