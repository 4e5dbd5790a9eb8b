"""What all packages share: errors, names, units, dates, texts, groups, files, locks, caches, databases, executors."""
