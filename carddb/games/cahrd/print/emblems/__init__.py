"""The pictures of C.A.H.R.D.'s cards that have no art: drawn from the card alone, always the same."""
