"""Picture files: their size and turn, read from their heads."""
