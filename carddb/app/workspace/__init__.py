"""The context of every use case: settings, games, catalogue, notices, days, writing of files."""
