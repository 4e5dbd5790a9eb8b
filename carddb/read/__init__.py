"""Files in, records and findings out; every fault of a file at once, with its place."""
