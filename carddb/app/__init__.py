"""The use cases of carddb, for the command line, the web server and scripts; each takes a `Workspace`."""
