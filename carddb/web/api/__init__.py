"""The API under `/api/v1`, and its description."""
