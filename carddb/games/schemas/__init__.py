"""JSON Schemas of what users write, and questions described by their fields."""
