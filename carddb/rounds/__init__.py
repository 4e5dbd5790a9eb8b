"""Tournaments as pure values: pairings, brackets and standings, computed from the log of an event's changes."""
