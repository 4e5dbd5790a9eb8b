"""The loading of a game from its folder: its files are read, joined and checked against each other."""
