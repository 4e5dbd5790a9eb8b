"""Games played at a table: an immutable session that only actions change, its log, undo and saves."""
