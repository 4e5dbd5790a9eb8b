"""A game played at a table: a frozen session that only actions change, its log in words, undo and saves."""
