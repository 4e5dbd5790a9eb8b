"""The variables of the templates of C.A.H.R.D., and pictures drawn from a card without art, always the same."""
