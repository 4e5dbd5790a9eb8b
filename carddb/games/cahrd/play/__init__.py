"""The rules of play of C.A.H.R.D., as answers to questions."""
