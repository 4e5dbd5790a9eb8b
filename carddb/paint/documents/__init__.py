"""Documents flowed onto pages by Platypus, and written as HTML."""
