"""The use cases of carddb, whoever asks: one module each, over the `Workspace` that they take."""
