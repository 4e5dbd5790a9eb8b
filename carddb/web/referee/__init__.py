"""Pages with questions to the referee."""
