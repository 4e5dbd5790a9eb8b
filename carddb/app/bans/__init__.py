"""Ban lists: shown, announced, published."""
