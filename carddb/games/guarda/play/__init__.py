"""The rules of Guarda as answers."""
