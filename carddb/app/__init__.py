"""What carddb does for a user, whoever asks: one module a use case, entered by `carddb.app.project.Project`."""
