"""Tournaments as pure values: pairing, brackets and standings. The log of an event's changes is read into them."""
