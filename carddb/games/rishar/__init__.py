"""Rishar army rules as answers."""
