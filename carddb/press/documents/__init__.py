"""Documents of a game: rule sheets with their figures, deck lists, and the handbook."""
