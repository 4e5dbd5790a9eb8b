"""Verbs about what is read: guide, handbook."""
