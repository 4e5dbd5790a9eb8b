"""Readers of files: files in, records and findings out, with every fault of a file at once and its place."""
