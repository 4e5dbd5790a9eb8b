"""Whether a game does what every game must."""
