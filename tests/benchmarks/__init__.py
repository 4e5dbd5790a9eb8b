"""Benchmarks: each is a command that prints ratios of one run, and no test."""
