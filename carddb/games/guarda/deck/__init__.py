"""What data cannot say of a deck of Guarda."""
