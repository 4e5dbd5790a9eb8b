"""Rule sheets and the handbook, as files and as pages, and the search through them."""
