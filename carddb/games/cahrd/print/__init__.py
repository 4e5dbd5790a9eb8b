"""The variables of the templates of C.A.H.R.D., and the pictures of cards without art."""
