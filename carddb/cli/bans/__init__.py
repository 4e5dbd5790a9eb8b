"""Verbs about ban lists."""
