"""Jinja in face templates, sandboxed and strict about undefined names."""
