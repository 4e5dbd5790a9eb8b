"""Words and shapes to exact positions, in whole micrometres."""
