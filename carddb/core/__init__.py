"""The base of all other packages: errors, names, units, dates, texts, groups, files, locks, caches, databases, work."""
