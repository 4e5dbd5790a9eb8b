"""The check of a deck: sections, limits, formats and ban lists; each fault becomes a finding."""
