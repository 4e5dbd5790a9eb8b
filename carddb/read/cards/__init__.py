"""Card files: which column is which field, cells to values, lines to records, and back out."""
