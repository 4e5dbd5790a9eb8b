"""A table on a terminal, whatever is played there: its verbs, its actions as commands, the lines typed at it."""
