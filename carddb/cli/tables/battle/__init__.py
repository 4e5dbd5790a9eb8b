"""A Rishar Battle from the command line: its verbs, its table, its screen."""
