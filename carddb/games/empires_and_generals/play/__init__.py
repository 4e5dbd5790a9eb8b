"""The rules of Empires and Generals as answers."""
