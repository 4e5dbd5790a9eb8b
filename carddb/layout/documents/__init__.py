"""Documents as trees of blocks, read from Markdown or built."""
