"""Sheets: where cards lie, how they are cut, and what stands around them."""
