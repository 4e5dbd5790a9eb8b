"""Questions to the referee, rules by their words, and chances."""
