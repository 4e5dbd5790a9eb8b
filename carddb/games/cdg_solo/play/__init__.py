"""Displays, rolls, choices and plays of the method."""
