"""Tournaments: players, their deck lists, verdicts on the day."""
