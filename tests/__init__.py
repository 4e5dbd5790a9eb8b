"""What carddb claims, each claim by a test; the folders are the rooms of `carddb`."""
