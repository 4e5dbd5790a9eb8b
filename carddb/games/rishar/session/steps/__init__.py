"""The actions at each step of a Battle."""
