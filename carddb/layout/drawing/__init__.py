"""A face template and a card to a face: the SVG read, placed and inspected."""
