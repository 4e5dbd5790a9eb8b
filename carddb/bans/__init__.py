"""Ban lists: a log of announcements, and the state of a list on a day. Nothing here reads clock, files or databases."""
