"""The table of a Battle: how it is begun, typed at and shown, on a terminal and on pages, and its campaign sheets."""
