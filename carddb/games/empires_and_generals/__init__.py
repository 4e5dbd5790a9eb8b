"""Empires and Generals: its faces, components and rules."""
