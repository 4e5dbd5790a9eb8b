"""Ban lists as web pages."""
