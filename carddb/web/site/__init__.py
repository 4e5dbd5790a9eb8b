"""A game as a web site without a server."""
