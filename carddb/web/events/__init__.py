"""Pages of a tournament: the organiser's desk and the players' own pages."""
