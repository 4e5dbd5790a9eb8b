"""A terminal: lines that fit, progress, streams that close."""
