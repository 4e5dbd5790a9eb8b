"""The contents of a `game.yaml`: its parts, whether they fit together, and its words in other languages."""
