"""Ban lists: a log of announcements, and what it makes of a list on a day. No clock, no files, no database."""
