"""Use cases about tournaments: players, their deck lists, and verdicts for the day of the event."""
