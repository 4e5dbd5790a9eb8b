"""Commands about games and projects: games, explain, rules, conform, init, restore, demo, doctor."""
