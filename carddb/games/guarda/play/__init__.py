"""The rules of play of Guarda, as answers to questions."""
