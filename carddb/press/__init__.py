"""Whole jobs, from cards and templates to finished files."""
