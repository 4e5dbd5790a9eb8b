"""What data cannot say of a deck of C.A.H.R.D."""
