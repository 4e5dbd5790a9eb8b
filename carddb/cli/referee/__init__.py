"""Verbs that ask the referee: judge, odds, simulate."""
