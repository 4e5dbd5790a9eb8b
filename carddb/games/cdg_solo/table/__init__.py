"""The table of a solo session on a terminal and on pages: its start, its commands, its display."""
