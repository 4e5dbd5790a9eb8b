"""YAML and JSON with the place of every value, and the documents written in them."""
