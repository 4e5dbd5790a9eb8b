"""The variables of the faces and components of C.A.H.R.D."""
