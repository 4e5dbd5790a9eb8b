"""The rules of C.A.H.R.D. as answers."""
