"""Common ground of all rooms: errors, names, units, days, texts, files, locks, caches, databases, executors."""
