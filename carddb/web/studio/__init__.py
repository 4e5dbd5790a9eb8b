"""Pages of the studio."""
