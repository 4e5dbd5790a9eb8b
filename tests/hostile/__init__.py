"""The proof that carddb holds: `python -m tests.hostile`, a command that prints one table, and no test."""
