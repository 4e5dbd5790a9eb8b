"""Fills in templates where that is safe: in this process, or in a separate one."""
