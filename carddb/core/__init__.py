"""What every room speaks: errors, names, units, days, texts, files, locks, caches, databases, executors."""
