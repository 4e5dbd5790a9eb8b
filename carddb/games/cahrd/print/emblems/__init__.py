"""The pictures of C.A.H.R.D.'s cards without art, drawn from the card's data alone and always the same."""
