"""Components: what a game prints besides its cards."""
