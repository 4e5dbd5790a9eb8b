"""Draws a card's face from its template: the SVG is parsed, laid out and inspected."""
