"""Help with decks: the smallest repair, filling up, comparison, statistics, what many decks share."""
