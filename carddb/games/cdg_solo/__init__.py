"""The CDG solo method: its modules, rules and sessions."""
