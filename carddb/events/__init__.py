"""Tournaments: events, players, and every version of their deck lists. Only this package opens `events.db`."""
