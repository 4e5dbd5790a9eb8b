"""Games and projects: begun, summed up, tested, demonstrated."""
