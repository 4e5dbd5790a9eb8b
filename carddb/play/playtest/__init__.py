"""The playtest table: the cards of any game in zones, moved by hand. No rules are enforced."""
