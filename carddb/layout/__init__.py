"""Turns texts and shapes into exact positions, in whole micrometres."""
