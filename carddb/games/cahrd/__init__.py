"""C.A.H.R.D.: its rules as answers."""
