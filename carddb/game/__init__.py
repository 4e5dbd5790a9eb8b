"""What a `game.yaml` says: its parts, whether they fit together, and its words in other languages."""
