"""The studio: editing the cards of a game in a table and seeing their faces, while files may change on disk."""
