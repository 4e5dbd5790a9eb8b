"""Card files: mapping columns to fields, cells to values and lines to records, and writing them."""
