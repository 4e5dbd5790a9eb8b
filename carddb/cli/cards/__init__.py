"""Commands about cards: load, export, cards, show, history."""
