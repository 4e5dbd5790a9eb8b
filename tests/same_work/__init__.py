"""The proof that the same work is done: a fixed list of commands over all games, and the sums of all that they give."""
