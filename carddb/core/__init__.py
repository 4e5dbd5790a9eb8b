"""The parts that all packages share: errors, names, units, dates, texts, files, locks, caches, databases, executors."""
