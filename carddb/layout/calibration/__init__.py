"""Calibration pages, from which a printer's errors are read, and the corrections that undo these errors."""
