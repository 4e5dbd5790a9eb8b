"""Commands about decks: check, forecast, meta, decklist, decks."""
