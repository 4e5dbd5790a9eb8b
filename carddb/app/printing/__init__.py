"""Use cases about printing: selecting cards, options, printers, and the record of what was printed."""
