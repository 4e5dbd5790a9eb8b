"""Playing at a table in the terminal, for any game: commands, actions as commands, and typed lines."""
