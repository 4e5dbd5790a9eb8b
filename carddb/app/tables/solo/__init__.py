"""A solo session of the CDG method: begun from a module and cards, and shown."""
