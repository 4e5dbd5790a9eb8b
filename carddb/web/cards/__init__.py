"""Pages about cards: the gallery, the import."""
