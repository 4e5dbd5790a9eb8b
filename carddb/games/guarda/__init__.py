"""Guarda: its patterns, rules and simulator."""
