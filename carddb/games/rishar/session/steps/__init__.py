"""What is done at each step of a Battle."""
