"""Sheets: the positions of cards, how they are cut, and what is printed around them."""
