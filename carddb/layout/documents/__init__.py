"""Documents as trees of blocks, parsed from Markdown or built in code."""
