"""Pages with rule sheets and the handbook."""
