"""Ban lists: a log of announcements, and the state of a list on a day that follows from it.

Code here reads no clock, files or databases.
"""
