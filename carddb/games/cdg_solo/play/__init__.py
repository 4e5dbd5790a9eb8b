"""The method's rules of play: displays, rolls, choices and plays."""
