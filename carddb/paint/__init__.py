"""Turns shapes at exact positions into bytes: PDF, SVG, PNG, HTML."""
