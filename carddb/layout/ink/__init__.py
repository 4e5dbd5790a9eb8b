"""The ink that a face takes, and ways to take less."""
