"""Printing: what is chosen, how, on which printer, and what of it is on paper already."""
