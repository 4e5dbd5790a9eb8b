"""The studio: the cards of a game as a table to be edited, with their faces, while files change on disk."""
