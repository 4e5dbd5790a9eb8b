"""May I make this move? What a question to the referee is made of, and chance: dice, odds, seeded streams."""
