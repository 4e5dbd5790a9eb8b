"""Cards, armies, odds and campaigns of Rishar, as answers to questions."""
