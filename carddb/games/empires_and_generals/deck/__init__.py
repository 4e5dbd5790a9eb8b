"""What data cannot say of a deck of Empires and Generals."""
