"""Pages by which a printer's errors are read off, and what undoes them."""
