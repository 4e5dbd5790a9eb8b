"""The table of a Battle, action by action by the same rules as a replay, and what players see of it."""
