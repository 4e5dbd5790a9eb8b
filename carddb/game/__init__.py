"""The contents of a `game.yaml`: its parts, checks that they fit together, and its texts in other languages."""
