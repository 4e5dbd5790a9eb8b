"""Commands about ban lists: announce, lint, log, show, diff, why, publish."""
