"""Jinja for face templates, sandboxed and strict about undefined names."""
