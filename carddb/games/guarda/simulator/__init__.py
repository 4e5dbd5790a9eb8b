"""Whole games, played by the rules that the referee answers with."""
