"""Help with decks: the smallest repair, completion, comparison, statistics, and what many decks have in common."""
