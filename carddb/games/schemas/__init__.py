"""JSON Schemas of the files and questions that users write, and descriptions of a question's fields."""
