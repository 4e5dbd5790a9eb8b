"""Use cases about tables where games are played: starting, joining and saving them, and the view from a seat."""
