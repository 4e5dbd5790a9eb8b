"""What all rooms share: errors, names, units, dates, texts, files, locks, caches, databases, executors."""
