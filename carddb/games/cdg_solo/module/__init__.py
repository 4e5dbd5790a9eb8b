"""Modules, that is, the rules in which each game differs: read, validated, and written by users."""
