"""May I make this move? What questions to the referee are made of, and chance: dice, odds, seeded streams."""
