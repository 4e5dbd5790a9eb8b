"""Templates filled in where they are safe: in this process, or in one of their own."""
