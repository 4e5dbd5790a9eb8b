"""The command line: a file for each family of commands, which parse, call `carddb.app`, and print."""
