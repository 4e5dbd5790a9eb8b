"""May I make this move? Questions to the referee, chances (dice, odds, seeded random streams), and tables."""
