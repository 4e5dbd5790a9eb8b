"""The parts that every use case works with: settings, games, catalogue, notices, the clock, and writing files."""
