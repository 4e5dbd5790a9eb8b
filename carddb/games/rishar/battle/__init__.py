"""A Battle of Rishar: Skirmishes, turns, routs, and the replay of a Battle from its record."""
