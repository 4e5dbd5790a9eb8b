"""Pages for printing: the form with its preview, the components of a game, and the owner's printers."""
