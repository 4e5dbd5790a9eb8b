"""The table of a Battle on a terminal and on pages: its start, its commands, its display, its campaign sheets."""
