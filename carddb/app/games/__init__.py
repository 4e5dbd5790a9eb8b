"""Use cases about games and projects: creating, describing, testing and demonstrating them."""
