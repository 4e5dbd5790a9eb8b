"""A Battle of Rishar: Skirmishes, turns, routs, and its replay from a record."""
