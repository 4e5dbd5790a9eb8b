"""The playtest table: the cards of any game in zones, moved by hand. It enforces no rule; all of it can be replayed."""
