"""Use cases about cards: loading, searching, showing, translating and exporting them."""
