"""The table of a solo session: how it is begun, typed at and shown, on a terminal and on pages."""
