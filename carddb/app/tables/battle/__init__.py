"""A Battle of Rishar: begun from two armies, shown, and its campaign sheets."""
