"""Estimates the ink that a face needs, and reduces it."""
