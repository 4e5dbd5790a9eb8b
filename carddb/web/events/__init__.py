"""Pages of a tournament: the desk, the players' own."""
