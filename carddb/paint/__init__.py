"""Positions to bytes: PDF, SVG, PNG, HTML."""
