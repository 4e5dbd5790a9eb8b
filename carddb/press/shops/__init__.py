"""Orders for print shops, and decks for Tabletop Simulator."""
