"""What data cannot say about Lanterns."""

from carddb.findings import warning


def no_wind(deck, spec, pool, context):
    """A deck without wind is dull (L-5)."""
    if any(entry.card and entry.card.type == "wind" for entry in deck.entries):
        return []
    return [warning("no_wind", "0 winds in the deck; 1 or more make it lively", rules=("L-5",))]


CHECKS = [no_wind]
