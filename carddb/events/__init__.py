"""Tournaments: events, players, and every version of their deck lists; the only room that opens `events.db`."""
