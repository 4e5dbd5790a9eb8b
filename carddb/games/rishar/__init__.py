"""The rules of Rishar, a game of armies: cards, Battles, tables and printed components."""
