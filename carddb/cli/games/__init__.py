"""Commands about games and projects: games, explain, ask, rules, conform, init, restore, demo, doctor, ci."""
