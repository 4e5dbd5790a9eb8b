"""A solo session from the command line: its verbs, its table, its screen."""
