"""Guarda: its patterns, its rules and a simulator."""
