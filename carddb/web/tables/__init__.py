"""Pages of tables that games are played at."""
