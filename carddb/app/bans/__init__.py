"""Use cases about ban lists: showing, announcing and publishing them."""
